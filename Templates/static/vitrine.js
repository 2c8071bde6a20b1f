// Keyboard shortcuts: each activates a visible button or link. Everything works without them.
const off = "vitrine-keys-off"
const isTyping = (element) => element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")
const isVisible = (element) => element.checkVisibility?.() ?? element.offsetParent !== null

// What had the focus before the list of keys.
let left
function press(element) {
  if (element.matches("[data-palette]")) return openPalette()
  // A choice is made, and then explained.
  if (element.matches("[type=radio]")) {
    element.click()
    return element.form.querySelector("textarea")?.focus()
  }
  if (element.matches("input, textarea, select")) return element.focus()
  // A bulk action without a selection applies to the focused row.
  if (element.name === "action" && !document.querySelector("[data-select]:checked, [data-all]:checked")) select()
  element.click()
  // Opening a form focuses its first field; opening the list of keys, the list.
  if (!element.matches("summary") || !element.parentElement.open) return
  const target = element.parentElement.querySelector("textarea, select, input:not([type=hidden]), [data-keys]")
  if (target?.matches("[data-keys]")) left = document.activeElement
  target?.focus()
}

function select() {
  const box = document.activeElement.closest("li, tr")?.querySelector("[data-select]")
  box?.click()
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
  const open = document.querySelector(".footer details[open], .menu[open]")
  if (event.key === "Escape" && open) {
    if (document.activeElement.matches("[data-keys]")) {
      document.activeElement.blur()
      left?.focus({ preventScroll: true })
    } else if (open.contains(document.activeElement)) open.querySelector("summary").focus()
    return void (open.open = false)
  }
  // A held key works once; only moving through the rows repeats.
  if (event.repeat && event.key !== "j" && event.key !== "k") return
  if (event.key.length !== 1 || isTyping(event.target) || localStorage.getItem(off)) return
  // What the page itself offers comes before the header.
  const key = `[data-key="${CSS.escape(event.key)}"]`
  // The bar of bulk actions appears with the selection.
  const isOffered = (element) => isVisible(element) || (element.name === "action" && document.activeElement.matches("[data-row]"))
  const marked = [...document.querySelectorAll(`main ${key}`), ...document.querySelectorAll(key)].find(isOffered)
  if (marked) press(marked)
  else if (event.key === "x") { if (!select()) return }
  else if (event.key === "j" || event.key === "k") { if (!move(event.key === "j" ? 1 : -1)) return }
  else return
  event.preventDefault()
})

// The search over everything, loaded when it is first used. Without it, the header's form leads to the page of results.
const palette = document.querySelector("#palette")
const search = document.querySelector("[data-palette]")
function openPalette() {
  import("./palette.js").then(({ open }) => open(palette, search, press), () => search.focus())
}
if (palette) {
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey || event.ctrlKey === event.metaKey || event.defaultPrevented) return
    event.preventDefault()
    if (!palette.open) openPalette()
  })
  search.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || document.activeElement === search) return
    event.preventDefault()
    openPalette()
  })
}

// Keys are named where they work: on buttons, at the menu of reasons, and in the list of the keys that the page has.
const toggle = document.querySelector("#keys")
if (toggle) {
  const show = () => {
    const isOff = Boolean(localStorage.getItem(off))
    toggle.textContent = isOff ? toggle.dataset.on : toggle.dataset.off
    document.documentElement.classList.toggle("no-keys", isOff)
    for (const hint of document.querySelectorAll("[data-keys-of]")) {
      const control = document.getElementById(hint.dataset.keysOf)
      const others = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== hint.id)
      hint.hidden = isOff
      control.setAttribute("aria-describedby", (isOff ? others : [hint.id, ...others]).join(" "))
    }
    for (const line of document.querySelectorAll("[data-keys] [data-for]")) line.hidden = !document.querySelector(line.dataset.for)
  }
  toggle.hidden = false
  toggle.addEventListener("click", () => {
    if (localStorage.getItem(off)) localStorage.removeItem(off)
    else localStorage.setItem(off, "1")
    show()
  })
  show()
}

// The decision bar opens the form of an action.
document.querySelector(".decision-bar")?.addEventListener("click", (event) => {
  const form = document.querySelector(event.target.closest("a")?.hash || null)
  if (!form) return
  event.preventDefault()
  form.closest("details").open = true
  form.querySelector("textarea, select, input:not([type=hidden])")?.focus()
  form.scrollIntoView({ block: "nearest" })
})

