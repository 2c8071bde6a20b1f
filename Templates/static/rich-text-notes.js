// Footnotes: references in the text, and their notes in a numbered list. Both are numbered in the order of the references,
// whatever their ids are, and the one goes with the other.
import { Extension, pm } from "./vendor/prose-editor.js"

// The server writes `content-` before ids.
const patterns = { note: /^#?(?:content-)?note-(\d+)$/, reference: /^#?(?:content-)?reference-(\d+)$/ }

// 0 for other ids and links.
const numberIn = (text, kind) => Number(patterns[kind].exec(text ?? "")?.[1] ?? 0)
const markOf = (node, name) => node.marks.find(({ type }) => type.name === name)
const numberInLink = (node, kind) => (node.isText ? numberIn(markOf(node, "link")?.attrs.href, kind) : 0)
// Whether a node is a list that contains notes.
const isList = (node) => node?.type.name === "orderedList" && node.children.some((item) => numberIn(item.attrs.id, "note"))

// The number in the id of the note that a text refers to. A reference is raised; other links to a note stay as they are.
const referenceOf = (node) => (markOf(node, "sup") ? numberInLink(node, "note") : 0)

/** Whether a text leads from a reference to its note, or back. */
export const isNoteLink = (node) => numberInLink(node, "note") + numberInLink(node, "reference") > 0

/** Whether a selection is in a note, or contains one. */
export function hasNote({ doc, selection: { from, to } }) {
  let isFound = false
  doc.nodesBetween(from, to, (node) => { isFound ||= numberIn(node.attrs.id, "note") > 0 })
  return isFound
}

const known = new WeakMap()
function scan(doc) {
  if (known.has(doc)) return known.get(doc)
  // `anchors` are elements of the text that a note leads back to without being its reference.
  const found = { references: [], anchors: [], notes: [], lists: [] }
  doc.descendants((node, position) => {
    const at = { node, position, end: position + node.nodeSize }
    const [note, reference] = [numberIn(node.attrs.id, "note"), numberIn(node.attrs.id, "reference")]
    if (reference) found.anchors.push({ ...at, number: reference })
    if (node.type.name === "listItem" && note) found.notes.push({ ...at, number: note })
    else if (isList(node)) found.lists.push(at)
    else if (referenceOf(node)) {
      const last = found.references.at(-1)
      // Another format may divide its digits.
      if (last?.end === position && last.number === referenceOf(node)) last.end = at.end
      else found.references.push({ ...at, number: referenceOf(node) })
    }
  })
  found.key = [found.references, found.notes].map((each) => each.map(({ number }) => number).join()).join("|")
  known.set(doc, found)
  return found
}

const numbers = (each) => new Set(each.map(({ number }) => number))

// A note goes at the end of the last list of notes, or of the text.
function append(tr, item) {
  const list = scan(tr.doc).lists.at(-1)
  if (list) tr.insert(list.end - 1, item)
  else tr.insert(tr.doc.content.size, item.type.schema.nodes.orderedList.create(null, item))
}

// A reference that is deleted takes its note with it, and the other way round. The note of one that is pasted again comes
// back.
function pair(tr, old, cut) {
  const current = scan(tr.doc)
  const [had, has] = [numbers(old.references), numbers(current.references)]
  const [hadNote, hasNote] = [numbers(old.notes), numbers(current.notes)]
  const isCut = ({ number }) => had.has(number) && !has.has(number)
  const gone = current.references.filter(({ number }) => had.has(number) && hadNote.has(number) && !hasNote.has(number))
  for (const { number, node } of old.notes) if (isCut({ number })) cut.set(number, node)
  for (const { node, position, end } of current.lists) {
    const items = current.notes.filter((note) => isCut(note) && position < note.position && note.end < end)
    // A list without items is none.
    if (items.length === node.childCount) gone.push({ position, end })
    else gone.push(...items)
  }
  const start = tr.steps.length
  const moved = (position) => tr.mapping.slice(start).map(position)
  for (const { position, end } of gone) if (moved(position) < moved(end)) tr.delete(moved(position), moved(end))
  for (const number of has) if (!had.has(number) && !hasNote.has(number) && cut.has(number)) append(tr, cut.get(number))
}

// The number, and an id for the first reference to a note, to which the note leads back.
function rewrite(tr, { number, node, position, end }, text, hasID) {
  const shown = tr.doc.textBetween(position, end)
  const link = markOf(node, "link")
  // Somebody may have written a sign instead of the number.
  const written = /^\d+$/.test(shown) ? text : shown
  if (written === shown && Boolean(link.attrs.id) === hasID) return
  const marks = link.type.create({ ...link.attrs, id: hasID ? `reference-${number}` : null }).addToSet(node.marks)
  tr.replaceWith(position, end, node.type.schema.text(written, marks))
}

// Writes the numbers, and moves the notes into their order, in one list.
function order(tr) {
  const { references, anchors, notes } = scan(tr.doc)
  const noted = numbers(notes)
  const sequence = [...numbers(references)].filter((number) => noted.has(number))
  const anchored = numbers(anchors)
  // From the end, so that the positions before it stay right.
  for (const reference of [...references].reverse()) {
    const { number } = reference
    if (!noted.has(number)) continue
    const isFirst = references.find((other) => other.number === number) === reference
    rewrite(tr, reference, String(sequence.indexOf(number) + 1), isFirst && !anchored.has(number))
  }
  const { lists } = scan(tr.doc)
  const last = lists.at(-1)
  if (!last || lists.some(({ end }, index) => end > lists[index + 1]?.position)) return
  // An item that is not a note belongs to the note before.
  const groups = []
  for (const item of lists.flatMap(({ node }) => node.children)) {
    const number = numberIn(item.attrs.id, "note")
    if (number || !groups.length) groups.push({ rank: number ? sequence.indexOf(number) : -1, items: [] })
    groups.at(-1).items.push(item)
    if (number && groups.at(-1).rank < 0) groups.at(-1).rank = Infinity
  }
  const sorted = [...groups].sort((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
  if (lists.length === 1 && sorted.every((group, index) => group === groups[index])) return
  tr.replaceWith(last.position + 1, last.end - 1, sorted.flatMap(({ items }) => items))
  for (const { position, end } of lists.slice(0, -1).reverse()) tr.delete(position, end)
}

// What is typed beside a reference is not part of it.
function unmarked(state) {
  const { selection: { empty, $from }, storedMarks } = state
  if (!empty || storedMarks || !$from.parent.inlineContent) return null
  const { nodeBefore, nodeAfter } = $from
  const number = nodeBefore ? referenceOf(nodeBefore) : 0
  if (!number || (nodeAfter && referenceOf(nodeAfter) === number)) return null
  return state.tr.setStoredMarks(nodeBefore.marks.filter(({ type }) => !["link", "sup"].includes(type.name)))
}

/** Keeps references and notes together, however they are changed. */
export const notes = Extension.create({
  name: "notes",
  addStorage: () => ({ cut: new Map() }),
  addProseMirrorPlugins() {
    const { cut } = this.storage
    return [new pm.state.Plugin({
      appendTransaction(transactions, before, after) {
        const isUndone = transactions.some((transaction) => transaction.getMeta("history$"))
        const old = scan(before.doc)
        if (!isUndone && scan(after.doc).key !== old.key) {
          const { tr } = after
          pair(tr, old, cut)
          order(tr)
          if (tr.docChanged) return tr
        }
        return unmarked(after)
      },
    })]
  },
})

/** Backspace at the start of a note deletes an empty one, whose reference follows; any other stays an item of its list. */
export function backspace({ state, view }) {
  const { empty, $from } = state.selection
  const depth = $from.depth - 1
  if (!empty || $from.parentOffset || depth < 2 || $from.index(depth)) return false
  const item = $from.node(depth)
  if (!numberIn(item.attrs.id, "note")) return false
  let isEmpty = !item.textContent.replace("↩", "").trim()
  item.descendants(({ type }) => { if (type.name === "img") isEmpty = false })
  if (!isEmpty) return true
  const outer = $from.node(depth - 1).childCount > 1 ? depth : depth - 1
  view.dispatch(state.tr.delete($from.before(outer), $from.after(outer)).scrollIntoView())
  return true
}

/** A pasted text that ends with notes: the text after it is not part of the last one. */
export function closed(slice) {
  return isList(slice.content.lastChild) ? new pm.model.Slice(slice.content, slice.openStart, 0) : slice
}

/** A number that no footnote has, nor one that may still be pasted again. */
export function nextNumber({ state, storage }) {
  const { references, anchors, notes } = scan(state.doc)
  return 1 + Math.max(0, ...numbers([...references, ...anchors, ...notes]), ...storage.notes.cut.keys())
}

/** A reference after the selection, and its note, with the cursor in it. */
export function addFootnote(editor) {
  const { state, view } = editor
  const { $to } = state.selection
  if (!$to.parent.inlineContent) return
  const { schema } = state
  const number = nextNumber(editor)
  const link = (href, id = null) => schema.marks.link.create({ href, id })
  const back = schema.text("↩", [link(`#reference-${number}`)])
  const paragraph = schema.nodes.paragraph.create(null, [schema.text(" "), back])
  // Undo leaves what was typed before.
  const tr = pm.history.closeHistory(state.tr)
  const marks = [link(`#note-${number}`, `reference-${number}`), schema.marks.sup.create()]
  tr.insert($to.pos, schema.text(String(number), marks))
  append(tr, schema.nodes.listItem.create({ id: `note-${number}` }, paragraph))
  view.dispatch(tr)
  const added = scan(editor.state.doc).notes.find((note) => note.number === number)
  editor.chain().setTextSelection(added.position + 2).focus().scrollIntoView().run()
}
