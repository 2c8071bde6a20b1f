// The toolbar of the rich-text editor, one stop for the Tab key; arrow keys move within it.
import { pm } from "./vendor/prose-editor.js"
import { isMarked, toggle } from "./rich-text-model.js"
import { addFootnote, hasNote, isNoteLink } from "./rich-text-notes.js"
import { arrange } from "./toolbar.js"

/** `kept` are the elements that the server keeps: the controls of others are removed. */
export function toolbar(box, editor, open, kept) {
  const bar = box.querySelector("[role=toolbar]")
  const paragraph = bar.querySelector("[data-paragraph]")
  // Contributors have no further formats.
  const more = bar.querySelector("[data-more]")
  const isImageOffered = Boolean(box.querySelector("[data-dialog=image]")?.dataset.url)

  const elements = new Set([
    ...kept.paragraphs, ...kept.inlines, ...kept.containers, ...kept.structures, ...Object.keys(kept.children), ...kept.empty,
  ])
  const made = new Set(kept.onlyKept)
  for (const control of bar.querySelectorAll("[data-makes]")) {
    const names = control.dataset.makes.split(" ")
    if (names.every((name) => elements.has(name))) names.forEach((name) => made.add(name))
    else control.remove()
  }
  const missing = [...elements].filter((name) => !made.has(name))
  if (more && missing.length) console.error(`The toolbar has nothing for ${missing.join(", ")}`)
  if (!isImageOffered) bar.querySelector("[data-open=image]")?.remove()

  const actions = {
    undo: () => editor.commands.undo(),
    redo: () => editor.commands.redo(),
    bulletList: () => editor.chain().focus().toggleBulletList().run(),
    orderedList: () => editor.chain().focus().toggleOrderedList().run(),
    blockquote: () => editor.chain().focus().toggleBlockquote().run(),
    table: () => editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    rule: () => editor.chain().focus().setHorizontalRule().run(),
    lineBreak: () => editor.chain().focus().setHardBreak().run(),
    details: () => insert("details", [["summary", []], ["paragraph"]]),
    terms: () => insert("dl", [["dt", []], ["dd", []]]),
    find: () => open("find"),
    caption, clear, deleteTable, fullScreen,
    footnote: () => addFootnote(editor),
  }

  // What is behind can't be reached meanwhile, but for dialogs, such as that of a session that ends.
  let behind = []
  function fullScreen() {
    const isFull = box.classList.toggle("full-screen")
    bar.querySelector("[data-do=fullScreen]").ariaPressed = String(isFull)
    for (const element of behind) element.inert = false
    behind = []
    for (let inner = box; isFull && inner !== document.body; inner = inner.parentElement) {
      const others = [...inner.parentElement.children].filter((element) => element !== inner)
      behind.push(...others.filter((element) => !element.inert && !element.matches("dialog")))
    }
    for (const element of behind) element.inert = true
    editor.view.focus()
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

  // The table with the selection, and its caption before it.
  function tableHere() {
    const { $from } = editor.state.selection
    let depth = $from.depth
    while (depth > 0 && $from.node(depth).type.name !== "table") depth -= 1
    if (!depth) return null
    const position = $from.before(depth)
    const { nodeBefore } = editor.state.doc.resolve(position)
    return { position, end: $from.after(depth), captionSize: nodeBefore?.type.name === "caption" ? nodeBefore.nodeSize : 0 }
  }

  function caption() {
    const { position, captionSize } = tableHere()
    if (captionSize) return editor.chain().focus().setTextSelection(position - 1).run()
    return editor.chain().focus().insertContentAt(position, { type: "caption" }).setTextSelection(position + 1).run()
  }

  function deleteTable() {
    const { position, end, captionSize } = tableHere()
    editor.chain().focus().deleteRange({ from: position - captionSize, to: end }).run()
  }

  // References to notes stay: without their link they would be none, and their notes lost.
  function clear() {
    const chain = editor.chain().focus().command(({ tr, state }) => {
      tr.setStoredMarks([])
      for (const { $from, $to } of state.selection.ranges) {
        state.doc.nodesBetween($from.pos, $to.pos, (node, position) => {
          if (!node.isText || isNoteLink(node)) return
          tr.removeMark(Math.max(position, $from.pos), Math.min(position + node.nodeSize, $to.pos))
        })
      }
      return true
    })
    // A note that is no item of a list any more is none.
    if (!hasNote(editor.state)) chain.clearNodes()
    chain.run()
  }

  function run(value) {
    const [kind, name] = value.split(" ")
    if (kind === "mark") toggle(editor, name)
    else if (kind === "open") open(name)
    else if (kind === "do") actions[name]()
    else if (kind === "table") editor.chain().focus()[name]().run()
  }

  bar.addEventListener("click", (event) => {
    const button = event.target.closest("button")
    if (!button) return
    if (button.dataset.mark) run(`mark ${button.dataset.mark}`)
    else if (button.dataset.open) open(button.dataset.open)
    else actions[button.dataset.do]()
  })
  more?.addEventListener("change", () => {
    const { value } = more
    more.value = ""
    if (value) run(value)
  })
  paragraph.addEventListener("change", () => {
    const { value } = paragraph
    if (value === "paragraph" || value === "pre") editor.chain().focus().setNode(value).run()
    else editor.chain().focus().setNode("heading", { level: Number(value) }).run()
  })

  /** Returns whether it was full screen. */
  function leaveFullScreen() {
    const isFull = box.classList.contains("full-screen")
    if (isFull) fullScreen()
    return isFull
  }

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
    for (const part of more?.querySelectorAll("[data-only]") ?? []) {
      part.disabled = !part.dataset.only.split(" ").some((name) => editor.isActive(name))
    }
  }

  return { update, leaveFullScreen, ...arrange(bar, () => editor.view.focus()) }
}
