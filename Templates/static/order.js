// Reordering: dragging, and Alt with the arrow keys, do the same as the Up and Down buttons. They submit a form, or, where the
// order is a draft in the form (data-local), move the rows at once.
import { drag } from "./drag.js"

for (const body of document.querySelectorAll("[data-order]")) {
  const form = document.getElementById(body.dataset.order)
  // The number of rows before the first one shown.
  const offset = Number(body.dataset.offset ?? 0)
  const rows = () => [...body.querySelectorAll(":scope > [data-entry]")]
  const positions = [...body.querySelectorAll("[name^='position.']")]
  // Beside each is the one that the row has.
  const isTyped = () => positions.some((field) => field.value !== field.previousElementSibling.value)
  const moved = "local" in body.dataset ? draft(body, form, offset, rows, isTyped) : send
  askBeforeLeaving(positions[0]?.form, () => isTyped() || form.querySelector("[data-dirty]")?.hidden === false)

  function send(row, index) {
    // Somebody may have stayed on the page before.
    const field = form.querySelector("input[name=move]") ?? document.createElement("input")
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
    handle.addEventListener("pointerdown", (event) => { if (event.button === 0) drag(row, rows, (index) => moved(row, index)) })
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

/** The browser asks before the page is left, unless this form is submitted or its changes are discarded. */
function askBeforeLeaving(form, isUnsaved) {
  let isLeaving = false
  document.addEventListener("submit", (event) => { if (event.target === form && !event.defaultPrevented) isLeaving = true })
  document.querySelector("[data-discard]")?.addEventListener("click", () => { isLeaving = true })
  // Whatever becomes of it, the next time is asked about by itself: somebody may stay at another question of the browser.
  addEventListener("beforeunload", (event) => {
    if (!isLeaving && isUnsaved()) event.preventDefault()
    isLeaving = false
  })
}

/** The function that writes a moved row into the form. What the page doesn't know, such as rows of other pages, is left to the server. */
function draft(body, form, offset, rows, isTyped) {
  const field = form.elements.order
  const ids = () => field.value.split(" ").filter(Boolean)
  const typed = (row) => form.elements[`position.${row.dataset.entry}`]
  const shown = (row) => form.elements[`shown.${row.dataset.entry}`]

  /** The order after this row was put at an index of the page; nothing if only the server can tell. */
  function order(moving) {
    const before = ids()
    const ordered = new Set([...before, moving.dataset.entry])
    if (offset > before.length || isTyped()) return
    const known = [...before.slice(0, offset), ...rows().map((row) => row.dataset.entry)]
    const rest = before.slice(known.length)
    const after = rest.length ? [...known, ...rest] : known.slice(0, known.findLastIndex((id) => ordered.has(id)) + 1)
    return after.length > Number(body.dataset.most) ? undefined : after
  }

  function move(row, index, button) {
    const active = document.activeElement
    const others = rows().filter((other) => other !== row)
    const before = rows()
    others[index] ? others[index].before(row) : others.at(-1)?.after(row)
    const after = order(row)
    if (!after) {
      // As it was: the server carries out the button, or what was dragged as a typed position.
      const next = before[before.indexOf(row) + 1]
      next ? next.before(row) : before.at(-2)?.after(row)
      if (!button) typed(row).value = offset + index + 1
      return form.requestSubmit(button)
    }
    field.value = after.join(" ")
    const ordered = new Set(after)
    rows().forEach((other, position) => label(other, position, ordered))
    const status = form.querySelector("[data-position]")
    const name = row.querySelector("th a").textContent
    status.textContent = status.dataset.position.replace("%s", () => name).replace("%d", offset + index + 1)
    for (const hidden of form.querySelectorAll("[data-dirty], [data-discard]")) hidden.hidden = false
    // A button that can't move the row further has no focus.
    if (row.contains(active)) (active.disabled ? typed(row) : active).focus()
  }

  function label(row, position, ordered) {
    typed(row).value = shown(row).value = offset + position + 1
    const [isFirst, isLast] = [!offset && !position, position === rows().length - 1 && !("continued" in body.dataset)]
    for (const button of row.querySelectorAll("[data-step]")) button.disabled = button.dataset.step === "down" ? isLast : isFirst
    for (const text of row.querySelectorAll("[data-by]")) {
      text.hidden = (text.dataset.by === "hand") !== ordered.has(row.dataset.entry)
    }
  }

  body.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]")
    if (!button) return
    const row = button.closest("[data-entry]")
    const here = rows().indexOf(row)
    const index = { up: here - 1, down: here + 1, top: offset ? -1 : 0 }[button.dataset.step]
    // To another page.
    if (index < 0 || index >= rows().length) return
    event.preventDefault()
    move(row, index, button)
  })
  return (row, index) => move(row, index)
}

// A moved row keeps the focus, so that it can be moved again. Waits until the browser has scrolled to the fragment.
addEventListener("load", () => setTimeout(() => {
  document.getElementById(location.hash.slice(1))?.querySelector(".drag-handle")?.focus()
}))
