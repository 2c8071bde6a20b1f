// The points of a path, one per line: loads them from a GPX file, and draws them on a map. The box remains for what is pasted.
import { whenSeen } from "./in-view.js"

const point = /<(?:\w+:)?(trkpt|rtept)\b([^>]*)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?\1>)/g
const attribute = (text, name) => text.match(new RegExp(`\\b${name}\\s*=\\s*["']\\s*([-+\\d.]+)`))?.[1]

// The lines for the points of a GPX file: of its tracks, otherwise of its routes.
function lines(gpx) {
  const found = { trkpt: [], rtept: [] }
  for (const [, kind, attributes, content = ""] of gpx.matchAll(point)) {
    const position = [attribute(attributes, "lat"), attribute(attributes, "lon")]
    const elevation = content.match(/<(?:\w+:)?ele>\s*([-+\d.]+)/)?.[1]
    if (position.every(Boolean)) found[kind].push([...position, ...elevation ? [elevation] : []].join(" "))
  }
  return found.trkpt.length ? found.trkpt : found.rtept
}

export function mount(box) {
  const bar = document.createElement("p")
  bar.className = "actions hint"
  const say = Object.assign(document.createElement("span"), { role: "alert", className: "error" })
  const file = Object.assign(document.createElement("input"), { type: "file", accept: ".gpx,application/gpx+xml", hidden: true })
  file.setAttribute("form", "none")
  const button = (text, action) => {
    const element = Object.assign(document.createElement("button"), { type: "button", className: "subtle", textContent: text })
    element.addEventListener("click", action)
    bar.append(element)
  }
  const write = (rows) => {
    box.value = rows.join("\n")
    box.dispatchEvent(new Event("input", { bubbles: true }))
  }
  const rows = () => box.value.split("\n").filter((row) => row.trim())
  const read = () => rows().map((row) => row.trim().split(/[\s,;]+/).slice(0, 2).map(Number))
    .filter(([latitude, longitude]) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)

  button(box.dataset.load, () => file.click())
  button(box.dataset.remove, () => write(rows().slice(0, -1)))
  bar.append(file, say)
  box.after(bar)
  file.addEventListener("change", async () => {
    const found = lines(await file.files[0]?.text() ?? "")
    say.textContent = found.length ? "" : box.dataset.empty
    if (found.length) write(found)
    file.value = ""
  })
  if (!box.dataset.tiles) return
  const add = (position) => write([...rows(), position.join(" ")])
  whenSeen(box, () => import("./map.js").then(({ draw }) => draw(box, bar, { read, add })).catch(console.error))
}
