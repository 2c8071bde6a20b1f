// Lists that can be ordered: dragging, and Alt with the arrows, send what the Up and Down buttons send. They work without this.
for (const body of document.querySelectorAll("[data-order]")) {
  const form = document.getElementById(body.dataset.order)
  // How many stand before the first row that is shown.
  const first = Number(body.dataset.first ?? 0)
  const rows = () => [...body.querySelectorAll(":scope > [data-entry]")]

  function send(row, place) {
    const field = document.createElement("input")
    field.type = "hidden"
    field.name = "move"
    field.value = `${row.dataset.entry} ${row.dataset.was} ${first + place}`
    form.append(field)
    form.requestSubmit()
  }

  for (const row of rows()) {
    const grip = row.querySelector(".grip")
    if (!grip) continue
    grip.hidden = false
    grip.addEventListener("pointerdown", (event) => { if (event.button === 0) drag(row) })
  }

  function drag(row) {
    const before = rows()
    const start = before.indexOf(row)
    // The row moves in the document, so what listens must not be in it.
    const listening = new AbortController()
    const on = (type, action) => document.addEventListener(type, action, { signal: listening.signal })
    const end = (isKept) => {
      listening.abort()
      row.classList.remove("dragged")
      if (!isKept) body.append(...before)
      const place = rows().indexOf(row)
      if (place !== start) send(row, place)
    }
    row.classList.add("dragged")
    on("pointermove", (event) => {
      const over = rows().find((other) => {
        const box = other.getBoundingClientRect()
        return other !== row && event.clientY >= box.top && event.clientY <= box.bottom
      })
      if (!over) return
      // Above or below the row that the pointer is over is told by its half.
      const box = over.getBoundingClientRect()
      over[event.clientY < box.top + box.height / 2 ? "before" : "after"](row)
    })
    on("pointerup", () => end(true))
    on("pointercancel", () => end(false))
    on("keydown", (event) => { if (event.key === "Escape") end(false) })
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

// What was moved keeps the focus, so that it can be moved on. Going to the place in the address takes it away first.
addEventListener("load", () => setTimeout(() => {
  document.getElementById(location.hash.slice(1))?.querySelector(".grip")?.focus()
}))
