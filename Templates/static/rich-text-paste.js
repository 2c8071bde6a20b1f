// Cleans what is pasted from Word, Google Docs and web pages: formats become elements, other styles are removed, and what
// is lost is named.
import { joinLists, readLists, readMarkers } from "./rich-text-lists.js"
import { readFootnotes, readParagraphs, readReview, rename } from "./rich-text-office.js"
import { applySheet, readStyles } from "./rich-text-styles.js"

// The language and the styles of the text that is being pasted, which the parser leaves out.
let [language, sheet] = []

/** Styles and event handlers get another name before the text is read: the page's policy forbids and reports them. */
export function harmless(html) {
  language = /<(?:body|html)\b[^>]*?\slang\s*=\s*["']?([\w-]+)/i.exec(html)?.[1]
  const sheets = [...html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi)]
  sheet = sheets.map(([, text]) => text.replaceAll(/<!--|-->/g, "")).join("\n")
  return html.replaceAll(/<style\b[\s\S]*?<\/style\s*>/gi, "")
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/(\s)(style|on[a-z]+)(?=\s*=)/gi, "$1data-$2"))
    // ProseMirror takes a bare one with a space for a space, before the text is cleaned.
    .replaceAll(/<span\b[^<>]*?(?=\/?>)/gi, "$& class")
}

