// Saves what is typed into a form every few seconds, so that no crash, lost connection or expired session loses it. Docs:
// docs/decisions/0069-text-is-saved-while-it-is-typed.md
import { isBegun, isUsed, keepFromBrowser } from "./in-use.js"

const pause = 1000, longest = 2500, patience = 15000
// How long the page before this one may take to be gone.
const leavingTime = 3000
// Browsers send at most 64 KiB for a page that is being left.
const keepaliveLimit = 60000
// Longer texts are sent less often while somebody types, and at once when they pause.
const usualLength = 200000
const dialog = document.querySelector("#autosave")
const limit = Number(dialog.dataset.limit)
// A page without these forms has no account.
const account = document.querySelector("[name='autosave.account']")?.value
const othersPrefix = "autosave-others:"
const text = (name) => document.querySelector(`#autosave-texts [data-text=${name}]`).textContent
const time = new Intl.DateTimeFormat(document.documentElement.lang || undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })

// A page holds a lock with the name of its tab until it is left. Returns whether it has got it.
let release
function hold(name, signal) {
  return new Promise((resolve) => {
    const held = () => new Promise((done) => { release = done; resolve(true) })
    // Without a lock for another reason than the time, the tab keeps its name.
    navigator.locks.request(`autosave ${name}`, { signal }, held).catch(() => resolve(!signal?.aborted))
  })
}

const newName = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")

// A tab keeps its name and its unsent text when its page is reloaded; both are gone when it is closed. A duplicated tab has a
// copy of both: while the page of its original is open, it gets a name of its own. Pages without TLS have no locks.
async function nameOfTab() {
  const known = sessionStorage.getItem("autosave-tab")
  if (known && (!navigator.locks || await hold(known, AbortSignal.timeout(leavingTime)))) return known
  const name = newName()
  if (navigator.locks) await hold(name)
  sessionStorage.setItem("autosave-tab", name)
  return name
}
const tab = await nameOfTab()
if (navigator.locks) {
  addEventListener("pagehide", () => release?.())
  addEventListener("pageshow", ({ persisted }) => { if (persisted) hold(tab) })
}

// When the browser began to open this page, which the server made later.
const opened = Date.now() - performance.now()
let contact = Date.now()
async function request(url, options) {
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(patience), ...options })
  contact = Date.now()
  return response
}

// "here" with a session of the page's account, whose token all forms get; otherwise "nobody" or "other".
async function session() {
  const response = await request(dialog.dataset.session, { headers: { Accept: "application/json" } })
  if (response.type === "opaqueredirect") return "nobody"
  if (!response.ok) throw new Error(`status ${response.status}`)
  const found = await response.json()
  if (found.account !== account) return "other"
  for (const field of document.querySelectorAll("input[name=csrf]")) field.value = found.csrf
  return "here"
}

// The dialog takes the keyboard from the form, so it opens when nobody has typed for a moment.
let typedAt = 0
document.addEventListener("keydown", () => { typedAt = Date.now() }, true)
function ask() {
  if (!signingIn || dialog.open) return
  const left = typedAt + pause - Date.now()
  if (left > 0) setTimeout(ask, left)
  else dialog.showModal()
}

// Waits until the person has signed in again, in whatever tab.
let signingIn
function signIn() {
  signingIn ??= new Promise((resolve) => {
    const look = async () => {
      const found = await session().catch(() => "nobody")
      dialog.querySelector("[data-other-account]").hidden = found !== "other"
      if (found !== "here") return
      clearInterval(looking)
      removeEventListener("focus", look)
      signingIn = undefined
      dialog.close()
      resolve()
    }
    const looking = setInterval(look, 2000)
    addEventListener("focus", look)
    look()
  })
  ask()
  return signingIn
}
dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close())
// Chromium gives the focus back to the field, and its selection doesn't follow: what is typed then would go nowhere.
dialog.addEventListener("close", () => {
  const field = document.activeElement
  field.blur()
  field.focus({ preventScroll: true })
})

