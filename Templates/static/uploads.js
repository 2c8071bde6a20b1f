// Uploads images in parts, which a lost connection or a restart of the server only interrupts: of the media library, of the image
// fields of forms and of the editor's dialog.
import { saveTyped } from "./save-typed.js"

const partBytes = 1 << 20
const atOnce = 2
// Attempts without progress before somebody has to say when to go on: about five minutes.
const maxAttempts = 12

export const csrf = () => document.querySelector("[name=csrf]").value
const messages = (body) => body?.errors?.map((error) => error.message).join(" ")

function element(name, properties) {
  return Object.assign(document.createElement(name), properties)
}

// A file that is chosen again continues, also after a reload.
function keyOf(file, replaces) {
  const name = `upload ${replaces ?? ""} ${file.name} ${file.size} ${file.lastModified}`
  const known = sessionStorage.getItem(name)
  const key = known ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")
  sessionStorage.setItem(name, key)
  return { key, isKnown: Boolean(known), forget: () => sessionStorage.removeItem(name) }
}

// Status 0: there was no response. No body: it is not one of ours, such as the sign-in page.
function send(method, url, body, signal, onProgress) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.setRequestHeader("Accept", "application/json")
    request.responseType = "json"
    request.timeout = 120000
    if (onProgress) request.upload.addEventListener("progress", (event) => onProgress(event.loaded))
    for (const type of ["load", "error", "timeout", "abort"])
      request.addEventListener(type, () => resolve({ status: type === "load" ? request.status : 0, body: request.response }))
    signal.addEventListener("abort", () => request.abort(), { once: true })
    request.send(body)
  })
}

// Until the time is over, the browser is online again, or the upload is canceled.
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const stop = new AbortController()
    const done = () => { stop.abort(); clearTimeout(timer); resolve() }
    const timer = setTimeout(done, milliseconds)
    addEventListener("online", done, { signal: stop.signal })
    signal.addEventListener("abort", done, { signal: stop.signal })
  })
}

// Returns the image; null if the upload was canceled. Throws what is wrong, for the person. `replaces` is the image whose file it
// replaces, if any.
async function transfer(file, url, view, signal, replaces) {
  const { key, isKnown, forget } = keyOf(file, replaces)
  const own = `${url}/${key}`
  let [start, attempts, restarts, asks] = [0, 0, 0, isKnown]
  for (;;) {
    if (signal.aborted) {
      forget()
      send("POST", `${own}/delete`, new URLSearchParams({ csrf: csrf() }), new AbortController().signal)
      return null
    }
    let response
    if (asks) response = await send("GET", own, null, signal)
    else {
      const body = new FormData()
      for (const [name, value] of Object.entries({ csrf: csrf(), name: file.name, size: file.size, start, ...replaces && { replaces } })) body.append(name, value)
      body.append("chunk", file.slice(start, start + partBytes), "part")
      const end = Math.min(file.size, start + partBytes)
      response = await send("POST", own, body, signal, (sent) => view.progress(Math.min(end, start + sent)))
    }
    const { status, body } = response
    if (signal.aborted) continue
    if (status === 404 && body && restarts++ < 2) [start, asks] = [0, false]
    else if (body?.image) {
      forget()
      return body.image
    } else if (Number.isInteger(body?.received) && (status === 200 || status === 409)) {
      if (body.received > start) attempts = 0
      else if (status === 409 && restarts++ > 20) throw new Error("")
      ;[start, asks] = [body.received, false]
      view.progress(start)
      view.state("")
    } else if (status === 0 || status === 429 || status >= 500) {
      view.state("waiting")
      if (++attempts % maxAttempts) await pause(Math.min(30000, 500 * 2 ** (attempts % maxAttempts)), signal)
      else await view.retry(signal)
      asks = true
    } else {
      if (body) forget()
      throw new Error(messages(body) ?? view.expired)
    }
  }
}

