// Loads the editor for the rich-text fields of a page, those of a closed section when it is opened. Without it their boxes remain.
import { load as page } from "./fragment.js"
import { filledIn } from "./in-use.js"
import "./limits.js"

for (const box of document.querySelectorAll("[data-rich-text]")) {
  const section = box.closest("details:not([open])")
  if (section) section.addEventListener("toggle", () => load(box), { once: true })
  else load(box)
}

async function load(box) {
  try {
    const [{ mount }] = await Promise.all([import("./rich-text-editor.js"), filledIn])
    const textarea = box.querySelector("textarea")
    if (textarea.value === textarea.defaultValue) mount(box, box.querySelector("template"))
    else mount(box, await begun(box, textarea))
  } catch (error) { console.error(error) }
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