class Autosave {
  // What keeps the text from being saved: "offline", "signedOut", "tooLong", "tooMany", "refused" or "elsewhere".
  problem
  sending
  isTyped = false
  isSubmitting = false
  isSigningIn = false
  failures = 0
  // The newest text, and the newest that the server has: at first what the page shows. `sentAt`: when the server had it.
  newest
  sent
  sentAt
  // The text of this tab that the page is being reloaded for, and whether the server has it.
  recovered
  isRestored = false
  // The texts of this tab that the page doesn't show, oldest first.
  others

  constructor(panel) {
    this.panel = panel
    panel.append(document.querySelector("#autosave-buttons").content.cloneNode(true))
    this.form = panel.closest("form")
    this.url = this.form.elements.autosave.value
    this.key = `autosave:${account}:${this.url}`
    // Apart from the record, so that a long text of the page can't push them out of a full storage.
    this.othersKey = `${othersPrefix}${account}:${this.url}`
    this.others = JSON.parse(sessionStorage.getItem(this.othersKey) ?? "[]")
    this.from = this.form.elements["autosave.from"].value
    this.stored = Number(panel.dataset.stored)
    this.sequence = this.stored
    this.form.elements["autosave.tab"].value = tab
    this.sent = this.read()
    this.form.addEventListener("submit", (event) => this.submit(event))
    panel.querySelector("[data-sign-in]").addEventListener("click", () => this.signIn())
    panel.querySelector("[data-keep]").addEventListener("click", () => this.keep())
    panel.querySelector("[data-other]").addEventListener("click", () => this.showOther())
    panel.querySelector("[data-next]").addEventListener("click", () => this.showNext())
    panel.querySelector("[data-forget]").addEventListener("click", () => this.forgetNext())
    keepFromBrowser(this.form, () => this.isTyped)
    // What was set aside again although the page was left.
    if (this.others.includes(this.sent)) {
      this.others = this.others.filter((fields) => fields !== this.sent)
      this.setAside()
    }
    this.recover()
    this.offer()
  }

  // Sends what was typed before the script was loaded.
  begin() {
    this.isTyped = true
    this.sent = undefined
    this.send()
  }

  // MARK: Text

  read() {
    const secret = (name) => [...this.form.elements].some((field) =>
      field.name === name && (field.type === "password" || field.autocomplete === "one-time-code"))
    const fields = [...new FormData(this.form)].filter(([name, value]) =>
      typeof value === "string" && name !== "csrf" && name !== "once" && !name.startsWith("autosave") && !secret(name))
    return JSON.stringify(fields)
  }

  get isUnsent() { return this.newest !== undefined && this.newest !== this.sent }

  // Editors change their fields while they start; nobody has typed then.
  typed() {
    if (this.recovered || !isUsed()) return
    this.isTyped = true
    this.firstTyped ??= Date.now()
    clearTimeout(this.timer)
    const most = longest * Math.max(1, (this.newest ?? this.sent ?? "").length / usualLength)
    this.timer = setTimeout(() => this.send(), Math.max(0, Math.min(pause, this.firstTyped + most - Date.now())))
    this.storing ??= setTimeout(() => this.store(), 200)
  }

  // Notices a change, and keeps it in the tab.
  store() {
    clearTimeout(this.storing)
    this.storing = undefined
    if (!this.isTyped) return
    const now = this.read()
    if (now !== (this.newest ?? this.sent)) {
      this.newest = now
      this.sequence = Math.max(Date.now(), this.sequence + 1)
    }
    if (this.newest === undefined) return
    this.form.elements["autosave.sequence"].value = this.sequence
    this.record(this.newest, this.sequence, !this.isUnsent)
  }

