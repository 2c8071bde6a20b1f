// Marks images without alternative text in the rich-text editor, and leads from each to the next.
import { Extension, pm } from "./vendor/prose-editor.js"

const key = new pm.state.PluginKey("undescribed")

// Where they are, each with the figure around it, if there is one.
function find(doc) {
  const found = []
  doc.descendants((node, position) => {
    if (node.type.name !== "img" || node.attrs.alt?.trim()) return
    const place = doc.resolve(position)
    const depth = [...Array(place.depth + 1).keys()].findLast((depth) => place.node(depth).type.name === "figure")
    found.push({ position, figure: depth === undefined ? null : { from: place.before(depth), to: place.after(depth) } })
  })
  return found
}

/** `label` is shown below a figure. */
export const undescribed = (label) => Extension.create({
  name: "undescribed",
  addProseMirrorPlugins: () => [new pm.state.Plugin({
    key,
    state: {
      init: (_, { doc }) => find(doc),
      apply: (transaction, found) => (transaction.docChanged ? find(transaction.doc) : found),
    },
    props: {
      decorations(state) {
        const { node } = pm.view.Decoration
        return pm.view.DecorationSet.create(state.doc, key.getState(state).flatMap(({ position, figure }) => [
          node(position, position + 1, { class: "undescribed" }),
          ...figure ? [node(figure.from, figure.to, { class: "undescribed", "data-missing": label })] : [],
        ]))
      },
    },
  })],
})

/** The line below the editor. `open` shows the dialog of the selected image. Returns what updates the line. */
export function undescribedLine(line, editor, open) {
  const status = line.querySelector("[role=status]")
  line.querySelector("button").addEventListener("click", () => {
    const found = key.getState(editor.state)
    const after = found.find(({ position }) => position > editor.state.selection.from)
    editor.commands.setNodeSelection((after ?? found[0]).position)
    editor.commands.scrollIntoView()
    open("image")
  })
  return () => {
    const { length } = key.getState(editor.state)
    const { one, many } = status.dataset
    const text = length > 1 ? many.replace("%d", length) : length ? one : ""
    if (status.textContent !== text) status.textContent = text
    line.hidden = !length
  }
}
