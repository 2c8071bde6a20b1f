// Reordering: dragging, and Alt with the arrow keys, submit the same form as the Up and Down buttons.
import { drag } from "./drag.js"

for (const body of document.querySelectorAll("[data-order]")) {
  const form = document.getElementById(body.dataset.order)
  // The number of rows before the first one shown.
  const offset = Number(body.dataset.offset ?? 0)
  const rows = () => [...body.querySelectorAll(":scope > [data-entry]")]

  function send(row, index) {
    const field = document.createElement("input")
    field.type = "hidden"
    field.name = "move"
    field.value = `${row.dataset.entry} ${row.dataset.previous} ${offset + index}`
    form.append(field)
    form.requestSubmit()
  }

  for (const row of rows()) {
    const handle = row.querySelector(".drag-handle")
    if (!handle) continue
    handle.hidden = false
    handle.addEventListener("pointerdown", (event) => { if (event.button === 0) drag(row, rows, (index) => send(row, index)) })
  }

  body.addEventListener("keydown", (event) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return
    const button = event.target.closest("[data-entry]")
      ?.querySelector(`[data-step="${event.key === "ArrowUp" ? "up" : "down"}"]`)
    if (!button) return
    event.preventDefault()
    button.click()
  })
}

// A moved row keeps the focus, so that it can be moved again. Waits until the browser has scrolled to the fragment.
addEventListener("load", () => setTimeout(() => {
  document.getElementById(location.hash.slice(1))?.querySelector(".drag-handle")?.focus()
}))
