// A toolbar: one stop for the Tab key, with the arrow keys, Home and End within it; Escape leads back to the text.

/** Shows it. `leave` focuses the text. */
export function arrange(bar, leave) {
  const stops = () => [...bar.querySelectorAll("button, select")].filter((stop) => !stop.hidden && !stop.disabled)
  const enter = (stop) => {
    for (const other of stops()) other.tabIndex = other === stop ? 0 : -1
    stop.focus()
  }
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (event.key === "Escape") leave()
    else if (event.key === "Home") enter(stops()[0])
    else if (event.key === "End") enter(stops().at(-1))
    else if (step) {
      const all = stops()
      enter(all[(all.indexOf(document.activeElement) + (bar.matches(":dir(rtl)") ? -step : step) + all.length) % all.length])
    } else return
    event.preventDefault()
  })
  bar.hidden = false
  for (const [index, stop] of stops().entries()) stop.tabIndex = index ? -1 : 0
  return { focus: () => stops().find((stop) => stop.tabIndex === 0)?.focus() }
}
