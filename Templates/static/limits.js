// How many characters are left in a text, near its limit.
const characters = new Intl.Segmenter()

/** Shows it for an input whose text a script has changed. */
export function showLeft(input) {
  const line = input.closest(".field, li, dialog")?.querySelector("p[data-left]")
  if (!line) return
  const limit = Number(input.dataset.limit)
  const near = Math.max(10, limit / 10)
  // No text has more characters than code units, whose number is known. A long text is counted only near its limit.
  line.hidden = limit - input.value.length > near
  if (line.hidden) return
  // As the server counts: what readers see as one character is one.
  const left = limit - [...characters.segment(input.value)].length
  line.hidden = left > near
  line.textContent = (left < 0 ? line.dataset.over : line.dataset.left).replace("%d", Math.abs(left))
}

// While it is captured: dialogs keep what is typed in them from the form of the page. Rows may be added later.
document.addEventListener("input", ({ target }) => { if (target.matches("[data-limit]")) showLeft(target) }, true)
for (const input of document.querySelectorAll("[data-limit]")) showLeft(input)
