// Help while a form is filled in: how many characters are left, lines for names and values, positions that are pasted.
import "./limits.js"

// Names and values: the last line is always empty.
for (const lines of document.querySelectorAll("[data-lines]")) {
  lines.addEventListener("input", () => {
    const last = lines.lastElementChild
    if (![...last.querySelectorAll("input")].some((input) => input.value)) return
    const line = last.cloneNode(true)
    for (const input of line.querySelectorAll("input")) input.value = ""
    lines.append(line)
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
