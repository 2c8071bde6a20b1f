// The dialog of images of the rich-text editor: adds one, or changes the selected one.
import { mount } from "./image-crop.js"
import { showLeft } from "./limits.js"
import { dialog } from "./rich-text-dialog.js"
import { several } from "./rich-text-several.js"
import { saveTyped } from "./save-typed.js"
import { csrf, sendText, uploader } from "./uploads.js"

// The selected image, or the only one of the figure with the selection.
function selected(editor) {
  const { selection } = editor.state
  const { $from } = selection
  let figure = null
  for (let depth = $from.depth; depth > 0 && !figure; depth--) {
    if ($from.node(depth).type.name === "figure") figure = { node: $from.node(depth), position: $from.before(depth) }
  }
  if (selection.node?.type.name === "img") return { node: selection.node, position: selection.from, figure }
  const found = []
  figure?.node.descendants((node, offset) => {
    if (node.type.name === "img") found.push({ node, position: figure.position + 1 + offset, figure })
  })
  return found.length === 1 ? found[0] : null
}

function captionOf(figure) {
  let found = null
  figure?.node.forEach((node, offset) => {
    if (node.type.name === "figcaption") found = { node, position: figure.position + 1 + offset }
  })
  return found
}

export function images(element, editor) {
  const found = element.querySelector(".rich-text-found")
  const uploads = element.querySelector(".uploads")
  const area = element.querySelector("[data-area]")
  const accept = element.querySelector("[data-accept]")
  const one = element.querySelector("[data-single]")
  const wrong = element.querySelector("[data-wrong]")
  let chosen = null
  let changed = null
  // The alternative text that came with an image: other text was typed.
  let given = ""

  const form = dialog(element, editor, async () => {
    if (uploads.querySelector("progress")) return wrong.dataset.waiting
    const { lines } = group
    if (lines.length) return insertAll(lines)
    if (!chosen) return false
    await typed.done()
    const alt = form.field("alt").value.trim()
    const problem = await store(alt)
    if (problem) return problem
    const caption = form.field("caption").value.trim()
    if (changed) change(attributesOf(chosen, alt), caption)
    else editor.chain().focus().insertContent(figure(chosen, alt, caption)).run()
    return true
  })

  // The library gets the text of an image that was just added while it is typed; of another image, with Insert or Apply.
  const keep = (input, media) => saveTyped(input, async (text, options) => {
    const image = media()
    return !image?.isNew || image.alt ? true : (await sendText(element.dataset.url, image, text.trim(), options)).isSaved
  })
  const typed = keep(form.field("alt"), () => chosen)

  // Files that are added one after the other are inserted together; a single image also has its crop.
  let isUploaded = false
  const group = several(element.querySelector(".rich-text-several"), element.querySelector("[data-each]"), keep, () => {
    const [first, second] = group.lines
    if (first && !second) {
      group.clear()
      if (first.media.id !== chosen?.id) choose(first.media)
      isUploaded = true
      describe(first.alt)
      form.field("caption").value = first.caption
    }
    arrange()
  })

  function arrange() {
    one.hidden = group.lines.length > 0
    press()
  }

  function join(media) {
    if (!group.lines.length && media.id === chosen.id) return
    if (!group.lines.length) group.add(chosen, { alt: form.field("alt").value, caption: form.field("caption").value })
    if (!group.find(media.id)) group.add(media, media)
    arrange()
  }

  async function insertAll(lines) {
    // The first one may have been cropped while it was alone.
    const cropped = lines.find(({ media }) => media.id === chosen?.id)
    if (cropped) {
      const problem = await store("")
      if (problem) return problem
      cropped.media = chosen
    }
    for (const { media, alt, typed } of lines) {
      await typed.done()
      const problem = alt && !media.alt ? await save(media, [["alt", alt]]) : null
      if (problem) return problem
      media.alt ||= alt
    }
    editor.chain().focus().insertContent(lines.map(({ media, alt, caption }) => figure(media, alt, caption))).run()
    return true
  }

  const attributesOf = ({ url, width, height }, alt) => ({ src: url, alt, width: String(width), height: String(height) })
  const captioned = (text) => ({ type: "figcaption", content: [{ type: "paragraph", content: [{ type: "text", text }] }] })

  function figure(media, alt, caption) {
    const content = [{ type: "paragraph", content: [{ type: "img", attrs: attributesOf(media, alt) }] }]
    if (caption) content.push(captioned(caption))
    return { type: "figure", content }
  }

  // One step of undo. A caption that stays keeps its links.
  function change(attributes, caption) {
    const { node, position, figure } = changed
    const own = chosen.id ? attributes : { alt: attributes.alt }
    const transaction = editor.state.tr.setNodeMarkup(position, null, { ...node.attrs, ...own })
    const before = captionOf(figure)
    if (figure && caption !== (before?.node.textContent.trim() ?? "")) {
      const after = caption ? editor.schema.nodeFromJSON(captioned(caption)) : null
      if (before && after) transaction.replaceWith(before.position, before.position + before.node.nodeSize, after)
      else if (before) transaction.delete(before.position, before.position + before.node.nodeSize)
      else transaction.insert(figure.position + figure.node.nodeSize - 1, after)
    }
    editor.view.dispatch(transaction)
  }

  // Saves crop and focal point in the library, and the alternative text of an image without one: for other articles, and
  // because the image is published with it. Returns what is wrong.
  async function store(alt) {
    if (!chosen.id) return null
    const areas = Object.keys(chosen.area ?? {}).map((name) => [name, form.field(name).value]).filter(([name, value]) => value !== chosen.area[name])
    const values = alt && !chosen.alt ? [...areas, ["alt", alt]] : areas
    if (!values.length) return null
    return save(chosen, values, ({ url, width, height }) => {
      chosen = { ...chosen, alt: chosen.alt || alt, ...areas.length && { url, width, height, area: Object.fromEntries([...Object.entries(chosen.area), ...areas]) } }
    })
  }

  // Changes an image of the library. Returns what is wrong.
  async function save({ id }, values, saved = () => {}) {
    const response = await fetch(`${element.dataset.url}/${id}`, {
      method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams([["csrf", csrf()], ...values]),
    }).catch(() => null)
    if (response?.ok) {
      saved(await response.json())
      return null
    }
    const problem = await response?.json().catch(() => null)
    return problem?.errors?.map((error) => error.message).join(" ") ?? found.dataset.failed
  }

  function describe(text) {
    form.field("alt").value = given = text
    showLeft(form.field("alt"))
  }

  function press() {
    const isPressed = (id) => (group.lines.length ? Boolean(group.find(id)) : id === chosen?.id)
    for (const button of found.querySelectorAll("button")) button.ariaPressed = String(isPressed(button.value))
  }

  // What was typed, also while an image was sent, describes one without an alternative text of its own.
  function choose(media) {
    chosen = media
    isUploaded = false
    press()
    area.hidden = true
    if (!media) return
    const { value } = form.field("alt")
    const typed = value === given ? "" : value
    if (!changed || changed.node.attrs.src !== media.src) describe(media.alt || typed)
    if (media.id) frame(media)
  }

  // Shows the areas on the image of the library.
  async function frame(media) {
    const response = await fetch(`${element.dataset.url}/${media.id}`, { headers: { Accept: "application/json" } }).catch(() => null)
    if (chosen !== media || !response?.ok) return
    const { url, width, height, area: values } = await response.json()
    chosen.area = values
    for (const [name, value] of Object.entries(values)) form.field(name).value = value
    const image = document.createElement("img")
    Object.assign(image, { src: url, alt: "", width, height })
    const box = area.querySelector(".crop")
    box.replaceChildren(image)
    area.hidden = false
    // The handles follow the size on the screen.
    await image.decode().catch(() => {})
    if (chosen === media) mount(box, form.field, area.querySelector("button"))
  }

  function line(media) {
    const item = document.createElement("li")
    const button = item.appendChild(document.createElement("button"))
    Object.assign(button, { type: "button", value: media.id, title: media.name })
    button.addEventListener("click", () => {
      const entry = group.find(media.id)
      if (entry) group.remove(entry)
      else if (group.lines.length) join(media)
      else choose(media)
    })
    const small = button.appendChild(document.createElement("img"))
    Object.assign(small, { src: media.thumbnail, alt: media.alt || media.name, loading: "lazy" })
    return item
  }

  // Further pages of the library are added below.
  const more = element.querySelector("[data-next]")
  more.addEventListener("click", () => search({ q: form.field("q").value, cursor: more.dataset.next }))

  const page = async (query) => {
    const response = await fetch(`${element.dataset.url}?${new URLSearchParams(query)}`, { headers: { Accept: "application/json" } }).catch(() => null)
    return response?.ok ? response.json() : null
  }
  const added = []
  let asked = 0
  async function search(query) {
    const number = ++asked
    const result = await page(query)
    if (number !== asked) return
    const { images: listed = [], next } = result ?? {}
    // The list may have been read before they were added.
    const images = [...(query.q || query.cursor ? [] : added.filter(({ id }) => !listed.some((media) => media.id === id))), ...listed]
    const text = document.createElement("li")
    text.textContent = result ? found.dataset.none : found.dataset.failed
    if (query.cursor) found.append(...images.map(line))
    else found.replaceChildren(...images.length ? images.map(line) : [text])
    press()
    more.dataset.next = next ?? ""
    more.hidden = !next
  }
  let typing
  form.field("q").addEventListener("input", () => {
    clearTimeout(typing)
    typing = setTimeout(() => search({ q: form.field("q").value }), 200)
  })

  const upload = uploader(uploads, element.dataset.url, (media, item) => {
    // The dialog may have been closed meanwhile, and opened for something else.
    const isHere = element.open && uploads.contains(item)
    item.remove()
    media.isNew = !media.alt
    added.unshift(media)
    found.querySelector("li:not(:has(button))")?.remove()
    found.prepend(line(media))
    if (!isHere) return
    if (changed || (!group.lines.length && !isUploaded)) {
      choose(media)
      isUploaded = true
      // Typed while the file was on its way.
      if (form.field("alt").value) typed.now()
    } else join(media)
    // Who writes meanwhile goes on there.
    const { activeElement: active } = document
    if (active.matches("[name=q], [name=caption], [name=alt], [name^=each_]") && active.value && active.checkVisibility()) return
    const empty = group.lines.find(({ alt }) => !alt)
    if (empty) empty.focus()
    else if (!group.lines.length) form.field("alt").focus()
  })
  for (const name of ["file", "photo"]) {
    const input = form.field(name)
    input.addEventListener("change", () => {
      upload([...input.files])
      input.value = ""
    })
  }

  // The image of the library whose file it shows; one of another server has only its URL.
  async function start({ node }) {
    const { src, width, height } = node.attrs
    choose({ src, url: src, alt: node.attrs.alt ?? "", width, height })
    const here = chosen
    const file = src?.match(/[0-9a-f]{2}\/[0-9a-f]{62}\.(jpg|png)$/)?.[0]
    const [media] = file ? (await page({ file }))?.images ?? [] : []
    // Without another crop it keeps its file.
    if (media && chosen === here) choose({ ...media, src, url: src, width, height })
  }

  // Escape, or the back gesture of a phone, is easily a mistake: the texts are there again when the dialog is opened again for
  // the same image.
  const captionBefore = () => captionOf(changed?.figure)?.node.textContent.trim() ?? ""
  const isDescribed = () => (group.lines.length ? group.lines.some(({ media, alt, caption }) => caption || alt !== media.alt)
    : form.field("alt").value !== ((changed ? changed.node.attrs : chosen)?.alt ?? "") || form.field("caption").value !== captionBefore())
  let left = null
  element.addEventListener("close", () => {
    if (!element.returnValue && isDescribed()) left = { node: changed?.node }
  })

  return (files = [], alt = "") => {
    const image = files.length ? null : selected(editor)
    const isAgain = left && left.node === image?.node
    left = null
    changed = image
    if (isAgain) {
      form.open()
      return upload(files)
    }
    group.clear()
    arrange()
    for (const name of ["q", "caption"]) form.field(name).value = ""
    describe("")
    uploads.replaceChildren()
    accept.textContent = changed ? accept.dataset.change : accept.dataset.insert
    form.field("caption").closest("label").hidden = Boolean(changed && !changed.figure)
    choose(null)
    // What the clipboard says about its image is as if it were typed.
    form.field("alt").value = alt
    if (changed) {
      describe(changed.node.attrs.alt ?? "")
      form.field("caption").value = captionBefore()
      start(changed)
    }
    form.open()
    search({})
    upload(files)
  }
}
