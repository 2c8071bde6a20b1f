// Compares a submission with a similar one below its row. Without this, and when it can't be loaded, the link leads to a page.
import { load } from "./fragment.js"

const model = document.querySelector("#comparison-panel")
// One at a time, so that ids stay unique: its link, and its panel once it is loaded.
let open

function close() {
  const { link, panel } = open
  open = undefined
  link.ariaExpanded = "false"
  link.removeAttribute("aria-controls")
  link.removeAttribute("aria-busy")
  panel?.remove()
  return link
}

async function show(link) {
  if (open) close()
  const own = open = { link }
  link.setAttribute("aria-busy", "true")
  let comparison
  try { comparison = await load(link.href, "#comparison") } catch {
    if (open === own) location.assign(link.href)
    return
  }
  // Closed, or another one was opened meanwhile.
  if (open !== own) return
  const panel = own.panel = model.content.firstElementChild.cloneNode(true)
  panel.id = "comparison-here"
  panel.ariaLabel = link.ariaLabel
  panel.append(comparison)
  panel.querySelector("[data-close]").addEventListener("click", () => close().focus())
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return
    event.preventDefault()
    close().focus()
  })
  link.closest("li").append(panel)
  link.removeAttribute("aria-busy")
  link.ariaExpanded = "true"
  link.setAttribute("aria-controls", panel.id)
  panel.focus({ preventScroll: true })
  panel.scrollIntoView({ block: "nearest" })
}

for (const link of document.querySelectorAll("[data-compare]")) {
  link.ariaExpanded = "false"
  link.addEventListener("click", (event) => {
    // Into another tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (open?.link === link) close()
    else show(link)
  })
}
