// Help while a form is filled in: how many characters are left, and the offset of the person's time zone.

const characters = new Intl.Segmenter()
for (const input of document.querySelectorAll("[data-limit]")) {
  const line = input.parentElement.querySelector("[data-left]")
  const limit = Number(input.dataset.limit)
  const show = () => {
    // As the server counts: what readers see as one character is one.
    const left = limit - [...characters.segment(input.value)].length
    line.hidden = left > Math.max(10, limit / 10)
    line.textContent = (left < 0 ? line.dataset.over : line.dataset.left).replace("%d", Math.abs(left))
  }
  input.addEventListener("input", show)
  show()
}

// A time that is entered, not one that is corrected.
for (const select of document.querySelectorAll("[data-offset]")) {
  const time = select.closest(".inline-fields").querySelector("input")
  if (time.value) continue
  let isChosen = false
  select.addEventListener("change", () => { isChosen = true })
  time.addEventListener("input", () => {
    const date = new Date(time.value)
    if (isChosen || Number.isNaN(date.getTime())) return
    const east = -date.getTimezoneOffset()
    const two = (number) => String(Math.floor(number)).padStart(2, "0")
    const offset = east ? `${east < 0 ? "-" : "+"}${two(Math.abs(east) / 60)}:${two(Math.abs(east) % 60)}` : "Z"
    if ([...select.options].some((option) => option.value === offset)) select.value = offset
  })
}

// Names and values: the last line is always empty.
for (const pairs of document.querySelectorAll(".pairs")) {
  pairs.addEventListener("input", () => {
    const last = pairs.lastElementChild
    if (![...last.querySelectorAll("input")].some((input) => input.value)) return
    const line = last.cloneNode(true)
    for (const input of line.querySelectorAll("input")) { input.value = ""; input.removeAttribute("id") }
    pairs.append(line)
  })
}

// A position that was copied from a map, such as "48.2082, 16.3738", fills both fields.
for (const latitude of document.querySelectorAll("[data-coordinates] input:first-of-type")) {
  latitude.addEventListener("paste", (event) => {
    const found = /^\s*(?:geo:)?(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)/.exec(event.clipboardData.getData("text"))
    const longitude = latitude.closest("[data-coordinates]").querySelectorAll("input")[1]
    if (!found || !longitude) return
    event.preventDefault()
    latitude.value = found[1]
    longitude.value = found[2]
    longitude.dispatchEvent(new Event("input", { bubbles: true }))
  })
}
