// Loads the editor for the rich-text fields of a page, those of a closed section when it is opened. Without it, or if it doesn't
// start, their boxes remain.
import { load as page } from "./fragment.js"
import { filledIn } from "./in-use.js"
import "./limits.js"

for (const box of document.querySelectorAll("[data-rich-text]")) {
  const section = box.closest("details:not([open])")
  if (section) section.addEventListener("toggle", () => load(box), { once: true })
  else load(box)
}

async function load(box) {
  const textarea = box.querySelector("textarea")
  const { id } = textarea
  const failing = new AbortController()
  try {
    const [{ mount }] = await Promise.all([import("./rich-text-editor.js"), filledIn])
    const isShown = textarea.value === textarea.defaultValue
    mount(box, isShown ? box.querySelector("template") : await begun(box, textarea), failing.signal)
  } catch (error) {
    console.error(error)
    failing.abort()
    leave(box, textarea, id)
  }
}

// The box as it was before, with its text, which an editor that doesn't start has not changed.
function leave(box, textarea, id) {
  Object.assign(textarea, { id, hidden: false })
  for (const part of box.querySelectorAll(".rich-text-bar, .rich-text-find, .rich-text-keys, .rich-text-count, .rich-text-undescribed")) part.hidden = true
  box.querySelector("[data-without-editor]").hidden = false
  const message = box.querySelector("p[data-failed]")
  message.textContent = message.dataset.failed
  message.hidden = false
}

// A text that somebody began in the box, or that the browser filled in: the page came with another one. The editor shows it
// as the server reads it, and doesn't take the box from who writes there.
async function begun(box, textarea) {
  const button = box.querySelector("[data-without-editor] button")
  // A control may be named like a property of the form.
  const url = button.getAttribute("formaction") ?? button.form.getAttribute("action")
  for (;;) {
    while (box.contains(document.activeElement)) await new Promise((resolve) => box.addEventListener("focusout", () => setTimeout(resolve), { once: true }))
    const { value } = textarea
    const fields = [...new FormData(button.form)].filter(([, text]) => typeof text === "string")
    const text = await page(url, `template[data-text="${CSS.escape(textarea.name)}"]`, [...fields, [button.name, button.value]])
    if (textarea.value === value && !box.contains(document.activeElement)) return text
  }
}
