// Keyboard shortcuts: each activates a visible button or link. Everything works without them.
const off = "vitrine-keys-off"
const isTyping = (element) => element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")
const isVisible = (element) => element.checkVisibility?.() ?? element.offsetParent !== null

function press(element) {
  if (element.matches("input, textarea, select")) return element.focus()
  // A bulk action without a selection applies to the focused row.
  if (element.name === "action" && !document.querySelector("[data-select]:checked, [data-all]:checked")) select()
  element.click()
  // Opening a form focuses its first field.
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
  // Next to a submission, the next row is opened; in the list it is focused.
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
  const help = document.querySelector(".footer details[open]")
  if (event.key === "Escape" && help) return void (help.open = false)
  // A held key works once; only moving through the rows repeats.
  if (event.repeat && event.key !== "j" && event.key !== "k") return
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
  const show = () => { toggle.textContent = localStorage.getItem(off) ? toggle.dataset.on : toggle.dataset.off }
  toggle.hidden = false
  toggle.addEventListener("click", () => {
    if (localStorage.getItem(off)) localStorage.removeItem(off)
    else localStorage.setItem(off, "1")
    show()
  })
  show()
}

// Updates counts live. Rows stay where they are: new ones are announced and loaded on request.
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

// Renews a claim while its page is visible.
const claim = document.querySelector("[data-renew]")
async function renew() {
  if (document.hidden) return
  const response = await fetch(claim.dataset.renew, { method: "POST", body: new URLSearchParams(new FormData(claim)), redirect: "manual" })
    .catch(() => null)
  if (!response || response.status === 204) return
  clearInterval(renewing)
  for (const element of claim.querySelectorAll("[data-claim-lost]")) element.hidden = false
}
const renewing = claim && setInterval(renew, 20000)

document.addEventListener("visibilitychange", () => {
  source?.close()
  listen()
  if (claim) renew()
})
listen()

// Screen readers announce errors first.
document.querySelector(".alert")?.focus()

// Shows or hides a password in place. Without JavaScript, the server renders the form again.
for (const button of document.querySelectorAll("[data-toggle-password]")) {
  const field = document.getElementById(button.dataset.togglePassword)
  button.addEventListener("click", (event) => {
    event.preventDefault()
    field.type = field.type === "password" ? "text" : "password"
    button.textContent = field.type === "password" ? button.dataset.on : button.dataset.off
  })
}