/** The alternative text of an image that the HTML of a clipboard consists of; null if it has anything else. */
export function imageAlone(html) {
  const bare = html.replaceAll(/<style\b[\s\S]*?<\/style\s*>|<!--[\s\S]*?-->|<!\[[^>]*>/gi, "")
  const images = bare.match(/<img\b[^>]*>/gi) ?? []
  if (images.length !== 1 || bare.replaceAll(/<[^>]*>|&nbsp;|\s/gi, "")) return null
  const alt = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(images[0])?.slice(1).find(Boolean) ?? ""
  const characters = { "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&" }
  return alt.replaceAll(/&(?:quot|#39|lt|gt|amp);/g, (name) => characters[name])
}

const unwrap = (element) => element.replaceWith(...element.childNodes)

/**
 * Changes the elements of the clipboard in place. `direction` is that of the editor, `number` that of the next footnote;
 * `report` takes how many of each kind are left out.
 */
export function clean(root, { direction, number, report }) {
  // A text of this editor is as it should be.
  const isOwn = root.querySelector("[data-pm-slice]") !== null
  const lost = new Map()
  const lose = (kind, count = 1) => { if (count) lost.set(kind, (lost.get(kind) ?? 0) + count) }
  if (!isOwn) removeUnused(root, lose)
  readFootnotes(root, number)
  if (!isOwn) {
    readStyles(root)
    renameElements(root)
    readTargets(root, lose)
    removeEmpty(root)
    removeNames(root)
    settle(root, direction)
  }
  // Plain text that is pasted next has neither.
  language = sheet = undefined
  report(lost)
}

// MARK: What nobody reads

// Elements that mean nothing to readers.
const useless = "style, template, noscript, meta, link, title, xml, o\\:p, colgroup, input[type=hidden]"
const kinds = [
  ["script", "script"], ["control", "button, input, select, textarea"],
  ["drawing", "svg:not([aria-hidden=true]), math, canvas"], [null, "svg"],
]

function removeUnused(root, lose) {
  applySheet(root, sheet)
  const isWord = root.querySelector("[class^=Mso], [data-style*=mso-]") !== null
  const isOffice = isWord || root.querySelector("meta[name=generator i][content*=Office i]") !== null
  // Comments of Word contain styles and second copies of its images.
  const comments = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_COMMENT)
  const found = []
  while (comments.nextNode()) found.push(comments.currentNode)
  for (const comment of found) comment.remove()
  for (const element of root.querySelectorAll(useless)) element.remove()
  readMarkers(root)
  for (const [kind, selector] of kinds) {
    for (const element of root.querySelectorAll(selector)) {
      if (kind) lose(kind)
      element.remove()
    }
  }
  // The menus of a page, unless nothing else was copied.
  for (const menu of root.querySelectorAll("nav, [role=navigation]")) {
    if (!root.contains(menu) || menu.textContent.trim() === root.textContent.trim()) continue
    lose("navigation")
    menu.remove()
  }
  for (const image of root.querySelectorAll("img")) if (isInvisible(image)) image.dataset.tracker = ""
  const spaces = root.querySelectorAll(".Apple-converted-space, [data-style*='mso-spacerun']")
  for (const space of spaces) space.replaceWith(" ")
  if (isOffice || root.querySelector("a[id^=cmnt_ref]")) readReview(root, lose)
  readParagraphs(root)
  if (isWord) readLists(root)
  joinLists(root)
  for (const element of root.querySelectorAll("[data-style]")) {
    const isHidden = /(?:^|[;\s])(?:display:\s*none|visibility:\s*hidden|mso-hide:\s*all)/i.test(element.dataset.style)
    if (!isHidden || !root.contains(element)) continue
    if (element.textContent.trim()) lose("hidden")
    element.remove()
  }
}

// By its attributes or its style.
function isInvisible(image) {
  return ["width", "height"].every((name) => {
    const styled = new RegExp(`(?:^|[;\\s])${name}:\\s*([\\d.]+)px`, "i").exec(image.dataset.style ?? "")
    return Number.parseFloat(styled?.[1] ?? image.getAttribute(name) ?? "") <= 1
  })
}

// MARK: Names of elements

// One that means the same, and is what the editor and the server write.
const names = { h1: "h2", b: "strong", i: "em", strike: "s", kbd: "code", samp: "code", tt: "code", acronym: "abbr" }

function renameElements(root) {
  for (const [name, other] of Object.entries(names)) {
    for (const element of root.querySelectorAll(name)) rename(element, other)
  }
  // Formats that are inside themselves.
  for (const element of root.querySelectorAll("strong strong, em em, u u, s s")) unwrap(element)
}

// MARK: Links, images, players

function readTargets(root, lose) {
  removeSharing(root, lose)
  for (const link of root.querySelectorAll("a[href]")) {
    const target = redirected(link.href)
    if (target) link.setAttribute("href", target)
    const href = link.getAttribute("href").trim()
    // A bookmark without what it leads to is of no use.
    const isInside = href.startsWith("#")
    if (isInside ? root.querySelector(`#${CSS.escape(href.slice(1))}`) : /^(https?:|mailto:|tel:)/i.test(href)) continue
    if (!isInside && link.textContent.trim()) lose("link")
    unwrap(link)
  }
  for (const image of root.querySelectorAll("img")) {
    const late = /^https?:/i.test(image.getAttribute("src") ?? "") ? null : lateSource(image)
    if (late) image.setAttribute("src", late)
    const source = image.getAttribute("src") ?? ""
    const isTracker = "tracker" in image.dataset
    if (!isTracker && /^https?:/i.test(source)) continue
    // Files of the other computer, and images inside the text, can't be shown by the apps.
    lose(isTracker ? "tracker" : /^file:/i.test(source) ? "file" : "image")
    image.remove()
  }
  for (const player of root.querySelectorAll("iframe[src], video[src], audio[src]")) {
    const link = root.ownerDocument.createElement("a")
    link.href = player.src
    link.textContent = player.title || player.src
    player.replaceWith(link)
    lose("player")
  }
}

// Programs that lead all links through a server of their own, with the parameter of the target.
const redirects = [
  [/^https:\/\/www\.google\.com\/url\?/, "q"],
  [/^https:\/\/[\w-]+\.safelinks\.protection\.outlook\.com\/(ap\/[\w-]+\/)?\?/, "url"],
  [/^https:\/\/l\.facebook\.com\/l\.php\?/, "u"],
]

function redirected(href) {
  const parameter = redirects.find(([start]) => start.test(href))?.[1]
  const target = parameter && new URL(href).searchParams.get(parameter)
  return /^(https?|mailto):/i.test(target ?? "") ? target : null
}

// The largest file of a `srcset` for a text that is at most 1,600 pixels wide.
function largest(srcset) {
  const files = [...(srcset ?? "").matchAll(/(\S*[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)/g)]
  const sized = files.map(([, url, size]) => ({ url, size: Number(size ?? 1) })).filter(({ url }) => /^https?:/i.test(url))
  const fitting = sized.filter(({ size }) => size <= 1600)
  return (fitting.length ? fitting : sized).sort((one, other) => other.size - one.size)[0]?.url
}

// Pages that load images late have another one there until then.
function lateSource(image) {
  const { src, lazySrc, srcset } = image.dataset
  const sources = [...image.closest("picture")?.querySelectorAll("source") ?? []]
  const all = [image, ...sources]
  const sets = [srcset, ...all.map((each) => each.getAttribute("srcset")), ...sources.map((source) => source.dataset.srcset)]
  return [src, lazySrc, ...sets.map(largest)].find((url) => /^https?:/i.test(url ?? ""))
}

// Pages that only share the page that was copied.
const sharing = new RegExp("^(?:https?://(?:www\\.)?(?:facebook\\.com/(?:sharer|dialog/share)|(?:twitter|x)\\.com/(?:intent|share)"
  + "|linkedin\\.com/(?:shareArticle|sharing)|reddit\\.com/submit|pinterest\\.[a-z.]+/pin/create|tumblr\\.com/(?:share|widgets/share)"
  + "|api\\.whatsapp\\.com/send|wa\\.me/\\?|t\\.me/share|telegram\\.me/share|bsky\\.app/intent|threads\\.net/intent)"
  + "|whatsapp://|mailto:\\?)", "i")

// Only links that stand alone, not words of a sentence.
function removeSharing(root, lose) {
  const links = [...root.querySelectorAll("a[href]")].filter((link) => sharing.test(link.getAttribute("href").trim()))
  const blockOf = (link) => link.closest("li, p, td, div, section, aside, article") ?? root
  const rest = new Map()
  for (const link of links) {
    const block = blockOf(link)
    rest.set(block, (rest.get(block) ?? block.textContent.replaceAll(/\s/g, "").length) - link.textContent.replaceAll(/\s/g, "").length)
  }
  const alone = links.filter((link) => rest.get(blockOf(link)) === 0)
  lose("sharing", alone.length)
  for (const link of alone) link.remove()
}

// Names that no link of the text leads to. The server removes them, too.
function removeNames(root) {
  const used = new Set([...root.querySelectorAll("a[href^='#']")].map((link) => link.getAttribute("href").slice(1)))
  for (const named of root.querySelectorAll("[id]")) if (!used.has(named.id)) named.removeAttribute("id")
  for (const code of root.querySelectorAll("pre[class], code[class]")) {
    if (!/\b(language|lang)-/.test(code.className)) code.removeAttribute("class")
  }
}

// MARK: Space

function removeEmpty(root) {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode
    // Programs write several spaces as non-breaking ones.
    if (text.parentElement.closest("pre")) continue
    text.data = text.data.replaceAll(/[ \u00a0]*\u00a0[ \u00a0]+|[ \u00a0]+\u00a0/g, " ")
    // Spaces before the first word of an element that the editor doesn't have would be before a paragraph's.
    const { previousSibling: before } = text
    const isFirst = !before || (before.nodeType === Node.ELEMENT_NODE && before.matches(blocks))
    if (isFirst && text.parentElement.matches(sections)) text.data = text.data.replace(/^[ \t\r\n\f]+/, "")
  }
  for (const element of root.querySelectorAll("p, h2, h3, h4, h5, h6, div:not(:has(*))")) {
    // Some programs separate paragraphs by empty ones, with a non-breaking space or a line break in them.
    if (!element.textContent.replaceAll("\u00a0", " ").trim() && !element.querySelector("img")) element.remove()
  }
  // Lists of buttons, whose items are empty now. Inner elements come first.
  for (const element of [...root.querySelectorAll("li, ul, ol")].reverse()) {
    if (!element.textContent.replaceAll("\u00a0", " ").trim() && !element.querySelector("img, hr, table")) element.remove()
  }
  // A line break beside a paragraph, which begins a line of its own.
  for (const line of root.querySelectorAll("br")) {
    const isBlock = (node) => !node || (node.nodeType === Node.ELEMENT_NODE && node.matches(blocks))
    const isBeside = ["previousSibling", "nextSibling"].some((side) => isBlock(neighbor(line, side)))
    if ((line.parentElement === root && isBeside) || line.matches(".Apple-interchange-newline")) line.remove()
  }
}

const blocks = "p, h2, h3, h4, h5, h6, ul, ol, dl, table, figure, blockquote, pre, div, hr"

function neighbor(node, side) {
  let other = node[side]
  while (other?.nodeType === Node.TEXT_NODE && !other.data.trim()) other = other[side]
  return other
}

// MARK: Language and direction

const sections = "div, section, article, main, header, footer, aside, center"
const wrappers = `${sections}, font`
const primary = (tag) => tag?.toLowerCase().split("-")[0]

// Language and direction stay where they differ from those around them.
function settle(root, direction) {
  // The editor has no such elements.
  for (const wrapper of root.querySelectorAll(wrappers)) {
    for (const name of ["lang", "dir"]) {
      if (!wrapper.hasAttribute(name)) continue
      const value = wrapper.getAttribute(name)
      for (const child of wrapper.children) if (!child.hasAttribute(name)) child.setAttribute(name, value)
    }
  }
  for (const element of root.querySelectorAll("[dir]")) {
    const outer = element.parentElement.closest("[dir]")?.getAttribute("dir") ?? direction
    const own = element.getAttribute("dir").toLowerCase()
    if (own === outer) element.removeAttribute("dir")
    else element.setAttribute("dir", own)
  }
  const main = language ?? document.documentElement.lang
  for (const element of root.querySelectorAll("[lang]")) {
    const outer = element.parentElement.closest("[lang]")?.getAttribute("lang") ?? main
    const own = canonical(element.getAttribute("lang"))
    if (!own || primary(own) === primary(outer)) element.removeAttribute("lang")
    else element.setAttribute("lang", own)
  }
}

// As it is usually written, such as fr-FR; nothing for what is no language, such as Word's x-none.
function canonical(tag) {
  if (/^(x-|zxx|und|mul)/i.test(tag)) return undefined
  try { return Intl.getCanonicalLocales(tag)[0] } catch { return undefined }
}