  record(fields, sequence, isSent) {
    const { from, stored, sentAt } = this
    try {
      sessionStorage.setItem(this.key, JSON.stringify({ fields, sequence, isSent, from, stored, sentAt }))
    } catch {
      // The tab's storage is full; the server still gets the text.
    }
  }

  // MARK: Sending

  // One request at a time; `isLeaving`: whatever happens to the page.
  async send({ isLeaving = false, isForced = false } = {}) {
    clearTimeout(this.timer)
    this.store()
    if (this.newest === undefined) return
    if (!isForced && (!this.isUnsent || (this.problem === "signedOut" && !isLeaving))) return
    if (this.sending && !isLeaving) return this.sending
    const sending = this.post(this.newest, this.sequence, { isLeaving })
    if (isLeaving) return sending
    this.firstTyped = undefined
    this.sending = sending.finally(() => { this.sending = undefined })
    await this.sending
    if (!this.problem && this.isUnsent && !this.isSubmitting) this.typed()
  }

  // `isRetry`: with the token of the session that was just asked for.
  async post(fields, sequence, { isLeaving = false, isRetry = false } = {}) {
    const size = new Blob([fields]).size
    if (size > limit) return this.show("tooLong")
    const body = new FormData()
    const values = {
      csrf: this.form.elements.csrf.value, form: this.url, title: this.panel.dataset.title, tab, from: this.from, sequence, fields,
    }
    for (const [field, value] of Object.entries(values)) body.append(field, value)
    let response
    try {
      const keepalive = isLeaving && size < keepaliveLimit
      // A second for each 10 KB: a long text over a slow line.
      const signal = AbortSignal.timeout(patience + size / 10)
      response = await request(this.panel.dataset.autosave, { method: "POST", body, keepalive, signal })
    } catch {
      return this.fail()
    }
    if (response.ok) return this.saved(fields, sequence, await response.json())
    switch (response.status) {
      case 0: return this.signIn()
      case 403: return isRetry ? this.show("refused") : this.renew(fields, sequence)
      case 409: {
        const { code, tab: otherTab } = await response.json()
        if (code === "too_many_texts") return this.fail("tooMany")
        // What the tab sent while the page before this one was left arrived after this page was made.
        if (otherTab === tab && this.from !== tab) {
          this.from = tab
          return this.post(fields, sequence, { isLeaving })
        }
        this.otherTab = otherTab
        return this.show("elsewhere")
      }
      case 413: case 422: return this.show("tooLong")
      case 429: case 500: case 502: case 503: case 504: return this.fail()
      default: return this.show("refused")
    }
  }

  saved(fields, sequence, { saved_at: date }) {
    this.failures = 0
    this.from = ""
    this.sent = fields
    this.sentAt = Date.now()
    this.show(undefined, `${text("saved")} ${time.format(new Date(date))}`)
    if (sequence === this.sequence) this.record(fields, sequence, true)
  }

