// Finds and replaces words in the rich-text editor.
import { Extension, pm } from "./vendor/prose-editor.js"

const key = new pm.state.PluginKey("find")
const none = { query: "", matches: [], index: 0 }

// Where the words are, within one paragraph each.
function matches(doc, query) {
  if (!query) return []
  const words = new RegExp(query.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"), "giu")
  const found = []
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true
    // One character for each image and line break, so that positions are counted right.
    const text = node.textBetween(0, node.content.size, null, "\ufffc")
    for (const match of text.matchAll(words)) found.push({ from: position + 1 + match.index, to: position + 1 + match.index + match[0].length })
    return false
  })
  return found
}

export const find = Extension.create({
  name: "find",
  addProseMirrorPlugins: () => [new pm.state.Plugin({
    key,
    state: {
      init: () => none,
      apply(transaction, state) {
        const { query = state.query, index = state.index } = transaction.getMeta(key) ?? {}
        if (!query) return none
        const found = transaction.docChanged || query !== state.query ? matches(transaction.doc, query) : state.matches
        return { query, matches: found, index: found.length ? (index + found.length) % found.length : 0 }
      },
    },
    props: {
      decorations(state) {
        const { matches, index } = key.getState(state)
        return pm.view.DecorationSet.create(state.doc, matches.map(({ from, to }, number) =>
          pm.view.Decoration.inline(from, to, { class: number === index ? "found here" : "found" })))
      },
    },
  })],
})

export function findBar(box, editor) {
  const bar = box.querySelector(".rich-text-find")
  // Contributors have that of the browser.
  if (!bar) return undefined
  const [input, other, count] = ["query", "replacement", "count"].map((name) => bar.querySelector(`[data-${name}]`))
  const state = () => key.getState(editor.state)

  function say() {
    const { query, matches, index } = state()
    count.textContent = !query ? "" : matches.length ? `${index + 1}/${matches.length}` : count.dataset.none
    for (const button of bar.querySelectorAll("[data-act]")) button.ariaDisabled = String(!matches.length && button.dataset.act !== "close")
  }
  // The match is scrolled into view without taking the focus from the bar.
  function show(change) {
    editor.view.dispatch(editor.state.tr.setMeta(key, change))
    const { matches, index } = state()
    if (matches.length) {
      const { from, to } = matches[index]
      editor.view.dispatch(editor.state.tr.setSelection(pm.state.TextSelection.create(editor.state.doc, from, to)))
      editor.view.dom.querySelector(".found.here")?.scrollIntoView({ block: "nearest" })
    }
    say()
  }
  function nearest(query) {
    const here = editor.state.selection.from
    const index = matches(editor.state.doc, query).findIndex(({ from }) => from >= here)
    show({ query, index: Math.max(0, index) })
  }
  const step = (by) => show({ index: state().index + by })
  function replace(ranges) {
    const transaction = editor.state.tr
    // From the end, so that the positions before it stay right.
    for (const { from, to } of [...ranges].reverse()) {
      if (other.value) transaction.insertText(other.value, from, to)
      else transaction.delete(from, to)
    }
    editor.view.dispatch(transaction)
    show({})
  }
  function close() {
    editor.view.dispatch(editor.state.tr.setMeta(key, none))
    bar.hidden = true
    editor.view.focus()
  }
  const acts = {
    next: () => step(1), previous: () => step(-1), close,
    replace: () => { const { matches, index } = state(); if (matches.length) replace([matches[index]]) },
    replaceAll: () => replace(state().matches),
  }
  input.addEventListener("input", () => nearest(input.value.trim() ? input.value : ""))
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act]")
    if (button && button.ariaDisabled !== "true") acts[button.dataset.act]()
  })
  bar.addEventListener("keydown", (event) => {
    event.stopPropagation()
    if (event.key === "Escape") close()
    else if (event.key === "Enter" && event.target === input && !event.isComposing) step(event.shiftKey ? -1 : 1)
    else if (event.key === "Enter" && event.target === other && !event.isComposing) acts.replace()
    else return
    event.preventDefault()
  })
  // The form of the page must not take this for changes of its own.
  for (const type of ["input", "change"]) bar.addEventListener(type, (event) => event.stopPropagation())

  return function open() {
    const { from, to } = editor.state.selection
    const selected = editor.state.doc.textBetween(from, to, "\n")
    if (selected && selected.length <= 100 && !selected.includes("\n")) input.value = selected
    bar.hidden = false
    input.focus()
    input.select()
    nearest(input.value.trim() ? input.value : "")
  }
}
