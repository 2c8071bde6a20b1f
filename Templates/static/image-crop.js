// Shows the crop and the focal point on the image: dragged, or moved with the arrow keys. The numbers of the form are the values.

const names = ["crop_x", "crop_y", "crop_width", "crop_height", "focus_x", "focus_y"]
const least = 1
const limited = (number, from, to) => Math.min(to, Math.max(from, number))
const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

function shape(name, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name)
  for (const [key, text] of Object.entries(attributes)) element.setAttribute(key, text)
  return parent.appendChild(element)
}

// `input` finds the input of a name; `reset` is the button for the whole image. The image has its size in pixels as attributes.
export function mount(box, input, reset) {
  const image = box.querySelector("img")
  const [width, height] = [Number(image.getAttribute("width")), Number(image.getAttribute("height"))]
  const value = (name) => {
    const number = Number(input(name).value.replace(",", "."))
    return Number.isFinite(number) ? number : 0
  }
  const set = (name, number) => {
    input(name).value = String(Math.round(number * 10) / 10)
    input(name).dispatchEvent(new Event("input", { bubbles: true }))
  }

  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
  svg.setAttribute("preserveAspectRatio", "none")
  // About 11 pixels on the screen.
  const unit = 11 * width / Math.max(100, image.getBoundingClientRect().width)
  const shade = shape("path", { class: "shade", "fill-rule": "evenodd" }, svg)
  const frame = shape("rect", { class: "frame", "stroke-width": unit / 6 }, svg)

  // Where each handle is, in percent, and how it moves.
  const handles = {
    start: {
      at: () => [value("crop_x"), value("crop_y")],
      to(x, y) {
        const [right, bottom] = [value("crop_x") + value("crop_width"), value("crop_y") + value("crop_height")]
        const [left, top] = [limited(x, 0, right - least), limited(y, 0, bottom - least)]
        set("crop_x", left)
        set("crop_y", top)
        set("crop_width", right - left)
        set("crop_height", bottom - top)
      },
    },
    end: {
      at: () => [value("crop_x") + value("crop_width"), value("crop_y") + value("crop_height")],
      to(x, y) {
        set("crop_width", limited(x, value("crop_x") + least, 100) - value("crop_x"))
        set("crop_height", limited(y, value("crop_y") + least, 100) - value("crop_y"))
      },
    },
    focus: {
      at: () => [value("focus_x"), value("focus_y")],
      to(x, y) {
        set("focus_x", limited(x, 0, 100))
        set("focus_y", limited(y, 0, 100))
      },
    },
  }

  function draw() {
    const [left, top, right, bottom] = [...handles.start.at(), ...handles.end.at()].map((number, index) =>
      number * (index % 2 ? height : width) / 100)
    shade.setAttribute("d", `M0 0H${width}V${height}H0ZM${left} ${top}H${right}V${bottom}H${left}Z`)
    for (const [key, number] of Object.entries({ x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) }))
      frame.setAttribute(key, number)
    for (const { element, at } of Object.values(handles)) {
      const [x, y] = at()
      element.setAttribute("transform", `translate(${x * width / 100} ${y * height / 100})`)
      element.setAttribute("aria-valuenow", String(Math.round(x)))
      element.setAttribute("aria-valuetext", box.dataset.position.replace("%x", Math.round(x)).replace("%y", Math.round(y)))
    }
  }

  for (const [name, handle] of Object.entries(handles)) {
    const element = shape("g", {
      class: "handle", tabindex: "0", role: "slider", "stroke-width": unit / 5, "aria-valuemin": "0", "aria-valuemax": "100",
      "aria-label": box.dataset[`${name}Label`],
    }, svg)
    handle.element = element
    // Large enough for a finger.
    shape("circle", { class: "grip", r: unit * 2 }, element)
    if (name === "focus") {
      shape("circle", { r: unit }, element)
      shape("circle", { r: unit / 5 }, element)
    } else shape("rect", { x: -unit / 1.5, y: -unit / 1.5, width: unit * 4 / 3, height: unit * 4 / 3 }, element)
    element.addEventListener("keydown", (event) => {
      const step = steps[event.key]
      if (!step || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      const size = event.shiftKey ? 10 : 1
      const [x, y] = handle.at()
      handle.to(x + step[0] * size, y + step[1] * size)
      draw()
    })
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId)
      event.preventDefault()
      element.focus()
    })
    element.addEventListener("pointermove", (event) => {
      if (!element.hasPointerCapture(event.pointerId)) return
      const area = svg.getBoundingClientRect()
      handle.to((event.clientX - area.left) / area.width * 100, (event.clientY - area.top) / area.height * 100)
      draw()
    })
  }

  // A click anywhere else moves the focal point.
  svg.addEventListener("pointerdown", (event) => {
    if (event.target !== svg) return
    const area = svg.getBoundingClientRect()
    handles.focus.to((event.clientX - area.left) / area.width * 100, (event.clientY - area.top) / area.height * 100)
    draw()
  })
  for (const name of names) input(name).addEventListener("change", draw)
  reset.hidden = false
  reset.onclick = () => {
    for (const [name, number] of Object.entries({ crop_x: 0, crop_y: 0, crop_width: 100, crop_height: 100 })) set(name, number)
    draw()
  }
  box.append(svg)
  draw()
}