  fail(problem = "offline") {
    this.failures += 1
    this.show(problem)
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.send({ isForced: true }), Math.min(30000, 500 * 2 ** this.failures) * (0.8 + 0.4 * Math.random()))
  }

  // The session is another one than that of the page.
  async renew(fields, sequence) {
    const found = await session().catch(() => undefined)
    if (!found) return this.fail()
    if (found !== "here") return this.signIn()
    await this.post(fields, sequence, { isRetry: true })
  }

  signIn() {
    this.show("signedOut")
    const signedIn = signIn()
    if (this.isSigningIn) return
    this.isSigningIn = true
    signedIn.then(() => {
      this.isSigningIn = false
      this.show(undefined, "")
      if (this.pending !== undefined) return this.resubmit()
      if (this.recovered) return this.restore(this.recovered)
      if (this.newest !== undefined) this.send({ isForced: true })
    })
  }

  show(problem, message = text(problem)) {
    this.problem = problem
    const status = this.panel.querySelector("[role=status]")
    if (status.textContent !== message) status.textContent = message
    this.panel.querySelector("[data-sign-in]").hidden = problem !== "signedOut"
    for (const name of ["keep", "other"]) this.panel.querySelector(`[data-${name}]`).hidden = problem !== "elsewhere"
    this.offer()
  }

  // MARK: Several texts

  // Replaces the text that the server has.
  keep() {
    this.from = this.otherTab
    return this.send({ isForced: true })
  }

  // Shows the text that the server has; that of the page stays in the tab.
  showOther() {
    this.store()
    sessionStorage.removeItem(this.key)
    this.setAside(this.newest)
    this.leave()
  }

  setAside(...texts) {
    this.others = [...new Set([...this.others, ...texts].filter((fields) => fields !== undefined))]
    try {
      if (this.others.length) sessionStorage.setItem(this.othersKey, JSON.stringify(this.others))
      else sessionStorage.removeItem(this.othersKey)
    } catch {
      // The tab's storage is full; the browser asks before the page is left.
    }
    this.offer()
  }

  // Says by its first words which text is next.
  offer() {
    const line = this.panel.querySelector("[data-others]")
    const [next] = this.others
    line.hidden = next === undefined || this.recovered !== undefined || this.problem === "elsewhere"
    if (line.hidden) return
    const status = line.querySelector("[role=status]")
    const { one, many } = status.dataset
    const message = this.others.length > 1 ? many.replace("%d", this.others.length) : one
    // Isolated: it may run in the other direction.
    const said = `${message} \u2068${beginning(next, this.newest ?? this.sent ?? "[]")}\u2069`
    if (status.textContent !== said) status.textContent = said
  }

  // The text of the page takes the place behind the last one.
  async showNext() {
    clearTimeout(this.timer)
    this.store()
    await this.sending
    clearTimeout(this.timer)
    const [next] = this.others
    const own = this.newest ?? ("restored" in this.panel.dataset ? this.sent : undefined)
    this.sequence = Math.max(Date.now(), this.sequence + 1)
    this.record(next, this.sequence, false)
    this.others = this.others.slice(1)
    this.setAside(own)
    // What is typed from here on would be lost.
    this.isTyped = false
    this.disable(true)
    this.show(undefined, text("restoring"))
    this.restore({ fields: next, sequence: this.sequence })
  }

  forgetNext() {
    this.others = this.others.slice(1)
    this.setAside()
    if (!this.others.length) this.form.querySelector("input:not([type=hidden]), textarea, select")?.focus()
  }

  // MARK: Submitting and leaving

  submit(event) {
    if (event.defaultPrevented) return
    this.isTyped = true
    this.store()
    // What one form of the page has found out is true for all.
    const isCutOff = autosaves.some(({ problem }) => problem === "offline" || problem === "signedOut")
    const isFresh = !this.sending && !this.problem && !isCutOff && Date.now() - contact < 60000
    if (this.isSubmitting || isFresh) {
      clearTimeout(this.timer)
      return this.submitting()
    }
    // The browser would lose the page if the server doesn't respond.
    event.preventDefault()
    this.pending = event.submitter
    this.check()
  }

  // What the form shows is not kept any more, until somebody types again. What was sent before `form` restores nothing.
  discard(form) {
    clearTimeout(this.timer)
    this.isSubmitting = true
    this.isTyped = false
    this.newest = undefined
    // A response that is still on its way records nothing.
    this.sequence += 1
    form.elements.namedItem("autosave.tab").value = tab
    form.elements.namedItem("autosave.sequence").value = this.sequence
    sessionStorage.removeItem(this.key)
  }

  // The person is still there after the browser's question, or the next page is still on its way.
  stay() {
    this.isSubmitting = false
    if (!this.recovered || !this.isRestored) return
    this.isRestored = false
    this.giveUp(this.recovered)
  }

  // If the page stays, nothing was submitted: a field may be invalid by now.
  submitting() {
    this.isSubmitting = true
    setTimeout(() => { this.isSubmitting = false }, patience)
  }

  async check() {
    this.show(this.problem, text("checking"))
    await this.sending
    const found = await session().catch(() => undefined)
    if (!found) {
      this.pending = undefined
      this.newest ??= this.sent
      return this.fail()
    }
    if (found !== "here") return this.signIn()
    this.resubmit()
  }

  resubmit() {
    const submitter = this.pending
    this.pending = undefined
    this.submitting()
    this.form.requestSubmit(submitter)
  }

  leave() {
    this.isSubmitting = true
    clearTimeout(this.timer)
    // A fragment alone would load nothing.
    location.replace(this.url.split("#")[0])
  }

  // MARK: After a reload

  // The tab may have text that the server doesn't have. The server shows it: the script sends it and opens the form again.
  recover() {
    const { stored } = this
    const record = JSON.parse(sessionStorage.getItem(this.key) ?? "null")
    if ("typed" in this.panel.dataset) {
      this.newest = this.sent
      this.sent = undefined
      this.sequence = Math.max(Date.now(), stored + 1, (record?.sequence ?? 0) + 1)
      this.record(this.newest, this.sequence, false)
      this.form.elements["autosave.sequence"].value = this.sequence
      return void this.send()
    }
    const isOwn = this.from === tab
    // A text that was sent while the page was left may have arrived after this page was made, also if its response came in time.
    const isKnown = record && (isOwn ? record.sequence <= stored : record.isSent && !(record.sentAt >= opened))
    if (isKnown) sessionStorage.removeItem(this.key)
    if (!record || isKnown) {
      if (isBegun(this.form)) this.begin()
      return
    }
    // Somebody may have typed into the same form elsewhere since the tab took over its text: then the person chooses.
    if (!isOwn && (record.from !== this.from || record.stored !== stored)) this.from = ""
    // There is another text if somebody has begun to type here: that one is sent.
    if (isBegun(this.form)) {
      sessionStorage.removeItem(this.key)
      this.from = this.form.elements["autosave.from"].value
      this.setAside(record.fields)
      return this.begin()
    }
    this.disable(true)
    this.show(undefined, text("restoring"))
    this.restore(record)
  }

  disable(isDisabled) {
    for (const child of this.form.children) if (!child.contains(this.panel)) child.inert = isDisabled
  }

  async restore(record) {
    this.sequence = record.sequence
    this.recovered = record
    this.newest = record.fields
    this.sent = undefined
    await this.post(record.fields, record.sequence)
    this.isRestored = this.sent === record.fields
    if (this.problem === "offline" || this.problem === "tooMany") {
      clearTimeout(this.timer)
      // There is room when other texts are saved or discarded, in another tab.
      this.timer = setTimeout(() => this.restore(record), this.problem === "offline" ? 1000 : 5000)
    } else if (this.problem && this.problem !== "signedOut") this.giveUp(record)
    // The page is opened again when the texts of all its forms are sent.
    const isDone = ({ recovered, isRestored }) => !recovered || isRestored
    if (autosaves.every(isDone)) autosaves.find(({ isRestored }) => isRestored)?.leave()
  }

  // The server doesn't take the text now, such as because it has another one, which the page shows: then it stays in the tab.
  giveUp({ fields }) {
    const { problem } = this
    sessionStorage.removeItem(this.key)
    this.recovered = this.newest = undefined
    this.sent = this.read()
    this.from = this.form.elements["autosave.from"].value
    this.disable(false)
    this.setAside(fields)
    if (problem === "elsewhere") this.show(undefined, "")
  }
}