// Digits choose a reason and Enter rejects; the email shows what is chosen and typed.
const reason = document.querySelector("#reason")
reason?.addEventListener("keydown", (event) => {
  if (localStorage.getItem(off)) return
  if (event.key === "Enter" && reason.value) {
    event.preventDefault()
    return reason.form.querySelector("button[name=verdict]").click()
  }
  const option = /^[1-9]$/.test(event.key) && [...reason.options].filter(({ value }) => value)[event.key - 1]
  if (!option || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  reason.value = option.value
  reason.dispatchEvent(new Event("input", { bubbles: true }))
})
for (const mail of document.querySelectorAll("[data-mail]")) {
  const form = mail.closest("form")
  form.addEventListener("input", () => {
    const chosen = form.elements.reason?.value
    const text = chosen && mail.querySelector(`[data-reason="${CSS.escape(chosen)}"]`)?.textContent
    for (const part of mail.querySelectorAll("[data-mail-reason]")) part.textContent = text || "…"
    for (const part of mail.querySelectorAll("[data-mail-message]")) part.textContent = form.elements.message.value
  })
}

// Menus close when something else is used.
for (const type of ["click", "focusin"])
  document.addEventListener(type, ({ target }) => {
    for (const menu of document.querySelectorAll(".menu[open]")) if (!menu.contains(target)) menu.open = false
  })

// The server renders the closed groups of the navigation closed.
const groups = [...document.querySelectorAll("#navigation [data-group]")]
for (const group of groups)
  group.addEventListener("toggle", () => {
    const closed = groups.filter((each) => !each.open).map((each) => each.dataset.group).join(".")
    document.cookie = `__Host-vitrine_navigation=${closed}; path=/; max-age=31536000; secure; samesite=lax`
  })

// The current link of the navigation, and on a phone the current tab, may be ones that are scrolled to. The page itself stays where it is.
const navigation = document.querySelector("#navigation"), current = navigation?.querySelector("[aria-current]")
if (current) {
  const [own, all] = [current, navigation].map((element) => element.getBoundingClientRect())
  navigation.scrollTop += Math.max(0, own.bottom - all.bottom) + Math.min(0, own.top - all.top)
}
for (const tab of document.querySelectorAll(".tabs > [aria-current]")) {
  const [own, all] = [tab, tab.parentElement].map((element) => element.getBoundingClientRect())
  tab.parentElement.scrollLeft += Math.max(0, own.right - all.right) + Math.min(0, own.left - all.left)
}

// Marks the rows that others have open, on their images, so that nothing moves.
function showViewers(viewers = {}) {
  for (const row of document.querySelectorAll(".rows > [data-id]")) {
    const names = viewers[row.dataset.id]
    const mark = row.querySelector(".thumb .avatar")
    if (!names) mark?.remove()
    else if (mark?.textContent !== names[0]) {
      mark?.remove()
      const label = row.parentElement.dataset.viewing.replace("%s", names)
      row.querySelector(".thumb").append(Object.assign(document.createElement("span"), { className: "avatar small", role: "img", ariaLabel: label, title: label, textContent: names[0] }))
    }
  }
}

// Who else has the submission open.
const viewers = document.querySelector("[data-viewers]")
let viewing
async function view(left = "") {
  const body = new URLSearchParams({ csrf: document.querySelector("input[name=csrf]")?.value ?? "", left })
  const response = await fetch(viewers.dataset.viewers, { method: "POST", body, redirect: "manual", keepalive: Boolean(left) }).catch(() => null)
  if (!response?.ok || left) return
  const { text } = await response.json()
  if (viewers.textContent !== text) viewers.textContent = text
}
function watch() {
  clearInterval(viewing)
  if (!viewers) return
  if (document.hidden) return void view("1")
  view()
  viewing = setInterval(view, 1500)
}
if (viewers) addEventListener("pagehide", () => view("1"))

// Updates counts live. Rows stay where they are: new ones are announced and loaded on request.
const live = document.querySelector("[data-live]")
let source
function listen() {
  if (document.hidden || !live || !("EventSource" in window)) return
  source = new EventSource(live.dataset.live)
  source.addEventListener("counts", (event) => {
    const { viewers, ...counts } = JSON.parse(event.data)
    showViewers(viewers)
    for (const [name, value] of Object.entries(counts)) {
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
  watch()
})
listen()
watch()

// The button waits: a form that was just sent is not sent again. Without JavaScript, the server carries it out once.
const sent = new Map()
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event
  if (event.defaultPrevented || form.method !== "post" || form.target || submitter?.formTarget) return
  // A response that takes longer than this may be lost.
  if (performance.now() - sent.get(form) < 10000) return event.preventDefault()
  sent.set(form, performance.now())
  setTimeout(() => {
    if (event.defaultPrevented) sent.delete(form)
    else submitter?.setAttribute("aria-busy", "true")
  })
})
function allowSending() {
  sent.clear()
  for (const button of document.querySelectorAll("button[aria-busy]")) button.removeAttribute("aria-busy")
}
addEventListener("pageshow", allowSending)
// The browser asks whether to leave, and nothing says that somebody stayed. The next press after the question is meant, whatever the
// answer was.
addEventListener("beforeunload", (event) => setTimeout(() => { if (event.defaultPrevented) allowSending() }))

// Errors are read first; after an action, its confirmation and then what follows it.
const confirmation = document.querySelector(".flash:has([data-key=z])")
const heading = document.querySelector("main h1")
const problem = document.querySelector(".alert[tabindex]")
if (problem) problem.focus()
else if (confirmation && heading) {
  heading.tabIndex = -1
  heading.setAttribute("aria-describedby", "flash-text")
  heading.focus({ preventScroll: true })
}

// Signing out leaves no text in the tab. Only the page that follows knows that the session has ended: at the browser's question
// about text that is nowhere else, somebody may have stayed, and then left by another link.
if (document.querySelector("[data-signed-out]"))
  for (const key of Object.keys(sessionStorage)) if (/^(autosave|draft|upload)/.test(key)) sessionStorage.removeItem(key)

// Shows or hides a password in place. Without JavaScript, the server renders the form again.
for (const button of document.querySelectorAll("[data-toggle-password]")) {
  const field = document.getElementById(button.dataset.togglePassword)
  button.addEventListener("click", (event) => {
    event.preventDefault()
    field.type = field.type === "password" ? "text" : "password"
    button.textContent = field.type === "password" ? button.dataset.on : button.dataset.off
  })
}

// The browser's zone: kept when somebody signs in first, and offered to people without an account. Nobody has typed it.
for (const input of document.querySelectorAll("[data-browser-zone]")) {
  const time = input.closest(".inline-fields")?.querySelector("input")
  if (!time?.value && (!input.value || input.value === "UTC")) input.defaultValue = input.value = Intl.DateTimeFormat().resolvedOptions().timeZone
}

// What only some pages need.
if (document.querySelector("[data-limit], .pairs, [data-coordinates]")) import("./fields.js")
if (document.querySelector("[data-markdown]")) import("./markdown.js")
if (document.querySelector("[data-mentions]")) import("./mentions.js")
if (document.querySelector("[data-preview], [data-preview-here], [data-slug-url]")) import("./preview.js")
if (document.querySelector("[data-entry-picker]")) import("./entry-picker.js")
if (document.querySelector("[data-find-choice]")) import("./choices.js")
if (document.querySelector("[data-compare]")) import("./comparison.js")
if (document.querySelector("[data-suggest]")) import("./suggest.js")
if (document.querySelector("[data-rows]")) import("./rows.js")
if (document.querySelector("[data-upload]")) import("./uploads.js").then(({ connect }) => connect())
const crop = document.querySelector("[data-crop]")
if (crop) import("./image-crop.js").then(({ mount }) => {
  mount(crop, (name) => document.getElementById(name), document.querySelector("[data-reset-crop]"))
  document.querySelector("[data-with-script]").hidden = false
})
if (document.querySelector("[data-select-page]")) import("./selection.js")
const paths = document.querySelectorAll("[data-path]")
if (paths.length) import("./path.js").then(({ mount }) => paths.forEach(mount), console.error)
// The program for maps is large, so it waits until one comes into view. Without it, the coordinates remain.
const maps = document.querySelectorAll("[data-coordinates][data-tiles]")
if (maps.length) import("./in-view.js").then(({ whenSeen }) => {
  for (const fields of maps) whenSeen(fields, () => import("./map.js").then(({ mount }) => mount(fields)).catch(console.error))
})
