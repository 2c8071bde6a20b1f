// The toolbar, the keys and the number of words of boxes for Markdown.
import { arrange } from "./toolbar.js"
import { showWords } from "./words.js"

// Inserted as if it were typed, so that the browser can undo it.
function replace(box, start, end, text, from, to) {
  box.focus()
  box.setSelectionRange(start, end)
  if (!document.execCommand("insertText", false, text)) box.setRangeText(text, start, end)
  box.setSelectionRange(from, to)
  box.dispatchEvent(new Event("input", { bubbles: true }))
}

// Puts the mark around the selection, or removes it.
function around(box, mark) {
  const { selectionStart: start, selectionEnd: end, value } = box
  const text = value.slice(start, end)
  const isMarked = value.slice(0, start).endsWith(mark) && value.slice(end).startsWith(mark)
  if (isMarked) replace(box, start - mark.length, end + mark.length, text, start - mark.length, end - mark.length)
  else replace(box, start, end, mark + text + mark, start + mark.length, end + mark.length)
}

// Puts the prefix before each selected line, or removes it.
function lines(box, prefix) {
  const { value } = box
  const start = value.lastIndexOf("\n", box.selectionStart - 1) + 1
  const next = value.indexOf("\n", box.selectionEnd)
  const end = next < 0 ? value.length : next
  const old = value.slice(start, end).split("\n")
  const isNumber = prefix === "1. "
  const marked = (line) => isNumber ? /^\d+\. /.exec(line)?.[0] : line.startsWith(prefix) ? prefix : undefined
  const all = old.every(marked)
  const text = old.map((line, index) => all ? line.slice(marked(line).length)
    : (isNumber ? `${index + 1}. ` : prefix) + line).join("\n")
  replace(box, start, end, text, start + (old.length > 1 ? 0 : text.length), start + text.length)
}

// Enter in a list or a quotation begins its next line; on an empty one, it ends it. Returns whether it did.
function continued(box) {
  const { selectionStart: here, selectionEnd, value } = box
  const start = value.lastIndexOf("\n", here - 1) + 1
  const [mark, space, bullet, number] = /^(\s*)(?:([-*+] |> ?)|(\d{1,9})[.)] )/.exec(value.slice(start, here)) ?? []
  if (!mark || here !== selectionEnd) return false
  const line = value.slice(start).split("\n", 1)[0]
  // Text on the very next line would be part of the item.
  if (line === mark) replace(box, start, here, "\n", start + 1, start + 1)
  else {
    const next = `\n${space}${bullet ?? mark.slice(space.length).replace(number, Number(number) + 1)}`
    replace(box, here, here, next, here + next.length, here + next.length)
  }
  return true
}

// The URL is selected, to be typed over.
function link(box, url) {
  const { selectionStart: start, selectionEnd: end, value } = box
  const text = value.slice(start, end)
  const from = start + text.length + 3
  replace(box, start, end, `[${text}](${url})`, text ? from : start + 1, text ? from + url.length : start + 1)
}

for (const bar of document.querySelectorAll("[data-markdown]")) {
  const box = document.getElementById(bar.dataset.markdown)
  const apply = ({ dataset }) => dataset.around ? around(box, dataset.around)
    : dataset.line ? lines(box, dataset.line) : link(box, dataset.link)
  const { focus } = arrange(bar, () => box.focus())
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("button")
    if (button) apply(button)
  })
  const keys = { b: "[data-around='**']", i: "[data-around='*']", e: "[data-around='`']", k: "[data-link]" }
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
    if (event.key === "Enter" && !hasModifier && continued(box)) return event.preventDefault()
    if (event.key === "F10" && event.altKey) {
      event.preventDefault()
      return focus()
    }
    const button = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && keys[event.key]
    if (!button) return
    event.preventDefault()
    apply(bar.querySelector(button))
  })
  // URLs of links and images are no words.
  const count = () => showWords(bar.closest(".field").querySelector("[data-many]"), box.value.replaceAll(/\]\([^()\s]*\)/g, "]"))
  let waiting
  box.addEventListener("input", () => {
    clearTimeout(waiting)
    waiting = setTimeout(count, 300)
  })
  count()
}
