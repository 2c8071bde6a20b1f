// The dialogs of what an element says beside its text: abbreviations, times, languages, and the numbers of a list.
import { dialog } from "./rich-text-dialog.js"

// Without a selection, the word at the cursor. Returns whether there is something to mark.
function selectWord(editor) {
  const { empty, $from } = editor.state.selection
  if (!empty) return true
  if (!$from.parent.isTextblock) return false
  const text = $from.parent.textBetween(0, $from.parent.content.size, null, "\ufffc")
  const [before, after] = [text.slice(0, $from.parentOffset), text.slice($from.parentOffset)]
  const from = $from.pos - /[\p{L}\p{M}\p{N}_'’-]*$/u.exec(before)[0].length
  const to = $from.pos + /^[\p{L}\p{M}\p{N}_'’-]*/u.exec(after)[0].length
  if (from < to) editor.commands.setTextSelection({ from, to })
  return from < to
}

// An inline element with attributes. `read` returns them from the dialog, or nothing if they are wrong; `show` fills it
// in.
function inline(box, editor, name, { read, show }) {
  const element = box.querySelector(`[data-dialog=${name}]`)
  if (!element) return undefined
  let old = {}
  const form = dialog(element, editor, () => {
    const attributes = read(form.field, old)
    if (!attributes) return false
    const text = form.field("text")
    const chain = editor.chain().focus().extendMarkRange(name)
    if (text.parentElement.hidden) return chain.setMark(name, attributes).run()
    if (!text.value.trim()) return false
    const marks = [{ type: name, attrs: attributes }]
    return chain.insertContent({ type: "text", text: text.value.trim(), marks }).run()
  })
  const remove = element.querySelector("[data-remove]")
  remove.addEventListener("click", () => {
    editor.chain().focus().extendMarkRange(name).unsetMark(name).run()
    form.close()
  })
  return () => {
    const isHere = editor.isActive(name)
    const hasText = isHere || selectWord(editor)
    old = isHere ? editor.getAttributes(name) : {}
    remove.hidden = !isHere
    form.field("text").value = ""
    form.field("text").parentElement.hidden = hasText
    show(form.field, old)
    form.open()
  }
}

const abbreviation = {
  read(field) {
    const title = field("title").value.trim()
    return title && { title }
  },
  show(field, { title }) { field("title").value = title ?? "" },
}

// A day, or a day and a time of day. What the dialog can't show, such as seconds and zones, stays unless it is changed.
const time = {
  read(field, { datetime }) {
    const [date, clock] = [field("date").value, field("clock").value]
    if (!date) return null
    const [, oldDate, oldClock = ""] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/.exec(datetime ?? "") ?? []
    return { datetime: date === oldDate && clock === oldClock ? datetime : clock ? `${date}T${clock}` : date }
  },
  show(field, { datetime }) {
    const [, date = "", clock = ""] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d))?/.exec(datetime ?? "") ?? []
    field("date").value = date
    field("clock").value = clock
  },
}

function language(box, editor) {
  const element = box.querySelector("[data-dialog=language]")
  if (!element) return undefined
  const form = dialog(element, editor, () => {
    const lang = form.field("lang").value.trim()
    const dir = form.field("dir").value || null
    if (lang && !/^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i.test(lang)) return false
    const attributes = { lang: lang || null, dir }
    if (!editor.state.selection.empty) {
      const chain = editor.chain().focus().unsetMark("span")
      if (lang || dir) chain.setMark("span", attributes)
      return chain.run() || true
    }
    // Without a selection, the paragraph.
    const { $from } = editor.state.selection
    editor.chain().focus().updateAttributes($from.parent.type.name, attributes).run()
    return true
  })
  return () => {
    const { $from, empty } = editor.state.selection
    const now = empty ? $from.parent.attrs : editor.getAttributes("span")
    form.field("lang").value = now.lang ?? ""
    form.field("dir").value = now.dir ?? ""
    form.open()
  }
}

// The programming language of code: of words, or of preformatted text.
function code(box, editor) {
  const element = box.querySelector("[data-dialog=code]")
  if (!element) return undefined
  const name = () => ["code", "pre"].find((each) => editor.isActive(each))
  const form = dialog(element, editor, () => {
    const language = form.field("code").value.trim()
    if (language && !/^[A-Za-z0-9+#._-]{1,30}$/.test(language)) return false
    const chain = editor.chain().focus()
    if (name() === "code") chain.extendMarkRange("code")
    return chain.updateAttributes(name(), { class: language ? `language-${language}` : null }).run()
  })
  return () => {
    if (!name()) return
    form.field("code").value = /lang(?:uage)?-(\S+)/.exec(editor.getAttributes(name()).class ?? "")?.[1] ?? ""
    form.open()
  }
}

// The innermost numbered list of the selection.
function listOf({ selection: { $from } }) {
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type.name === "orderedList") return { node: $from.node(depth), position: $from.before(depth) }
  }
  return null
}

function numbering(box, editor) {
  const element = box.querySelector("[data-dialog=numbering]")
  if (!element) return undefined
  const form = dialog(element, editor, () => {
    const { value, validity } = form.field("start")
    if (!validity.valid) return false
    const { node, position } = listOf(editor.state)
    const isReversed = form.field("reversed").checked
    const attributes = {
      // A list that counts down begins with the number of its items.
      start: value === "" || (value === "1" && !isReversed) ? null : value,
      type: form.field("type").value || null, reversed: isReversed ? "" : null,
    }
    editor.view.dispatch(editor.state.tr.setNodeMarkup(position, null, { ...node.attrs, ...attributes }))
    return true
  })
  return () => {
    const list = listOf(editor.state)
    if (!list) return
    const { start, type, reversed } = list.node.attrs
    form.field("start").value = start ?? ""
    form.field("type").value = type === "1" ? "" : type ?? ""
    form.field("reversed").checked = reversed !== null && reversed !== undefined
    form.open()
  }
}

/** What opens each dialog; nothing for one that the editor of contributors lacks. */
export const attributeDialogs = (box, editor) => ({
  abbr: inline(box, editor, "abbr", abbreviation), time: inline(box, editor, "time", time),
  language: language(box, editor), code: code(box, editor), numbering: numbering(box, editor),
})
