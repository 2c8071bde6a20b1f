// Keys of the rich-text editor: from a term to its description and to the next term, out of the text, and those of the
// toolbar.
import { Extension, pm } from "./vendor/prose-editor.js"
import { backspace, hasNote } from "./rich-text-notes.js"

const isBare = (node) => node.childCount === 1 && node.firstChild.isTextblock && !node.firstChild.content.size

/** Enter at the end of a term, a description or a summary: what follows it, which is added if there is nothing yet. */
function enter({ state, view }) {
  const { $from, empty } = state.selection
  const depth = $from.depth - 1
  const part = depth > 0 ? $from.node(depth) : null
  const name = part?.type.name
  if (!empty || !["dt", "dd", "summary"].includes(name) || $from.pos + 1 !== $from.end(depth)) return false
  const { tr, schema: { nodes } } = state
  const [after, list] = [$from.after(depth), $from.node(depth - 1)]
  const next = list.maybeChild($from.index(depth - 1) + 1)
  let position = after
  if (name !== "summary" && isBare(part) && !next) {
    // An empty term or description at the end leaves the list.
    position = $from.after(depth - 1)
    tr.insert(position, nodes.paragraph.create())
    if (list.childCount > 1) tr.delete($from.before(depth), after)
    else tr.delete($from.before(depth - 1), position)
    position = tr.mapping.map(position, -1)
  } else if (name === "dd") tr.insert(after, nodes.dt.create(null, nodes.paragraph.create()))
  else if (name === "dt" && next?.type.name !== "dd") tr.insert(after, nodes.dd.create(null, nodes.paragraph.create()))
  else if (name === "summary" && !next) tr.insert(after, nodes.paragraph.create())
  tr.setSelection(pm.state.Selection.near(tr.doc.resolve(position), 1))
  view.dispatch(tr.scrollIntoView())
  return true
}

/** `open` opens a dialog, and returns whether there is one. */
export const keys = ({ open, focusToolbar }) => Extension.create({
  name: "keys",
  // Above those of the elements.
  priority: 200,
  addKeyboardShortcuts() {
    return {
      // A note is one item, whose number is that of its reference.
      Enter: () => enter(this.editor) || (hasNote(this.editor.state) && this.editor.commands.splitBlock()),
      Backspace: () => backspace(this.editor),
      "Mod-k": () => open("link"),
      "Mod-f": () => open("find"),
      "Alt-F10": () => { focusToolbar(); return true },
    }
  },
})

/**
 * In lists and tables Tab moves within them. After Escape it leaves the text, as everywhere; `escape` may take the key
 * first, and `say` announces it.
 */
export function leaving(escape, say) {
  let isLeaving = false
  return {
    keydown(_, event) {
      if (event.isComposing) return false
      if (event.key === "Escape") {
        event.preventDefault()
        isLeaving = !escape()
        say(isLeaving)
        return true
      }
      // The browser moves the focus.
      if (event.key === "Tab" && isLeaving) return true
      if (!["Shift", "Control", "Alt", "Meta"].includes(event.key)) {
        isLeaving = false
        say(false)
      }
      return false
    },
    blur() {
      isLeaving = false
      say(false)
      return false
    },
  }
}
