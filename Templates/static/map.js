// Maps: beside a latitude and a longitude, which it shows and sets; and beside the lines of a path.
import * as leaflet from "./vendor/leaflet/leaflet.esm.min.js"

const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/static/vendor/leaflet/leaflet.css" })
const isStyled = new Promise((resolve) => { style.onload = style.onerror = resolve })
document.head.append(style)
const image = (name) => `/static/vendor/leaflet/images/${name}.png`
const icon = leaflet.icon({
  iconUrl: image("marker-icon"), iconRetinaUrl: image("marker-icon-2x"), shadowUrl: image("marker-shadow"),
  iconSize: [25, 41], iconAnchor: [12, 41], shadowSize: [41, 41],
})

// A map with buttons after `previous`; `choose` takes the position of a click, and of the button for the center.
async function open({ tiles, attribution, label, here, in: nearer, out }, previous, choose) {
  const box = document.createElement("div")
  const bar = document.createElement("p")
  box.className = "map"
  box.setAttribute("role", "application")
  box.ariaLabel = label
  bar.className = "actions hint"
  previous.after(box, bar)
  await isStyled
  // Leaflet's own controls write markup as text, which the page forbids.
  const map = leaflet.map(box, { zoomControl: false, attributionControl: false })
  leaflet.tileLayer(tiles, { maxZoom: 19 }).addTo(map)
  map.on("click", (event) => choose(event.latlng))
  const actions = [[nearer, () => map.zoomIn()], [out, () => map.zoomOut()], [here, () => choose(map.getCenter())]]
  for (const [text, action] of actions) bar.append(button(text, action))
  bar.append(Object.assign(document.createElement("span"), { textContent: attribution }))
  return map
}

function button(text, action) {
  const element = Object.assign(document.createElement("button"), { type: "button", className: "subtle", textContent: text })
  element.addEventListener("click", action)
  return element
}

// Six decimals are a tenth of a meter.
const degrees = ({ lat, lng }) => [lat.toFixed(6), leaflet.Util.wrapNum(lng, [-180, 180], true).toFixed(6)]

export async function mount(fields) {
  const [latitude, longitude] = fields.querySelectorAll("input")
  const marker = leaflet.marker([0, 0], { icon, draggable: true, keyboard: false, alt: "" })
  const number = (input) => input.value.trim() === "" ? NaN : Number(input.value)
  function set(position) {
    [latitude.value, longitude.value] = degrees(position)
    longitude.dispatchEvent(new Event("input", { bubbles: true }))
  }
  const map = await open(fields.dataset, fields, set)

  function show() {
    const position = [number(latitude), number(longitude)]
    if (position.some(Number.isNaN) || Math.abs(position[0]) > 90 || Math.abs(position[1]) > 180) return void marker.remove()
    marker.setLatLng(position).addTo(map)
    if (!map.getBounds().pad(-0.2).contains(position)) map.setView(position, Math.max(map.getZoom(), 13))
  }
  const isSet = ![number(latitude), number(longitude)].some(Number.isNaN)
  map.setView(isSet ? [number(latitude), number(longitude)] : [25, 10], isSet ? 15 : 2)
  marker.on("dragend", () => set(marker.getLatLng()))
  for (const input of [latitude, longitude]) input.addEventListener("input", show)
  show()
}

// The path of the lines of a box; `read` gives its points, `add` appends one.
export async function draw(box, bar, { read, add }) {
  const map = await open(box.dataset, bar, (position) => add(degrees(position)))
  const line = leaflet.polyline([], { color: "#0b57d0" }).addTo(map)
  const end = leaflet.marker([0, 0], { icon, keyboard: false, alt: "", interactive: false })
  let before = 0
  function show() {
    const points = read()
    const isOther = Math.abs(points.length - before) > 1
    before = points.length
    line.setLatLngs(points)
    if (!points.length) return void end.remove()
    end.setLatLng(points.at(-1)).addTo(map)
    if (isOther || !map.getBounds().contains(points.at(-1))) map.fitBounds(line.getBounds().pad(0.1), { maxZoom: 15 })
  }
  map.setView([25, 10], 2)
  box.addEventListener("input", show)
  show()
}