const autosaves = [...document.querySelectorAll("[data-autosave]")].map((panel) => new Autosave(panel))
const byForm = new Map(autosaves.map((autosave) => [autosave.form, autosave]))
// Some controls are outside of their form.
for (const type of ["input", "change"])
  document.addEventListener(type, ({ target }) => byForm.get(target.form ?? target.closest("form"))?.typed())

// The words by which somebody knows a text: its longest value that the page doesn't show.
function beginning(fields, shown) {
  const known = new Set(JSON.parse(shown).map(([, value]) => value))
  const values = JSON.parse(fields).map(([, value]) => value).filter((value) => !known.has(value))
  const words = values.map((value) => value.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ").trim())
  const longest = [...words.reduce((one, other) => (other.length > one.length ? other : one), "")]
  return longest.length > 60 ? `${longest.slice(0, 60).join("")}…` : longest.join("")
}

// Who presses Ctrl+S gets what the form has for it: a draft, or otherwise the text saved at once.
document.addEventListener("keydown", (event) => {
  const { target } = event
  if (event.key !== "s" || event.ctrlKey === event.metaKey || event.altKey || event.defaultPrevented) return
  const autosave = byForm.get(target.form ?? target.closest("form"))
  if (!autosave) return
  event.preventDefault()
  if (event.repeat) return
  const draft = autosave.form.querySelector("[name=action][value=draft]")
  if (draft) draft.click()
  else autosave.send()
})

function leaving() {
  for (const autosave of autosaves) {
    if (autosave.isSubmitting || autosave.recovered) continue
    autosave.store()
    if (autosave.isUnsent) autosave.send({ isLeaving: true })
  }
}
document.addEventListener("visibilitychange", () => { if (document.hidden) leaving() })
addEventListener("pagehide", leaving)
addEventListener("online", () => autosaves.forEach((autosave) => { if (autosave.problem === "offline") autosave.send({ isForced: true }) }))

// The browser asks before it closes a page whose text can't be sent. Signing out takes the texts of all pages from the tab.
let isSigningOut = false
addEventListener("beforeunload", (event) => {
  if (isSigningOut && Object.keys(sessionStorage).some((key) => key.startsWith(othersPrefix))) event.preventDefault()
  isSigningOut = false
  for (const autosave of autosaves) {
    if (autosave.isSubmitting || autosave.recovered) continue
    autosave.store()
    if (autosave.others.length) event.preventDefault()
    if (!autosave.isUnsent) continue
    const isLarge = autosave.newest.length > keepaliveLimit / 3
    if (autosave.problem || isLarge) event.preventDefault()
    if (isLarge) autosave.send()
  }
  // Nothing says that somebody stayed. What they type then is saved; the server leaves out what comes after a form that was submitted.
  setTimeout(() => { if (event.defaultPrevented) autosaves.forEach((autosave) => autosave.stay()) })
})

// Forms that wait before they are sent; pressing their buttons again sends nothing.
const waiting = new Set()

// A form of the page, such as signing out, waits until the text of the others is saved.
document.addEventListener("submit", (event) => {
  const { target, submitter } = event
  if (waiting.has(target)) {
    event.preventDefault()
    return
  }
  const discarded = target.matches("[data-discard]")
    ? autosaves.find((autosave) => autosave.url === target.elements.namedItem("form").value) : undefined
  discarded?.discard(target)
  const others = autosaves.filter((autosave) => autosave.form !== target && autosave !== discarded)
  others.forEach((autosave) => autosave.store())
  const unsent = others.filter((autosave) => !autosave.hasWaited && autosave.isUnsent && !autosave.isSubmitting)
  if (unsent.length === 0) {
    if (target.matches("[data-sign-out]")) isSigningOut = true
    return
  }
  event.preventDefault()
  waiting.add(target)
  const waited = Promise.all(unsent.map((autosave) => {
    autosave.hasWaited = true
    return autosave.send()
  }))
  // A text that can't be sent now is not waited for, and a browser ignores a form that is submitted again during its own event.
  Promise.race([waited, new Promise((resolve) => setTimeout(resolve, 3000))]).then(() => setTimeout(() => {
    waiting.delete(target)
    target.requestSubmit(submitter)
    for (const autosave of unsent) autosave.hasWaited = false
  }))
}, true)
