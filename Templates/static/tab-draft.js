// Keeps what somebody without an account types into a form, in this tab only: a reload, an error or a lost connection loses
// nothing. The server shows it again, so that there is one way to fill in a form. Docs:
// docs/decisions/0069-text-is-saved-while-it-is-typed.md
import { isBegun, isUsed, keepFromBrowser } from "./in-use.js"

const name = (key) => `draft:${key}`
// What somebody typed before the script was loaded, into a form that the tab has another text of, doesn't replace it.
const others = (key) => `${key}:others`
const othersOf = (key) => JSON.parse(stored(others(key)) ?? "[]")
const storeOthers = (key, texts) => store(others(key), texts.length ? JSON.stringify([...new Set(texts)]) : null)

// A page in a frame of another site may have no storage; then the browser asks before the page is left.
function stored(key) {
  try { return sessionStorage.getItem(name(key)) } catch { return null }
}
function store(key, text) {
  try {
    if (text === null) sessionStorage.removeItem(name(key))
    else sessionStorage.setItem(name(key), text)
  } catch { /* as above */ }
}

// Sends what was kept with the tokens of this page, and a field that says that nothing is to be carried out.
function restore(form, text) {
  const copy = document.createElement("form")
  for (const attribute of ["action", "method", "enctype"])
    if (form.hasAttribute(attribute)) copy.setAttribute(attribute, form.getAttribute(attribute))
  const tokens = ["csrf", "once"].map((token) => [token, form.elements.namedItem(token)?.value ?? ""])
  for (const [field, value] of [...tokens, ["restore", "1"], ...JSON.parse(text)])
    copy.append(Object.assign(document.createElement("input"), { type: "hidden", name: field, value }))
  copy.hidden = true
  document.body.append(copy)
  HTMLFormElement.prototype.submit.call(copy)
}

function keep(panel) {
  const form = panel.closest("form"), key = panel.dataset.tabDraft
  const isSecret = (field) => field.type === "password" || field.autocomplete === "one-time-code"
  function read() {
    const left = new Set(["csrf", "once", "restore", ...[...form.elements].filter(isSecret).map((field) => field.name)])
    return JSON.stringify([...new FormData(form)].filter(([field, value]) => typeof value === "string" && !left.has(field)))
  }

  const shown = read()
  // What was put back although the page was left.
  if (othersOf(key).includes(shown)) storeOthers(key, othersOf(key).filter((text) => text !== shown))
  let isTyped = "typed" in panel.dataset, isLeaving = false, putBack, timer
  function save() {
    clearTimeout(timer)
    timer = undefined
    if (isTyped && !isLeaving) store(key, read())
  }

  if (isTyped) save()
  else {
    const text = stored(key)
    isTyped = isBegun(form)
    if (text && text !== shown) {
      if (!isTyped) {
        form.inert = true
        return restore(form, text)
      }
      storeOthers(key, [...othersOf(key), text])
    }
    save()
  }
  keepFromBrowser(form, () => isTyped && stored(key) !== null)
  offer()

  // Editors change their fields while they start; nobody has typed then.
  for (const type of ["input", "change"])
    form.addEventListener(type, () => {
      if (!isUsed()) return
      isTyped = true
      timer ??= setTimeout(save, 200)
    })
  addEventListener("pagehide", save)
  document.addEventListener("visibilitychange", save)
  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return
    isTyped = true
    save()
    isLeaving = !event.submitter?.formTarget
  })
  // The other texts, one after the other; showing one keeps this one.
  function offer() {
    const line = panel.querySelector("[data-others]")
    if (!othersOf(key).length) return
    panel.hidden = line.hidden = false
    line.querySelector("[data-show]").addEventListener("click", () => {
      const [text, ...rest] = othersOf(key)
      storeOthers(key, isTyped ? [...rest, read()] : rest)
      store(key, text)
      isLeaving = true
      putBack = () => storeOthers(key, [text, ...othersOf(key)])
      restore(form, text)
    })
    line.querySelector("[data-discard]").addEventListener("click", () => {
      const [, ...rest] = othersOf(key)
      storeOthers(key, rest)
      if (rest.length) return
      line.hidden = true
      form.querySelector("input:not([type=hidden]), textarea, select")?.focus()
    })
  }

  panel.querySelector("[data-discard-draft]")?.addEventListener("click", () => {
    isLeaving = true
    isTyped = false
    store(key, null)
  })
  // The text is gone with the tab.
  addEventListener("beforeunload", (event) => {
    if ((isTyped || othersOf(key).length) && !isLeaving) event.preventDefault()
    // Something else of the page may have the browser ask, and nothing says that somebody stayed: what they type then is kept, whatever
    // the answer was.
    setTimeout(() => {
      if (!event.defaultPrevented || !isLeaving) return
      isLeaving = false
      putBack?.()
      putBack = undefined
    })
  })
  addEventListener("pageshow", () => {
    isLeaving = false
    putBack = undefined
  })
}

// A form whose text was received.
for (const mark of document.querySelectorAll("[data-tab-draft-sent]")) store(mark.dataset.tabDraftSent, null)
for (const panel of document.querySelectorAll("[data-tab-draft]")) keep(panel)
