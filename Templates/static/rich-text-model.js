// The document model of the rich-text editor: exactly the elements and attributes that the server keeps, no more and no less.
import {
  Blockquote, BulletList, Document, Extension, HardBreak, Heading, HorizontalRule, Link, ListItem, Mark, Node, OrderedList,
  Paragraph, Table, TableCell, TableHeader, TableRow, Text, markInputRule, pm, wrappingInputRule,
} from "./vendor/prose-editor.js"

// Keys and typed marks of inline elements; `**bold**` becomes bold.
const keys = {
  strong: "Mod-b", em: "Mod-i", u: "Mod-u", code: "Mod-e", s: "Mod-Shift-x", mark: "Mod-Shift-h", sub: "Mod-,", sup: "Mod-.",
}
const typed = {
  strong: /(?:^|\s)(\*\*(?!\s)([^*]+)(?<!\s)\*\*)$/,
  em: /(?:^|\s)(\*(?![\s*])([^*]+)(?<!\s)\*)$/,
  s: /(?:^|\s)(~~(?!\s)([^~]+)(?<!\s)~~)$/,
  code: /(?:^|\s)(`([^`]+)`)$/,
}
// The same element inside itself means something.
const nested = ["span", "bdi", "bdo"]
// What is typed after them is not part of them.
const closed = ["abbr", "time"]

function attributes(names) {
  return Object.fromEntries(names.map((name) => [name, {
    default: null,
    // A paragraph that is split has one id, not two.
    keepOnSplit: name !== "id",
    parseHTML: (element) => element.getAttribute(name),
  }]))
}

// Texts from elsewhere may have the element that only looks the same.
const twins = { strong: "b", em: "i", s: "del", u: "ins" }

export const isMarked = (editor, name) => editor.isActive(name) || Boolean(twins[name] && editor.isActive(twins[name]))

export function toggle(editor, name) {
  const chain = editor.chain().focus()
  const isTwin = twins[name] && editor.isActive(twins[name])
  return (isTwin ? chain.unsetMark(twins[name]).unsetMark(name) : chain.toggleMark(name)).run()
}

function inline(name, own) {
  return Mark.create({
    name,
    inclusive: !closed.includes(name),
    ...nested.includes(name) && { excludes: "" },
    addAttributes: () => attributes(own),
    parseHTML: () => [{ tag: name, getAttrs: name === "span" ? (element) => (element.lang || element.dir ? null : false) : undefined }],
    renderHTML: ({ HTMLAttributes }) => [name, HTMLAttributes, 0],
    addKeyboardShortcuts() {
      return keys[name] ? { [keys[name]]: () => toggle(this.editor, name) } : {}
    },
    addInputRules() { return typed[name] ? [markInputRule({ find: typed[name], type: this.type })] : [] },
  })
}

// An element that contains other blocks.
function container(name, content, group) {
  return Node.create({
    name, content, group, defining: true,
    parseHTML: () => [{ tag: name }],
    renderHTML: ({ HTMLAttributes }) => [name, HTMLAttributes, 0],
  })
}

const Preformatted = Node.create({
  name: "pre",
  group: "block", content: "inline*", defining: true, whitespace: "pre",
  addOptions: () => ({ names: [] }),
  addAttributes() { return attributes(this.options.names) },
  parseHTML: () => [{ tag: "pre", preserveWhitespace: "full" }],
  renderHTML: ({ HTMLAttributes }) => ["pre", HTMLAttributes, 0],
  addKeyboardShortcuts() {
    const isIn = () => this.editor.isActive("pre")
    return {
      "Mod-Alt-c": () => this.editor.commands.toggleNode("pre", "paragraph"),
      Enter: () => isIn() && this.editor.commands.insertContent({ type: "text", text: "\n" }),
      "Mod-Enter": () => isIn() && this.editor.commands.exitCode(),
    }
  },
})

const Image = Node.create({
  name: "img",
  group: "inline", inline: true, draggable: true,
  addOptions: () => ({ names: [] }),
  addAttributes() { return attributes(this.options.names) },
  parseHTML: () => [{ tag: "img[src]" }],
  renderHTML: ({ HTMLAttributes }) => ["img", HTMLAttributes],
})

// The target of a link in the same text.
const Anchor = Node.create({
  name: "anchor",
  group: "inline", inline: true, atom: true, selectable: false,
  addAttributes: () => attributes(["id"]),
  parseHTML: () => [{ tag: "span[id]", priority: 60, getAttrs: (element) => (element.firstChild ? false : null) }],
  renderHTML: ({ HTMLAttributes }) => ["span", HTMLAttributes],
})

// The caption of the next table. A table contains only rows here, so it stands before it; see `read` and `write`.
const TableCaption = Node.create({
  name: "caption",
  group: "block", content: "inline*", defining: true,
  parseHTML: () => [{ tag: "p[data-caption]", priority: 60 }],
  renderHTML: ({ HTMLAttributes }) => ["p", { ...HTMLAttributes, "data-caption": "" }, 0],
})

// Without attributes for the looks, which the server removes.
const plain = { addAttributes: () => ({}) }
const cell = (own) => ({
  addAttributes() {
    const { colspan, rowspan, colwidth } = this.parent()
    return { ...attributes(own.filter((name) => name === "scope")), colspan, rowspan, colwidth: { ...colwidth, rendered: false } }
  },
})

export function extensions(kept) {
  const own = (name) => [...kept.attributesOfAll, ...(kept.attributes[name] ?? [])]
  const blocks = {
    paragraph: Paragraph, heading: Heading.configure({ levels: [2, 3, 4, 5, 6] }), blockquote: Blockquote,
    bulletList: BulletList,
    // The package's own shows no numbers but from 1 on, and takes none that are typed.
    orderedList: OrderedList.extend({
      addAttributes: () => attributes(kept.attributes.ol), addNodeView: null,
      renderHTML: ({ HTMLAttributes }) => ["ol", HTMLAttributes, 0],
      addInputRules() {
        const isNext = ([, number], { childCount, attrs }) => childCount + Number(attrs.start ?? 1) === Number(number) && attrs.reversed === null
        const start = ([, number]) => ({ start: number === "1" ? null : number })
        return [wrappingInputRule({ find: /^(\d{1,4})\.\s$/, type: this.type, getAttributes: start, joinPredicate: isNext })]
      },
    }),
    listItem: ListItem.extend({ content: "block+", addAttributes: () => attributes(kept.attributes.li) }),
    pre: Preformatted.configure({ names: kept.attributes.pre }),
    dl: container("dl", "(dt | dd)+", "block"), dt: container("dt", "block+"), dd: container("dd", "block+"),
    figure: container("figure", "(block | figcaption)+", "block"), figcaption: container("figcaption", "block+"),
    details: container("details", "(block | summary)+", "block").extend({
      addAttributes: () => attributes(kept.attributes.details),
      // Its content is always visible here; see `write`.
      renderHTML: ({ HTMLAttributes: { open, ...others } }) => {
        return ["details", { ...others, open: "", ...(open === null || open === undefined) && { "data-closed": "" } }, 0]
      },
    }),
    summary: container("summary", "block+"),
    caption: TableCaption,
    table: Table.extend({
      ...plain,
      renderHTML: ({ HTMLAttributes }) => ["table", HTMLAttributes, ["tbody", 0]],
    }).configure({ resizable: false }),
    tableRow: TableRow.extend({
      addAttributes: () => ({
        section: {
          default: "tbody", keepOnSplit: true,
          parseHTML: (element) => element.parentElement?.localName ?? "tbody",
          renderHTML: ({ section }) => (section === "tbody" ? {} : { "data-section": section }),
        },
      }),
    }),
    tableCell: TableCell.extend(cell(kept.attributes.td)), tableHeader: TableHeader.extend(cell(kept.attributes.th)),
  }
  const link = Link.extend({
    addAttributes: () => attributes(own("a")),
    addKeyboardShortcuts: () => ({}),
    renderHTML: ({ HTMLAttributes }) => ["a", HTMLAttributes, 0],
  }).configure({ openOnClick: false, autolink: true, linkOnPaste: true, defaultProtocol: "https", protocols: ["mailto", "tel"] })
  warn(kept)
  return [
    Document, Text, ...Object.values(blocks), HardBreak, HorizontalRule, Image.configure({ names: own("img") }), Anchor,
    link, ...kept.inlines.filter((name) => name !== "a").sort((a, b) => rank(a) - rank(b)).map((name) => inline(name, own(name))),
    Extension.create({
      name: "attributesOfAll",
      addGlobalAttributes: () => [{ types: Object.keys(blocks), attributes: attributes(kept.attributesOfAll) }],
    }),
  ]
}

// The elements of the nodes above.
const written = [
  "p", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "figure", "details", "ul", "ol", "dl", "table", "li", "dt", "dd", "figcaption",
  "summary", "caption", "thead", "tbody", "tfoot", "tr", "td", "th", "br", "hr", "img",
]

// An element that only one side knows would be lost in the editor, or after it.
function warn({ paragraphs, containers, structures, children, empty }) {
  const listed = new Set([...paragraphs, ...containers, ...structures, ...Object.keys(children), ...empty])
  const different = [...[...listed].filter((name) => !written.includes(name)), ...written.filter((name) => !listed.has(name))]
  if (different.length) console.error(`The editor and the server keep different elements: ${different.join(", ")}`)
}

// Ruby stands around its parts.
const rank = (name) => ["ruby", "rb", "rt", "rp"].indexOf(name)

// Whether nothing but the elements around a node comes before it.
function startsWith(element, node) {
  for (let inner = node; inner !== element; inner = inner.parentNode) if (inner.previousSibling) return false
  return true
}

// The document of sanitized elements, as JSON.
export function read(content, schema) {
  for (const caption of content.querySelectorAll("table > caption")) {
    const before = document.createElement("p")
    before.dataset.caption = ""
    for (const { name, value } of caption.attributes) before.setAttribute(name, value)
    before.append(...caption.childNodes)
    caption.parentElement.before(before)
    caption.remove()
  }
  // The server writes the id of a link as an element of its own, before the first character. There the cursor would stop twice.
  for (const anchor of content.querySelectorAll("a[href]:not([id]) span[id]:empty")) {
    const link = anchor.closest("a")
    if (anchor.nextSibling?.nodeName !== "#text" || !startsWith(link, anchor)) continue
    link.id = anchor.id
    anchor.remove()
  }
  return pm.model.DOMParser.fromSchema(schema).parse(content).toJSON()
}

const inert = document.implementation.createHTMLDocument()

// The document as HTML; empty without any content.
export function write(node) {
  if (isEmpty(node)) return ""
  const root = inert.createElement("div")
  pm.model.DOMSerializer.fromSchema(node.type.schema).serializeFragment(node.content, { document: inert }, root)
  for (const table of root.querySelectorAll("table")) {
    // Rows of headings at the top are the head.
    for (const row of table.querySelectorAll(":scope > tbody > tr:not([data-section])")) {
      if (![...row.children].every((cell) => cell.localName === "th")) break
      row.dataset.section = "thead"
    }
  }
  for (const closed of root.querySelectorAll("details[data-closed]")) {
    closed.removeAttribute("open")
    delete closed.dataset.closed
  }
  for (const row of root.querySelectorAll("tr")) divide(row)
  for (const table of root.querySelectorAll("table")) {
    for (const section of [...table.children]) if (!section.firstElementChild) section.remove()
  }
  for (const before of root.querySelectorAll("p[data-caption]")) {
    delete before.dataset.caption
    const table = before.nextElementSibling
    if (table?.localName !== "table" || !before.firstChild) continue
    const caption = inert.createElement("caption")
    for (const { name, value } of before.attributes) caption.setAttribute(name, value)
    caption.append(...before.childNodes)
    before.remove()
    table.prepend(caption)
  }
  for (const outer of root.querySelectorAll("li, dt, dd, td, th, figcaption, summary, figure")) tighten(outer)
  return root.innerHTML
}

// Moves a row into its section of the table.
function divide(row) {
  const section = row.dataset.section
  delete row.dataset.section
  if (!section) return
  const table = row.closest("table")
  const last = section === "thead" ? table.querySelector(":scope > thead") : table.lastElementChild
  if (last?.localName === section) return void last.append(row)
  const created = inert.createElement(section)
  created.append(row)
  if (section === "thead") table.prepend(created)
  else table.append(created)
}

// Writes a single paragraph of an item, a cell or a caption without its tags.
function tighten(outer) {
  const first = outer.firstElementChild
  const rest = [...outer.children].slice(1)
  if (first?.localName !== "p" || first.attributes.length) return
  if (rest.every((element) => ["ul", "ol", "figcaption"].includes(element.localName))) first.replaceWith(...first.childNodes)
}

function isEmpty(node) {
  if (node.textContent.trim()) return false
  let isBare = true
  node.descendants((inner) => { if (["img", "horizontalRule", "table"].includes(inner.type.name)) isBare = false })
  return isBare
}
