// Cleans what is pasted from Word, Google Docs and web pages: formats become elements, other styles are removed.

// Styles and event handlers get another name before the text is read: the page's policy forbids and reports them.
export function harmless(html) {
  return html.replaceAll(/<style\b[\s\S]*?<\/style\s*>/gi, "")
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(/(\s)(style|on[a-z]+)(?=\s*=)/gi, "$1data-$2"))
}

// Changes the elements of the clipboard in place.
export function clean(root) {
  const isWord = root.querySelector("[class^=Mso], [data-style*=mso-]") !== null
  // Comments of Word contain styles and second copies of its images.
  const comments = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT)
  const found = []
  while (comments.nextNode()) found.push(comments.currentNode)
  for (const comment of found) comment.remove()
  const useless = "style, script, template, noscript, meta, link, title, xml, o\\:p, colgroup, svg, math, canvas, button, input, select, textarea"
  for (const element of root.querySelectorAll(useless)) element.remove()
  if (isWord) readLists(root)
  readStyles(root)
  for (const element of root.querySelectorAll("h1")) rename(element, "h2")
  for (const element of root.querySelectorAll("strike")) rename(element, "s")
  for (const link of root.querySelectorAll("a[href]")) {
    const target = redirected(link.href)
    if (target) link.setAttribute("href", target)
    // A bookmark of the source.
    if (link.getAttribute("href").startsWith("#_") || link.protocol === "file:") link.replaceWith(...link.childNodes)
  }
  for (const link of root.querySelectorAll("a[name]:not([href])")) link.replaceWith(...link.childNodes)
  for (const image of root.querySelectorAll("img")) {
    const isTracker = Number(image.getAttribute("width")) === 1 && Number(image.getAttribute("height")) === 1
    // Files of the other computer, and images inside the text, can't be shown by the apps.
    if (isTracker || !/^https?:/.test(image.getAttribute("src") ?? "")) image.remove()
  }
  for (const player of root.querySelectorAll("iframe[src], video[src], audio[src]")) {
    const link = document.createElement("a")
    link.href = player.src
    link.textContent = player.title || player.src
    player.replaceWith(link)
  }
  for (const element of root.querySelectorAll("p, h2, h3, h4, h5, h6")) {
    // Some programs separate paragraphs by empty ones, with a non-breaking space or a line break in them.
    if (!element.textContent.replaceAll("\u00a0", " ").trim() && !element.querySelector("img")) element.remove()
  }
  // A paragraph that only a line break separates from the next, at the top.
  for (const line of root.querySelectorAll(":scope > br, .Apple-interchange-newline")) line.remove()
  return root
}

// Each format, as the server reads it: its element, equivalent elements, elements inside which it has no effect, and a
// function that returns true, false or undefined for a style. One that `propagates` is shown in all inner elements,
// whatever their styles are.
const headings = "h1, h2, h3, h4, h5, h6, th"
const formats = [
  {
    name: "strong", equivalents: ["b", "strong"], ineffectiveIn: headings,
    value: ({ fontWeight }) => isBold(fontWeight),
  },
  {
    name: "em", equivalents: ["i", "em"], ineffectiveIn: "cite",
    value: ({ fontStyle }) => isItalic(fontStyle),
  },
  {
    name: "u", equivalents: ["u"], ineffectiveIn: "ins, a", propagates: true,
    value: (style) => isDecorated(style, "underline"),
  },
  {
    name: "s", equivalents: ["s", "strike"], ineffectiveIn: "del", propagates: true,
    value: (style) => isDecorated(style, "line-through"),
  },
  {
    name: "sup", equivalents: ["sup"], ineffectiveIn: "sub", propagates: true,
    value: ({ verticalAlign }) => verticalAlign === "super" || undefined,
  },
  {
    name: "sub", equivalents: ["sub"], ineffectiveIn: "sup", propagates: true,
    value: ({ verticalAlign }) => verticalAlign === "sub" || undefined,
  },
]

function isBold(weight) {
  if (!weight || weight === "inherit") return undefined
  return weight.startsWith("bold") || Number(weight) >= 600
}