// Uploads files, a few at a time, each with its progress in `list`; one that fails doesn't stop the others, and its line stays until it is
// tried again or removed. `added` gets the image and its line.
export function uploader(list, library, added, replaces) {
  const { uploading, failed, cancel, retry, remove, waiting, expired } = list.dataset
  const queue = []
  let running = 0

  function line(file) {
    // A file that is chosen again has one line.
    for (const other of list.querySelectorAll(".error")) if (other.dataset.file === file.name) other.closest("li").remove()
    const item = list.appendChild(element("li", {}))
    const label = item.appendChild(element("label", {}))
    const progress = element("progress", { max: Math.max(1, file.size), value: 0 })
    label.append(`${uploading.replace("%s", file.name)} `, progress)
    const hint = item.appendChild(element("span", { className: "hint" }))
    const again = item.appendChild(element("button", { type: "button", textContent: retry, hidden: true }))
    const stop = item.appendChild(element("button", { type: "button", className: "subtle", textContent: cancel }))
    stop.setAttribute("aria-label", `${cancel}: ${file.name}`)
    const control = new AbortController()
    stop.addEventListener("click", () => control.abort())
    const view = {
      expired,
      progress: (bytes) => { progress.value = bytes },
      state: (state) => { hint.textContent = state ? waiting : "" },
      retry: (signal) => new Promise((resolve) => {
        again.hidden = false
        const done = () => { again.hidden = true; resolve() }
        again.addEventListener("click", done, { once: true })
        signal.addEventListener("abort", done, { once: true })
      }),
    }
    return { file, item, view, signal: control.signal }
  }

  async function run({ file, item, view, signal }) {
    try {
      const media = await transfer(file, `${library}/uploads`, view, signal, replaces)
      if (media) added(media, item)
      else item.remove()
    } catch (error) {
      showFailure(file, item, error.message)
    }
  }

  function showFailure(file, item, message) {
    const text = element("span", { className: "error", textContent: `${failed.replace("%s", file.name)} ${message}` })
    text.dataset.file = file.name
    const again = element("button", { type: "button", textContent: retry })
    again.setAttribute("aria-label", `${retry}: ${file.name}`)
    again.addEventListener("click", () => {
      add([file])
      list.lastElementChild.querySelector(".subtle").focus()
    })
    const away = element("button", { type: "button", className: "subtle", textContent: remove })
    away.setAttribute("aria-label", `${remove}: ${file.name}`)
    away.addEventListener("click", () => {
      item.remove()
      list.closest("[data-upload], dialog").querySelector("input[type=file]").focus()
    })
    item.replaceChildren(text, again, away)
  }

  async function work() {
    if (running >= atOnce || !queue.length) return
    running++
    await run(queue.shift())
    running--
    list.dispatchEvent(new Event("uploaded"))
    work()
  }

  function add(files) {
    for (const file of files) {
      queue.push(line(file))
      work()
    }
  }
  return add
}

/** Sends the alternative text of an image. `problem` is empty if it was saved. */
export async function sendText(url, media, alt, options) {
  const body = new URLSearchParams({ csrf: csrf(), alt })
  const response = await fetch(`${url}/${media.id}`, { method: "POST", headers: { Accept: "application/json" }, body, ...options }).catch(() => null)
  const result = await response?.json().catch(() => null)
  return { isSaved: Boolean(response?.ok && result?.id), problem: messages(result) }
}

// Asks for the alternative text of an image that was added.
function describe(list, media, item, url) {
  const { describe, saved, unsaved, left, over } = list.dataset
  const label = element("label", { textContent: `${describe}: ${media.name} ` })
  const input = label.appendChild(element("input", { type: "text", value: media.alt, maxLength: 500 }))
  const count = element("p", { className: "hint", hidden: true })
  count.setAttribute("role", "status")
  Object.assign(count.dataset, { left, over })
  input.dataset.limit = 500
  const state = element("span", { className: "hint" })
  state.setAttribute("role", "status")
  const link = element("a", { href: `${url}/${media.id}` })
  link.append(element("img", { className: "row-thumbnail", src: media.thumbnail, alt: media.name }))
  input.addEventListener("input", () => { state.textContent = "" })
  saveTyped(input, async (text, options) => {
    const { isSaved, problem } = await sendText(url, media, text, options)
    if (input.value === text) state.textContent = isSaved ? saved : problem ?? unsaved
    return isSaved
  })
  // Enter saves this text; the form is the one without script.
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return
    event.preventDefault()
    input.blur()
  })
  item.replaceChildren(link, label, state, count)
  if (!list.contains(document.activeElement)) input.focus()
}

// A file that is not there yet is lost with the page, until somebody chooses it again.
addEventListener("beforeunload", (event) => { if (document.querySelector(".uploads progress")) event.preventDefault() })

// The inputs of the field that a zone is in.
function inputsOf(zone) {
  const named = (name) => [...zone.closest(".field").querySelectorAll(`[name="${CSS.escape(name)}"]`)]
  const [url, width, height, id] = named(zone.dataset.field)
  return { url, width, height, id, alt: named(`${zone.dataset.field}.alt`)[0] }
}

// An image has a text and can be removed; only without one of the library, another site is offered.
function showParts(zone) {
  const { url, id, alt } = inputsOf(zone)
  alt.closest(".inline-fields").hidden = !(id.value || url.value || alt.value)
  url.closest("details").hidden = Boolean(id.value) && !url.value
  zone.querySelector("[name=image]").hidden = !id.value
}

