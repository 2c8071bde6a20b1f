// Single-key shortcuts: each presses a button or link that the page shows. Everything works without them.
const off = "vitrine-keys-off"
const isTyping = (element) => element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")
const isVisible = (element) => element.checkVisibility?.() ?? element.offsetParent !== null

function press(element) {
  if (element.matches("input, textarea, select")) return element.focus()
  // An action on many, with none selected: it is about the row that has the focus.
  if (element.name === "action" && !document.querySelector("[data-select]:checked, [data-all]:checked")) select()
  element.click()
  // Opening a form leads into it.
  if (element.matches("summary") && element.parentElement.open)
    element.parentElement.querySelector("textarea, select, input:not([type=hidden])")?.focus()
}

function select() {
  const box = document.activeElement.closest("li")?.querySelector("[data-select]")
  if (box) box.checked = !box.checked
  return Boolean(box)
}

function move(step) {
  const rows = [...document.querySelectorAll("[data-row]")].filter(isVisible)
  // Beside a submission the next row is opened; in the list it gets the focus.
  const open = rows.findIndex((row) => row.ariaCurrent === "page")
  if (open >= 0) {
    rows[open + step]?.click()
    return true
  }
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
  else if (event.key === "x") { if (!select()) return }
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

// Numbers stay up to date, and rows stay where they are: what is new is told, and shown when it is asked for.
const live = document.querySelector("[data-live]")
let source
function listen() {
  if (document.hidden || !live || !("EventSource" in window)) return
  source = new EventSource(live.dataset.live)
  source.addEventListener("counts", (event) => {
    for (const [name, value] of Object.entries(JSON.parse(event.data))) {
      for (const element of document.querySelectorAll(`[data-count="${name}"]`)) element.textContent = value
      for (const element of document.querySelectorAll(`[data-count-of="${name}"]`)) element.classList.toggle("none", !value || value === "0")
    }
  })
}

// A lease lasts while its page is looked at.
const lease = document.querySelector("[data-renew]")
async function renew() {
  if (document.hidden) return
  const answer = await fetch(lease.dataset.renew, { method: "POST", body: new URLSearchParams(new FormData(lease)), redirect: "manual" })
    .catch(() => null)
  if (!answer || answer.status === 204) return
  clearInterval(renewing)
  for (const element of lease.querySelectorAll("[data-lost]")) element.hidden = false
}
const renewing = lease && setInterval(renew, 20000)

document.addEventListener("visibilitychange", () => {
  source?.close()
  listen()
  if (lease) renew()
})
listen()

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
