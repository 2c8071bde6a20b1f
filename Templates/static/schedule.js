// Moves what is in the calendar: dragged to a day or an hour, or by Alt with the arrow keys. Both give the "Move" link a new time; the
// page that it opens shows the old and the new one and asks for a confirmation. Without this script the time is entered there.

const status = document.querySelector("[data-moved]")
const MINUTES = { ArrowLeft: -24 * 60, ArrowRight: 24 * 60, ArrowUp: -60, ArrowDown: 60 }

// Clock times without a zone, as if no clock ever changed; the server reads them in the person's zone.
const shifted = (local, minutes) => new Date(Date.parse(`${local}Z`) + minutes * 60000).toISOString().slice(0, 16)

const now = (link) => link.dataset.to ?? link.dataset.from

function aim(link, local) {
  const url = new URL(link.href)
  url.searchParams.set(link.dataset.move, local)
  link.href = url
  link.dataset.to = local
}

function drag(link, event) {
  const box = link.closest("[data-event]")
  const [x, y] = [event.clientX, event.clientY]
  const listening = new AbortController()
  const on = (type, action) => document.addEventListener(type, action, { signal: listening.signal })
  let over
  const mark = (next) => {
    over?.classList.remove("target")
    over = next
    over?.classList.add("target")
  }
  const end = (isDropped) => {
    const target = over
    listening.abort()
    mark()
    if (!box.classList.contains("dragging")) return
    box.classList.remove("dragging")
    // A pointer that is still over the link clicks it, right after this.
    const clicking = new AbortController()
    document.addEventListener("click", (click) => click.preventDefault(), { capture: true, signal: clicking.signal })
    setTimeout(() => clicking.abort())
    if (!isDropped || !target) return
    const { date, hour } = target.dataset
    const local = `${date}T${hour ? hour + link.dataset.from.slice(13) : link.dataset.from.slice(11)}`
    if (local === link.dataset.from) return
    aim(link, local)
    location.assign(link.href)
  }
  on("pointermove", (move) => {
    if (Math.hypot(move.clientX - x, move.clientY - y) > 5) box.classList.add("dragging")
    if (box.classList.contains("dragging")) mark(document.elementFromPoint(move.clientX, move.clientY)?.closest("[data-date]"))
  })
  on("pointerup", () => end(true))
  on("pointercancel", () => end(false))
  on("keydown", (key) => { if (key.key === "Escape") end(false) })
}

for (const link of document.querySelectorAll("[data-move]")) {
  link.classList.add("movable")
  link.setAttribute("aria-keyshortcuts", Object.keys(MINUTES).map((key) => `Alt+${key}`).join(" "))
  link.addEventListener("dragstart", (event) => event.preventDefault())
  link.addEventListener("pointerdown", (event) => { if (event.button === 0) drag(link, event) })
  link.addEventListener("keydown", (event) => {
    const minutes = event.altKey && MINUTES[event.key]
    if (!minutes) return
    event.preventDefault()
    aim(link, shifted(now(link), minutes))
    status.textContent = status.dataset.moved.replace("%s", now(link).replace("T", " "))
    link.title = status.textContent
  })
}
document.querySelector("[data-move-hint]").hidden = false
