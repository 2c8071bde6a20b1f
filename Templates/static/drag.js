// Drags a row among its siblings with the pointer; Escape puts it back.

// `rows` lists the siblings; `done` is called with the row's new index if it changed.
export function drag(row, rows, done) {
  const before = rows()
  const start = before.indexOf(row)
  const [body, next] = [row.parentElement, before.at(-1).nextSibling]
  // The row moves within the document, so the listeners are on the document.
  const listening = new AbortController()
  const on = (type, action) => document.addEventListener(type, action, { signal: listening.signal })
  const end = (isConfirmed) => {
    listening.abort()
    row.classList.remove("dragging")
    if (!isConfirmed) for (const old of before) body.insertBefore(old, next)
    const index = rows().indexOf(row)
    if (index !== start) done(index)
  }
  row.classList.add("dragging")
  on("pointermove", (event) => {
    const over = rows().find((other) => {
      const box = other.getBoundingClientRect()
      return other !== row && event.clientY >= box.top && event.clientY <= box.bottom
    })
    if (!over) return
    // The half of the row under the pointer decides whether to insert above or below it.
    const box = over.getBoundingClientRect()
    over[event.clientY < box.top + box.height / 2 ? "before" : "after"](row)
  })
  on("pointerup", () => end(true))
  on("pointercancel", () => end(false))
  on("keydown", (event) => { if (event.key === "Escape") end(false) })
}
