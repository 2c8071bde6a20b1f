// Single-key shortcuts: each presses a button or link that the page shows. Everything works without them.
const off = "vitrine-keys-off"
const isTyping = (element) => element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")
const isVisible = (element) => element.checkVisibility?.() ?? element.offsetParent !== null

function press(element) {
  if (element.matches("input, textarea, select")) return element.focus()
  element.click()
  // Opening a form leads into it.
  if (element.matches("summary") && element.parentElement.open)
    element.parentElement.querySelector("textarea, select, input:not([type=hidden])")?.focus()
}

function move(step) {
  const rows = [...document.querySelectorAll("[data-row]")].filter(isVisible)
  const here = rows.indexOf(document.activeElement)
  rows[Math.min(rows.length - 1, Math.max(0, here < 0 ? 0 : here + step))]?.focus()
  return rows.length > 0
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  if (event.key === "Escape" && isTyping(event.target)) return event.target.blur()
  if (event.key.length !== 1 || isTyping(event.target) || localStorage.getItem(off)) return
  const marked = [...document.querySelectorAll(`[data-key="${CSS.escape(event.key)}"]`)].find(isVisible)
  if (marked) press(marked)
  else if (event.key === "j" || event.key === "k") { if (!move(event.key === "j" ? 1 : -1)) return }
  else return
  event.preventDefault()
})

const toggle = document.querySelector("#keys")
if (toggle) {
  const show = () => { toggle.textContent = localStorage.getItem(off) ? "Switch shortcuts on" : "Switch shortcuts off" }
  toggle.hidden = false
  toggle.addEventListener("click", () => {
    if (localStorage.getItem(off)) localStorage.removeItem(off)
    else localStorage.setItem(off, "1")
    show()
  })
  show()
}

// What went wrong is read first.
document.querySelector(".problem")?.focus()

// A password is shown where it stands. Without this the server draws the form again.
for (const button of document.querySelectorAll("[data-shows]")) {
  const field = document.getElementById(button.dataset.shows)
  button.addEventListener("click", (event) => {
    event.preventDefault()
    field.type = field.type === "password" ? "text" : "password"
    button.textContent = field.type === "password" ? "Show password" : "Hide password"
  })
}
