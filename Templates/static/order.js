// Lists that can be ordered: dragging and Alt with the arrows send what the Up and Down buttons send. They work without this.
for (const body of document.querySelectorAll("[data-order]")) {
  const form = document.getElementById(body.dataset.order)
  const rows = () => [...body.querySelectorAll(":scope > [data-entry]")]
  let dragged = null
  let start = 0

  for (const row of rows()) {
    const grip = row.querySelector(".grip")
    if (!grip) continue
    grip.hidden = false
    // Only what is held by its grip can be dragged, so that text in the row can be selected.
    grip.addEventListener("pointerdown", () => { row.draggable = true })
    grip.addEventListener("pointerup", () => { row.draggable = false })
    row.addEventListener("dragstart", (event) => {
      dragged = row
      start = rows().indexOf(row)
      event.dataTransfer.effectAllowed = "move"
      event.dataTransfer.setData("text/plain", row.dataset.entry)
      row.classList.add("dragged")
    })
    row.addEventListener("dragend", () => {
      row.classList.remove("dragged")
      row.draggable = false
      const place = rows().indexOf(row)
      if (dragged && place !== start) send(row, place)
      dragged = null
    })
  }

  body.addEventListener("dragover", (event) => {
    const over = event.target.closest("[data-entry]")
    if (!dragged || !over || over.parentElement !== body) return
    event.preventDefault()
    if (over === dragged) return
    const box = over.getBoundingClientRect()
    const isAfter = event.clientY > box.top + box.height / 2
    over[isAfter ? "after" : "before"](dragged)
  })
  body.addEventListener("drop", (event) => { if (dragged) event.preventDefault() })

  body.addEventListener("keydown", (event) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return
    const row = event.target.closest("[data-entry]")
    const button = row?.querySelector(`[data-step="${event.key === "ArrowUp" ? "up" : "down"}"]`)
    if (!button) return
    event.preventDefault()
    button.click()
  })

  function send(row, place) {
    const field = document.createElement("input")
    field.type = "hidden"
    field.name = "move"
    field.value = `${row.dataset.entry} ${row.dataset.was} ${place}`
    form.append(field)
    form.requestSubmit()
  }
}

// What was moved keeps the focus, so that it can be moved on.
document.getElementById(location.hash.slice(1))?.querySelector(".grip")?.focus()
