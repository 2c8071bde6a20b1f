// The toolbar of the rich-text editor, one stop for the Tab key; arrow keys move within it.
import { pm } from "./vendor/prose-editor.js"
import { isMarked, toggle } from "./rich-text-model.js"

export function toolbar(box, editor, open) {
  const bar = box.querySelector("[role=toolbar]")
  const { schema } = editor
  const paragraph = bar.querySelector("[data-paragraph]")
  const more = bar.querySelector("[data-more]")
  const isImageOffered = Boolean(box.querySelector("[data-dialog=image]").dataset.url)

  // Only what the server keeps.
  for (const button of bar.querySelectorAll("[data-mark]")) button.hidden = !schema.marks[button.dataset.mark]
  for (const option of more.querySelectorAll("[value^='mark ']")) if (!schema.marks[option.value.slice(5)]) option.remove()
  if (!isImageOffered) bar.querySelector("[data-open=image]").remove()

  const actions = {
    undo: () => editor.commands.undo(),
    redo: () => editor.commands.redo(),
    bulletList: () => editor.chain().focus().toggleBulletList().run(),
    orderedList: () => editor.chain().focus().toggleOrderedList().run(),
    blockquote: () => editor.chain().focus().toggleBlockquote().run(),
    table: () => editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    rule: () => editor.chain().focus().setHorizontalRule().run(),
    details: () => insert("details", [["summary", []], ["paragraph"]]),
    terms: () => insert("dl", [["dt", []], ["dd", []]]),
    find: () => open("find"),
    caption, footnote,
    fullScreen() {
      const isFull = box.classList.toggle("full-screen")
      bar.querySelector("[data-do=fullScreen]").ariaPressed = String(isFull)
      editor.view.focus()
    },
  }

  function insert(name, parts) {
    const text = { type: "paragraph" }
    const content = parts.map(([type, inner]) => (inner ? { type, content: [text] } : { type }))
    const { from } = editor.state.selection
    editor.chain().focus().insertContent({ type: name, content }).run()
    // Into its first part.
    let inside = null
    editor.state.doc.nodesBetween(Math.max(0, from - 2), editor.state.doc.content.size, (node, position) => {
      if (inside === null && node.type.name === name && position >= from - 2) inside = position
    })
    if (inside !== null) editor.commands.setTextSelection(inside + 3)
  }

  // Before the table with the selection.
  function caption() {
    const { $from } = editor.state.selection
    for (let depth = $from.depth; depth > 0; depth--) {
      if ($from.node(depth).type.name !== "table") continue
      const position = $from.before(depth)
      const before = editor.state.doc.resolve(position).nodeBefore
      if (before?.type.name === "caption") return editor.chain().focus().setTextSelection(position - 1).run()
      return editor.chain().focus().insertContentAt(position, { type: "caption" }).setTextSelection(position + 1).run()
    }
  }

  // A link here, its note at the end of the text, and a link back.
  function footnote() {
    const used = new Set()
    editor.state.doc.descendants((node) => { if (node.attrs.id) used.add(node.attrs.id.replace(/^content-/, "")) })
    let number = 1
    while (used.has(`note-${number}`)) number += 1
    const link = (id, text) => ({ type: "text", text, marks: [{ type: "link", attrs: { href: `#${id}` } }] })
    const item = {
      type: "listItem", attrs: { id: `note-${number}` },
      content: [{ type: "paragraph", content: [{ type: "text", text: " " }, link(`reference-${number}`, "↩")] }],
    }
    const raised = link(`note-${number}`, String(number))
    raised.marks.push({ type: "sup" })
    editor.chain().focus().insertContent([{ type: "anchor", attrs: { id: `reference-${number}` } }, raised]).run()
    const { doc } = editor.state
    const last = doc.lastChild
    const isNotes = last?.type.name === "orderedList" && /^(content-)?note-/.test(last.lastChild?.attrs.id ?? "")
    const end = doc.content.size
    editor.chain().insertContentAt(isNotes ? end - 1 : end, isNotes ? item : { type: "orderedList", content: [item] })
      .setTextSelection(isNotes ? end + 1 : end + 3).focus().scrollIntoView().run()
  }

  function run(value) {
    const [kind, name] = value.split(" ")
    if (kind === "mark") toggle(editor, name)
    else if (kind === "open") open(name)
    else if (kind === "do") actions[name]()
    else if (kind === "table") editor.chain().focus()[name]().run()
    else if (kind === "clear") editor.chain().focus().unsetAllMarks().clearNodes().run()
  }

  bar.addEventListener("click", (event) => {
    const button = event.target.closest("button")
    if (!button) return
    if (button.dataset.mark) run(`mark ${button.dataset.mark}`)
    else if (button.dataset.open) open(button.dataset.open)
    else actions[button.dataset.do]()
  })
  more.addEventListener("change", () => {
    const { value } = more
    more.value = ""
    if (value) run(value)
  })
  paragraph.addEventListener("change", () => {
    const { value } = paragraph
    if (value === "paragraph" || value === "pre") editor.chain().focus().setNode(value).run()
    else editor.chain().focus().setNode("heading", { level: Number(value) }).run()
  })

  const stops = () => [...bar.querySelectorAll("button, select")].filter((stop) => !stop.hidden && !stop.disabled)
  const enter = (stop) => {
    for (const other of stops()) other.tabIndex = other === stop ? 0 : -1
    stop.focus()
  }
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (event.key === "Escape") editor.view.focus()
    else if (event.key === "Home") enter(stops()[0])
    else if (event.key === "End") enter(stops().at(-1))
    else if (step) {
      const all = stops()
      enter(all[(all.indexOf(document.activeElement) + (bar.matches(":dir(rtl)") ? -step : step) + all.length) % all.length])
    } else return
    event.preventDefault()
  })
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && box.classList.contains("full-screen")) actions.fullScreen()
  })

  function update() {
    const set = (selector, isOn) => { bar.querySelector(selector)?.setAttribute("aria-pressed", String(isOn)) }
    for (const button of bar.querySelectorAll("[data-mark]")) {
      button.ariaPressed = String(isMarked(editor, button.dataset.mark))
    }
    set("[data-open=link]", editor.isActive("link"))
    set("[data-open=image]", editor.isActive("img"))
    for (const name of ["bulletList", "orderedList", "blockquote"]) set(`[data-do=${name}]`, editor.isActive(name))
    // Without effect they stay focusable, so that the focus isn't lost.
    bar.querySelector("[data-do=undo]").ariaDisabled = String(!pm.history.undoDepth(editor.state))
    bar.querySelector("[data-do=redo]").ariaDisabled = String(!pm.history.redoDepth(editor.state))
    paragraph.value = editor.isActive("pre") ? "pre" : editor.isActive("heading") ? String(editor.getAttributes("heading").level) : "paragraph"
    more.querySelector("[data-only=table]").disabled = !editor.isActive("table")
  }

  bar.hidden = false
  for (const [index, stop] of stops().entries()) stop.tabIndex = index ? -1 : 0
  return { update, focus: () => stops().find((stop) => stop.tabIndex === 0)?.focus() }
}
