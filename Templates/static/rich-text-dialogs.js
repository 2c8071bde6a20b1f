// The dialogs of the rich-text editor: link, video or sound; and those of attributes and images.
import { attributeDialogs } from "./rich-text-attributes.js"
import { dialog } from "./rich-text-dialog.js"
import { isEmbed, linkOf, pageOf } from "./rich-text-embeds.js"
import { images } from "./rich-text-images.js"

/** What opens each dialog. Contributors have only that of links. */
export function dialogs(box, editor, providers) {
  const opens = { link: link(box, editor), ...attributeDialogs(box, editor) }
  const image = box.querySelector("[data-dialog=image]")
  if (image?.dataset.url) opens.image = images(image, editor)
  if (box.querySelector("[data-dialog=embed]")) opens.embed = embed(box, editor, providers)
  return opens
}

// Browsers of before 2024 have no URL.parse.
function parsed(text) {
  try { return new URL(text) } catch { return null }
}

// The URL as the server accepts it; null if it doesn't.
function linkURL(text) {
  const trimmed = text.trim()
  if (/^#[\p{L}\p{N}._:-]+$/u.test(trimmed)) return trimmed
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(trimmed)) return `mailto:${trimmed}`
  if (/^\+?[\d ()-]{6,}$/.test(trimmed)) return `tel:${trimmed.replaceAll(/[ ()]/g, "")}`
  const url = parsed(/^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`)
  if (!url || !["http:", "https:", "mailto:", "tel:"].includes(url.protocol)) return null
  if (url.protocol.startsWith("http") && !url.hostname.includes(".") && url.hostname !== "localhost") return null
  return url.href
}

function link(box, editor) {
  const element = box.querySelector("[data-dialog=link]")
  const form = dialog(element, editor, () => {
    const href = linkURL(form.field("href").value)
    if (!href) return false
    const title = form.field("title").value.trim() || null
    const chain = editor.chain().focus().extendMarkRange("link")
    if (label.hidden) return chain.setMark("link", { href, title }).run() || true
    const text = form.field("text").value.trim() || href.replace(/^(https?:\/\/|mailto:|tel:)/, "").replace(/\/$/, "")
    // What is typed after it is not part of it.
    chain.insertContent({ type: "text", text, marks: [{ type: "link", attrs: { href, title } }] })
    return chain.command(({ tr }) => { tr.setStoredMarks([]); return true }).run() || true
  })
  // Without a selection, a new link has a text of its own.
  const label = form.field("text").parentElement
  let found = ""
  const remove = element.querySelector("[data-remove]")
  remove.addEventListener("click", () => {
    editor.chain().focus().extendMarkRange("link").unsetMark("link").run()
    form.close()
  })
  const find = element.querySelector("[data-find]")
  if (find) entries(find, element.querySelector(".rich-text-links"), (entry) => {
    form.field("href").value = entry.url
    // What was typed stays.
    if (form.field("text").value === found) form.field("text").value = found = entry.label
    form.field("href").focus()
  })
  return () => {
    const { href, title } = editor.getAttributes("link")
    form.field("href").value = href ?? ""
    form.field("title").value = title ?? ""
    form.field("text").value = found = ""
    label.hidden = Boolean(href) || !editor.state.selection.empty
    remove.hidden = !href
    form.open()
  }
}

// Searches the entries that have a page on the site.
function entries(find, list, choose) {
  const input = find.querySelector("input")
  let waiting
  async function search() {
    const query = input.value.trim()
    list.replaceChildren()
    if (!query) return
    const url = new URL(find.dataset.find, location)
    url.searchParams.set("q", query)
    const response = await fetch(url, { headers: { Accept: "application/json" } }).catch(() => null)
    if (query !== input.value.trim()) return
    const found = response?.ok ? (await response.json()).entries.filter((entry) => entry.url) : null
    if (!found?.length) return void (list.textContent = found ? list.dataset.none : list.dataset.failed)
    list.replaceChildren(...found.map((entry) => {
      const [line, button] = [document.createElement("li"), document.createElement("button")]
      Object.assign(button, { type: "button", dir: "auto", textContent: entry.label })
      button.addEventListener("click", () => { list.replaceChildren(); choose(entry) })
      line.append(button)
      return line
    }))
  }
  input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 250) })
}

// A paragraph of its own with a link to what is played.
function embed(box, editor, providers) {
  const element = box.querySelector("[data-dialog=embed]")
  const wrong = element.querySelector("[data-wrong]")
  const names = new Intl.ListFormat(document.documentElement.lang, { type: "disjunction" }).format(providers.map(({ name }) => name))
  wrong.dataset.wrong = wrong.dataset.wrong.replace("%s", names)
  const form = dialog(element, editor, () => {
    const href = pageOf(linkURL(form.field("href").value) ?? "", providers)
    if (!href) return false
    const text = form.field("title").value.trim() || href.replace(/^https?:\/\/(www\.)?/, "")
    const content = { type: "paragraph", content: [{ type: "text", text, marks: [{ type: "link", attrs: { href } }] }] }
    const { $from } = editor.state.selection
    const isReplaced = isEmbed($from.parent, providers) || ($from.parent.type.name === "paragraph" && !$from.parent.childCount)
    const range = isReplaced ? { from: $from.before(), to: $from.after() } : $from.after()
    editor.chain().focus().insertContentAt(range, [content, { type: "paragraph" }]).run()
    return true
  })
  return () => {
    const { parent } = editor.state.selection.$from
    const here = isEmbed(parent, providers) ? linkOf(parent) : null
    form.field("href").value = here?.marks[0].attrs.href ?? ""
    form.field("title").value = here?.text ?? ""
    form.open()
  }
}
