// Adds, removes and moves the rows of a list in a form at once; without this, each button shows the form again.
import { drag } from "./drag.js"

for (const list of document.querySelectorAll("[data-rows]")) {
  const rows = () => [...list.querySelectorAll(":scope > [data-row-of-list]")]
  const model = list.querySelector(":scope > template")
  const adds = list.querySelector(":scope > .actions button")
  let newest = Math.max(-1, ...rows().map((row) => Number(row.querySelector("input[type=hidden]").value)))

  // The numbers in headings and labels follow the order; the names of inputs don't matter.
  function number() {
    const all = rows()
    all.forEach((row, index) => {
      const heading = row.querySelector("[data-heading]")
      const [old, now] = [heading.textContent, `${list.dataset.rows} ${index + 1}`]
      heading.textContent = now
      for (const button of row.querySelectorAll("legend [aria-label]")) button.ariaLabel = button.ariaLabel.replace(old, now)
      row.querySelector("[data-step=up]").hidden = index === 0
      row.querySelector("[data-step=down]").hidden = index === all.length - 1
    })
    const isFull = all.length >= Number(list.dataset.most)
    if (adds) adds.hidden = isFull
    undo.disabled = isFull
  }

  function changed() {
    number()
    // Others notice that the form has changed.
    const field = list.querySelector("input") ?? adds
    field?.dispatchEvent(new Event("change", { bubbles: true }))
  }

  function put(row, index) {
    const all = rows()
    if (all[index]) all[index].before(row)
    else if (all.length) all.at(-1).after(row)
    else list.prepend(row)
  }

  // Rows that were removed come back with what was typed into them, the last one first.
  const gone = []
  const line = list.querySelector(":scope > [data-removed]")
  const undo = line.querySelector("button")
  function showRemoved() {
    line.hidden = !gone.length
    line.querySelector("[role=status]").textContent = gone.length ? line.dataset.removed.replace("%s", gone.at(-1).name) : ""
  }
  undo.addEventListener("click", () => {
    const { row, index } = gone.pop()
    put(row, index)
    changed()
    showRemoved()
    row.focus()
  })

  function add() {
    newest += 1
    const row = model.content.querySelector("[data-row-of-list]").cloneNode(true)
    for (const element of [row, ...row.querySelectorAll("*")])
      for (const attribute of element.attributes)
        if (attribute.value.includes("__new__")) attribute.value = attribute.value.replaceAll("__new__", newest)
    // As in the labels, so that its number is found in them.
    const heading = row.querySelector("[data-heading]")
    heading.textContent = heading.textContent.replaceAll("__new__", newest)
    row.querySelector(".drag-handle").hidden = false
    put(row, rows().length)
    changed()
    row.querySelector("input:not([type=hidden]), textarea, select")?.focus()
  }

  function apply(row, step) {
    const all = rows()
    const index = all.indexOf(row)
    if (step === "remove") {
      gone.push({ row, index, name: row.querySelector("[data-heading]").textContent })
      row.remove()
      changed()
      showRemoved()
      const next = rows()[Math.min(index, all.length - 2)] ?? list
      next.focus()
    } else {
      const other = all[index + (step === "up" ? -1 : 1)]
      if (!other) return
      other[step === "up" ? "before" : "after"](row)
      changed()
      row.focus()
    }
  }

  list.addEventListener("click", (event) => {
    const button = event.target.closest("button")
    if (button === adds && model) { event.preventDefault(); add() }
    const row = button?.dataset.step && button.closest("[data-row-of-list]")
    if (row) { event.preventDefault(); apply(row, button.dataset.step) }
  })
  list.addEventListener("pointerdown", (event) => {
    const row = event.button === 0 && event.target.closest(".drag-handle")?.closest("[data-row-of-list]")
    if (row) drag(row, rows, changed)
  })
  list.addEventListener("keydown", (event) => {
    const step = event.altKey && { ArrowUp: "up", ArrowDown: "down" }[event.key]
    const row = step && event.target.closest("[data-row-of-list]")
    if (!row) return
    event.preventDefault()
    apply(row, step)
  })
  for (const row of rows()) row.querySelector(".drag-handle").hidden = false
}
