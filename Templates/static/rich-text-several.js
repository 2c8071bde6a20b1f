// Several images that are inserted together, each with its own texts.

/** `template` is the line of an image; `keep` saves what is typed about one, and `removed` is called when one is removed. */
export function several(list, template, keep, removed) {
  const lines = []

  function remove(entry) {
    lines.splice(lines.indexOf(entry), 1)
    entry.line.remove()
    removed()
  }

  function add(media, { alt, caption = "" }) {
    const line = list.appendChild(template.content.firstElementChild.cloneNode(true))
    const field = (name) => line.querySelector(`[name=${name}]`)
    const image = document.createElement("img")
    Object.assign(image, { src: media.thumbnail, alt: media.name })
    line.prepend(image)
    field("each_alt").value = alt
    field("each_caption").value = caption
    const button = line.querySelector("button")
    button.setAttribute("aria-label", `${button.textContent}: ${media.name}`)
    const entry = {
      media, line, typed: keep(field("each_alt"), () => entry.media),
      get alt() { return field("each_alt").value.trim() },
      get caption() { return field("each_caption").value.trim() },
      focus: () => field("each_alt").focus(),
    }
    button.addEventListener("click", () => remove(entry))
    lines.push(entry)
    return entry
  }

  return {
    add, remove,
    get lines() { return [...lines] },
    find: (id) => lines.find(({ media }) => media.id === id),
    clear() {
      lines.length = 0
      list.replaceChildren()
    },
  }
}