function isItalic(style) {
  return style ? /italic|oblique/.test(style) : undefined
}

// Dotted and wavy underlines mark abbreviations and spelling.
function isDecorated({ textDecorationLine, textDecorationStyle }, decoration) {
  if (!textDecorationLine || textDecorationLine === "inherit") return undefined
  return textDecorationLine.includes(decoration) && !["dotted", "dashed", "wavy"].includes(textDecorationStyle)
}

// Writes the formats as elements, and removes elements that a style contradicts, such as the bold wrapper of Google
// Docs, which is not bold.
function readStyles(root) {
  const styles = new Map()
  for (const element of root.querySelectorAll("[data-style]")) {
    const { style } = document.createElement("span")
    style.cssText = element.dataset.style
    const isHidden = style.display === "none" || style.visibility === "hidden" || /mso-hide:\s*all/.test(element.dataset.style)
    delete element.dataset.style
    if (isHidden) element.remove()
    else styles.set(element, style)
  }
  const texts = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) texts.push(walker.currentNode)
  for (const format of formats) {
    const { name, equivalents, ineffectiveIn } = format
    const values = texts.map((text) => valueOf(format, text, styles))
    const wrong = new Set([...root.querySelectorAll(equivalents.join())].filter((element) => {
      return styles.has(element) && format.value(styles.get(element)) === false
    }))
    texts.forEach((text, index) => {
      if (values[index] !== false) return
      for (let outer = text.parentElement; outer && outer !== root; outer = outer.parentElement) {
        if (equivalents.includes(outer.localName)) wrong.add(outer)
      }
    })
    for (const element of wrong) element.replaceWith(...element.childNodes)
    texts.forEach((text, index) => {
      const outer = text.parentElement
      if (!values[index] || outer.closest([...equivalents, ineffectiveIn].join())) return
      if (!text.data.trim() && outer.localName !== "span") return
      const inner = document.createElement(name)
      text.replaceWith(inner)
      inner.append(text)
    })
  }
}

// The value of the innermost element that has one.
function valueOf({ equivalents, propagates, value }, text, styles) {
  for (let outer = text.parentElement; outer; outer = outer.parentElement) {
    const style = styles.get(outer)
    const found = style && value(style)
    if (equivalents.includes(outer.localName)) return found ?? true
    // The style of an inner element doesn't end what propagates.
    if (found || (found === false && !propagates)) return found
  }
  return undefined
}

// Word writes items of lists as paragraphs with their level in the style and their bullet as text.
function readLists(root) {
  const levels = []
  let previous = null
  for (const item of root.querySelectorAll("p[data-style*=mso-list]")) {
    const style = item.dataset.style
    const level = Number(/level(\d)/.exec(style)?.[1] ?? 1)
    const marker = item.querySelector("[data-style*='mso-list:Ignore'], [data-style*='mso-list: Ignore']")
    const name = /^\s*(\d+|[a-z]|[ivx]+)[.)]/i.test(marker?.textContent ?? "") ? "ol" : "ul"
    marker?.remove()
    if (previous?.nextElementSibling !== item) levels.length = 0
    levels.length = Math.min(levels.length, level)
    if (levels.at(-1)?.localName !== name && levels.length === level) levels.pop()
    while (levels.length < level) {
      const list = document.createElement(name)
      const outer = levels.at(-1)
      if (outer) (outer.lastElementChild ?? outer.appendChild(document.createElement("li"))).append(list)
      else item.before(list)
      levels.push(list)
    }
    const entry = document.createElement("li")
    entry.append(...item.childNodes)
    levels.at(-1).append(entry)
    previous = levels[0]
    item.remove()
  }
}

function rename(element, name) {
  const other = document.createElement(name)
  for (const attribute of ["lang", "dir", "id"]) {
    if (element.hasAttribute(attribute)) other.setAttribute(attribute, element.getAttribute(attribute))
  }
  other.append(...element.childNodes)
  element.replaceWith(other)
}

// Google Docs leads all links through its own server.
function redirected(href) {
  if (!href.startsWith("https://www.google.com/url?")) return null
  return new URLSearchParams(href.slice(href.indexOf("?"))).get("q")
}
