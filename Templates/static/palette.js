// The palette: one box that searches everything and offers the actions of the page. Results are links.
const delay = 120
let dialog, input, list, status, all, press
let requested, waiting, shown

// Called each time; `search` is the form's input in the header, `activate` uses an element of the page.
export function open(element, search, activate) {
  if (!dialog) {
    [dialog, press] = [element, activate];
    [input, list, status, all] = ["input", "[role=listbox]", "[role=status]", "[data-results]"].map((each) => dialog.querySelector(each))
    input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(find, delay) })
    input.addEventListener("keydown", key)
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close() })
    dialog.addEventListener("close", () => { clearTimeout(waiting); requested?.abort() })
    list.addEventListener("click", (event) => {
      const option = event.target.closest("[role=option]")
      if (option?.element) { event.preventDefault(); use(option) }
    })
    list.addEventListener("pointermove", (event) => select(event.target.closest("[role=option]"), false))
  }
  input.value = search.value
  dialog.showModal()
  input.select()
  find()
}

const options = () => [...list.querySelectorAll("[role=option]")]

function key(event) {
  if (event.isComposing) return
  const found = options()
  const here = found.findIndex((option) => option.ariaSelected === "true")
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault()
    const step = event.key === "ArrowDown" ? 1 : -1
    select(found.at((here + step + found.length) % (found.length || 1)), true)
  } else if (event.key === "Enter") {
    event.preventDefault()
    // What is on the screen may be of an earlier text.
    if (input.value.trim() !== shown) { clearTimeout(waiting); find(true) } else if (here >= 0) use(found[here], event)
    else if (input.value.trim()) location.assign(all.href)
  }
}

function use(option, event) {
  dialog.close()
  if (option.element) return press(option.element)
  if (event?.ctrlKey || event?.metaKey) window.open(option.href, "_blank", "noopener")
  else location.assign(option.href)
}

function select(option, isScrolled) {
  if (!option) return
  for (const each of options()) each.ariaSelected = String(each === option)
  input.setAttribute("aria-activedescendant", option.id)
  if (isScrolled) option.scrollIntoView({ block: "nearest" })
}

async function find(isEntered = false) {
  const query = input.value.trim()
  requested?.abort()
  const request = (requested = new AbortController())
  const url = new URL(dialog.dataset.url, location)
  if (query) url.searchParams.set("q", query)
  all.href = url.pathname + url.search
  dialog.ariaBusy = "true"
  let found
  try {
    const response = await fetch(url, { headers: { Accept: "application/json" }, signal: request.signal, redirect: "manual" })
    if (response.type === "opaqueredirect") return fail("expired")
    if (!response.ok) throw new Error(String(response.status))
    found = await response.json()
  } catch (error) {
    return error.name === "AbortError" ? undefined : fail("failed")
  } finally {
    if (requested === request) dialog.ariaBusy = "false"
  }
  if (requested !== request) return
  show(query, found)
  if (isEntered && options().length) use(options()[0])
}

function fail(message) {
  shown = undefined
  show(undefined, { groups: [], messages: [status.dataset[message]] })
}

function show(query, { groups, messages }) {
  shown = query
  const own = query === undefined ? [] : actions(query)
  if (own.length) groups = [{ id: "page", label: status.dataset.here, lines: own }, ...groups]
  list.replaceChildren(...groups.map(group))
  const found = options()
  found.forEach((option, index) => { option.id = `palette-option-${index}` })
  list.hidden = found.length === 0
  input.ariaExpanded = String(found.length > 0)
  input.removeAttribute("aria-activedescendant")
  select(found[0], true)
  list.scrollTop = 0
  const count = status.dataset.many.replace("%s", found.length)
  status.textContent = messages.length ? messages.join(" ") : found.length ? count : status.dataset.none
}

// What the page itself offers, by a key or only here, under the names of its buttons, links and menus.
function actions(query) {
  const wanted = query.toLowerCase().split(/\s+/)
  if (!query) return []
  return [...document.querySelectorAll("main :is([data-key], [data-offered]):is(button, a, summary, select), .footer [data-key]")].flatMap((element) => {
    const title = (element.ariaLabel ?? (element.labels?.[0] ?? element).textContent).trim()
    if (!element.checkVisibility() || element.disabled) return []
    const words = title.toLowerCase().split(/[^\p{L}\p{N}]+/u)
    return wanted.every((word) => words.some((each) => each.startsWith(word))) ? [{ title, note: "", tags: [], key: element.dataset.key, element }] : []
  }).slice(0, 5)
}

function group({ id, label, lines }) {
  const element = node("div", { role: "group" })
  const heading = node("span", { role: "presentation", id: `palette-${id}`, textContent: label })
  element.setAttribute("aria-labelledby", heading.id)
  element.append(heading, ...lines.map(line))
  return element
}

function line({ title, url, note, tags, thumbnail, key, element }) {
  const option = node("a", { role: "option", ariaSelected: "false", tabIndex: -1 })
  if (element) option.element = element
  else option.href = url
  if (thumbnail) {
    const { url: src, width, height } = thumbnail
    option.append(node("img", { className: "row-thumbnail", src, width, height, alt: "", loading: "lazy" }))
  }
  const text = node("span", { className: "grow" })
  text.append(node("span", { dir: "auto", textContent: title }))
  if (note) text.append(" ", node("span", { className: "muted", dir: "auto", textContent: note }))
  option.append(text, ...tags.slice(0, 2).map(({ label, tone }) => node("span", { className: `tag ${tone}`, textContent: label })))
  if (key) option.append(node("kbd", { textContent: key }))
  return option
}

function node(name, properties) {
  return Object.assign(document.createElement(name), properties)
}
