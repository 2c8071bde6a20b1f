// Loads the editor for the rich-text fields of a page, those of a closed section when it is opened. Without it their boxes remain.
import "./limits.js"

for (const box of document.querySelectorAll("[data-rich-text]")) {
  const section = box.closest("details:not([open])")
  if (section) section.addEventListener("toggle", () => load(box), { once: true })
  else load(box)
}

async function load(box) {
  try {
    const { mount } = await import("./rich-text-editor.js")
    const textarea = box.querySelector("textarea")
    // A text that somebody has begun in the box stays there: the editor would show the one that the page came with.
    if (textarea.value === textarea.defaultValue) mount(box)
  } catch (error) { console.error(error) }
}
