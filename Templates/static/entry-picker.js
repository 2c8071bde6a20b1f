// Finds entries while the title is typed; without this, the button shows the form again with what it found.
const delay = 250

for (const picker of document.querySelectorAll("[data-entry-picker]")) {
  const lines = picker.querySelector(".chips")
  const input = picker.querySelector("input[type=search]")
  const button = picker.querySelector("button")
  const status = picker.querySelector("[role=status]")
  const isList = !lines.querySelector("input[type=radio]")
  const name = button.value
  let waiting, last

  button.hidden = true
  input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(find, delay) })
  input.addEventListener("focus", () => { if (last === undefined) find() })
  if (document.activeElement === input) find()
  // Enter would send the form.
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); clearTimeout(waiting); find() }
    else if (event.key === "ArrowDown") { event.preventDefault(); lines.querySelector("[data-found] input")?.focus() }
  })
  // What is searched for is no part of the form.
  input.removeAttribute("name")

  async function find() {
    const query = input.value.trim()
    if (query === last) return
    last = query
    const url = new URL(picker.dataset.entryPicker, location)
    url.searchParams.set("q", query)
    let found
    try {
      const response = await fetch(url, { headers: { Accept: "application/json" } })
      if (!response.ok) throw new Error(String(response.status))
      found = await response.json()
    } catch {
      if (query === last) { status.textContent = status.dataset.failed; last = undefined }
      return
    }
    if (query !== last) return
    for (const line of lines.querySelectorAll("[data-found]")) if (!line.querySelector("input").checked) line.remove()
    const known = new Set([...lines.querySelectorAll("input")].map((box) => box.value))
    lines.append(...found.entries.filter((entry) => !known.has(entry.value)).map(line))
    status.textContent = found.entries.length ? found.isMore ? status.dataset.more : "" : query ? status.dataset.none : lines.querySelector("label") ? "" : status.dataset.empty
  }

  function line(entry) {
    const label = document.createElement("label")
    const box = document.createElement("input")
    const title = document.createElement("span")
    label.className = "choice"
    label.dataset.found = ""
    Object.assign(box, { type: isList ? "checkbox" : "radio", name: `field.${name}`, value: entry.value })
    if (button.getAttribute("form")) box.setAttribute("form", button.getAttribute("form"))
    Object.assign(title, { dir: "auto", textContent: entry.label })
    label.append(box, " ")
    if (entry.thumbnail) {
      const { url: src, width, height } = entry.thumbnail
      label.append(Object.assign(document.createElement("img"), { className: "row-thumbnail", src, width, height, alt: "", loading: "lazy" }))
    }
    label.append(title)
    if (entry.note) {
      const note = document.createElement("span")
      Object.assign(note, { className: "muted", textContent: entry.note })
      label.append(" ", note)
    }
    return label
  }
}