// The image becomes the value of a field: its ID, and its text if there is none.
function fill(zone, media) {
  const { url, width, height, id, alt } = inputsOf(zone)
  for (const input of [url, width, height]) input.value = ""
  id.value = media.id
  alt.value ||= media.alt
  const image = zone.querySelector("img")
  Object.assign(image, { src: media.thumbnail, hidden: false })
  id.dispatchEvent(new Event("input", { bubbles: true }))
  // Who writes elsewhere meanwhile goes on there.
  if (document.activeElement === document.body || zone.closest(".field").contains(document.activeElement)) alt.focus()
}

// The file of an image is replaced when its form is sent; a file that is dropped on the form is only chosen.
function replace(zone, list, library, id) {
  const input = zone.querySelector("input[type=file]")
  const add = uploader(list, library, (_, item) => {
    item.remove()
    location.assign(`${library}/${id}`)
  }, id)
  input.form.addEventListener("submit", (event) => {
    // Without a file, the server says so.
    if (!input.files.length) return
    event.preventDefault()
    if (list.querySelector("progress")) return
    list.replaceChildren()
    add([input.files[0]])
  })
  zone.addEventListener("dragover", (event) => { if (hasFiles(event.dataTransfer)) event.preventDefault() })
  zone.addEventListener("drop", (event) => {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    input.files = event.dataTransfer.files
  })
}

const hasFiles = (transfer) => [...transfer?.types ?? []].includes("Files")
const imagesOf = (transfer) => [...transfer.files].filter((file) => file.type.startsWith("image/") || !file.type)

// The forms and fields of the page. Files that are dropped or pasted go to the nearest one, or to the page's only one.
export function connect() {
  const zones = new Map()
  for (const zone of document.querySelectorAll("[data-upload]")) {
    const list = zone.querySelector(".uploads")
    const { media: library, field, replaces } = zone.dataset
    if (replaces) {
      replace(zone, list, library, replaces)
      continue
    }
    const upload = uploader(list, library, (media, item) => {
      if (!field) return describe(list, media, item, library)
      item.remove()
      fill(zone, media)
    })
    const add = (files) => {
      // A field has one image: another file takes the place of one that failed.
      if (field && files.length) for (const line of list.querySelectorAll("li:has(.error)")) line.remove()
      upload(files)
    }
    zones.set(zone, add)
    if (field) {
      showParts(zone)
      zone.closest(".field").addEventListener("input", () => showParts(zone))
    }
    for (const input of zone.querySelectorAll("input[type=file]")) {
      input.addEventListener("change", () => {
        add(field ? [...input.files].slice(0, 1) : [...input.files])
        input.value = ""
      })
    }
    for (const hint of zone.querySelectorAll("[data-with-script]")) hint.hidden = false
    for (const rest of zone.querySelectorAll("[data-without-script]")) rest.hidden = true
  }
  // A form waits for its images, before anything else takes note of it; the button that was pressed last counts.
  const waiting = new Map()
  addEventListener("submit", (event) => {
    const { target, submitter } = event
    const list = [...target.querySelectorAll("[data-upload][data-field] .uploads")].find((each) => each.querySelector("progress"))
    if (!list) return
    event.preventDefault()
    event.stopImmediatePropagation()
    list.scrollIntoView({ block: "center" })
    if (!waiting.has(target)) list.addEventListener("uploaded", () => {
      const button = waiting.get(target)
      waiting.delete(target)
      if (!list.querySelector(".error")) target.requestSubmit(button)
    }, { once: true })
    waiting.set(target, submitter)
  }, true)
  const only = () => zones.size === 1 && !zones.keys().next().value.dataset.field ? zones.keys().next().value : null
  const zoneOf = (target) => [target.closest?.("[data-upload]"), target.closest?.(".field")?.querySelector("[data-upload]"), only()]
    .find((zone) => zones.has(zone))
  const take = (event, transfer) => {
    const zone = event.defaultPrevented || !hasFiles(transfer) ? null : zoneOf(event.target)
    if (!zone) return
    event.preventDefault()
    const files = imagesOf(transfer)
    zones.get(zone)(zone.dataset.field ? files.slice(0, 1) : files)
  }
  const mark = (zone) => { for (const each of zones.keys()) each.classList.toggle("over", each === zone) }
  document.addEventListener("dragover", (event) => {
    const zone = event.defaultPrevented || !hasFiles(event.dataTransfer) ? null : zoneOf(event.target)
    mark(zone)
    if (zone) event.preventDefault()
  })
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(null) })
  document.addEventListener("drop", (event) => { mark(null); take(event, event.dataTransfer) })
  document.addEventListener("paste", (event) => take(event, event.clipboardData))
}
