// The rich-text editor: replaces the box of a rich-text field, whose text it keeps up to date.
import { Dropcursor, Editor, Gapcursor, UndoRedo, getSchema, pm } from "./vendor/prose-editor.js"
import { extensions, read, write } from "./rich-text-model.js"
import { clean, harmless, imageAlone } from "./rich-text-paste.js"
import { dialogs } from "./rich-text-dialogs.js"
import { embeds } from "./rich-text-embeds.js"
import { find, findBar } from "./rich-text-find.js"
import { keys, leaving } from "./rich-text-keys.js"
import { closed, nextNumber, notes } from "./rich-text-notes.js"
import { toolbar } from "./rich-text-bar.js"
import { undescribed, undescribedLine } from "./rich-text-undescribed.js"
import { showWords } from "./words.js"

/** `template` has the text. `failing` is aborted if this throws: it takes away what was begun. */
export function mount(box, template, failing) {
  const textarea = box.querySelector("textarea")
  const kept = JSON.parse(box.dataset.richText)
  const help = box.querySelector(".rich-text-keys")
  // Contributors add no images.
  const line = box.querySelector(".rich-text-undescribed")
  const own = [
    ...extensions(kept), UndoRedo, Dropcursor, Gapcursor, embeds(kept.providers), find, notes,
    ...line ? [undescribed(line.dataset.label)] : [],
    keys({ open: (name) => open(name), focusToolbar: () => bar.focus() }),
  ]
  const schema = getSchema(own)
  const content = read(template.content, schema)
  // The editor would start without a text that it can't read, and save that.
  schema.nodeFromJSON(content)
  const label = document.querySelector(`label[for="${CSS.escape(textarea.id)}"]`)
  label.id ||= `${textarea.id}-label`
  const describedBy = [textarea.getAttribute("aria-describedby"), help.id].filter(Boolean).join(" ")

  const place = textarea.parentElement.insertBefore(document.createElement("div"), textarea)
  failing.addEventListener("abort", () => place.remove())
  const editor = new Editor({
    extensions: own, content, injectCSS: false, element: { mount: place },
    editorProps: {
      attributes: {
        id: textarea.id, class: "rich-text-body", role: "textbox", "aria-multiline": "true", "aria-labelledby": label.id,
        "aria-describedby": describedBy, ...textarea.hasAttribute("aria-invalid") && { "aria-invalid": "true" },
      },
      transformPastedHTML: harmless,
      transformPasted: closed,
      clipboardParser: {
        parseSlice: (dom, options) => {
          const { direction } = getComputedStyle(editor.view.dom)
          clean(dom, { direction, number: nextNumber(editor), report })
          return pm.model.DOMParser.fromSchema(editor.schema).parseSlice(dom, options)
        },
      },
      handleDOMEvents: {
        ...leaving(() => bar.leaveFullScreen(), say),
        // A click doesn't close a collapsible section, whose content would be out of sight.
        dblclick: (_, event) => { if (event.target.matches("img")) open("image") },
        click: (_, event) => { if (event.target.closest("summary")) event.preventDefault() },
      },
      handlePaste: (_, event) => take(event.clipboardData),
      handleDrop: (view, event, slice, isMoved) => !isMoved && take(event.dataTransfer, view.posAtCoords({ left: event.clientX, top: event.clientY })),
    },
    onTransaction: () => { bar?.update(); showUndescribed?.() },
    onUpdate: () => { isChanged = true; clearTimeout(waiting); waiting = setTimeout(store, 300) },
    onBlur: () => store(),
  })
  failing.addEventListener("abort", () => editor.destroy())
  const hasFocus = document.activeElement === textarea
  textarea.removeAttribute("id")
  textarea.hidden = true
  const withoutEditor = box.querySelector("[data-without-editor]")
  withoutEditor.hidden = true
  help.hidden = false
  label.addEventListener("click", () => editor.view.focus(), { signal: failing })

  let isChanged = false
  let waiting
  // A text that nobody changed stays as it is, to the letter.
  function store() {
    clearTimeout(waiting)
    if (!isChanged) return
    isChanged = false
    textarea.value = written()
    withoutEditor.querySelector("select").value = "html"
    textarea.dispatchEvent(new Event("input", { bubbles: true }))
    count()
  }
  // If a text can't be written as it should be, the server reads what the editor shows: a form isn't sent with an older text.
  function written() {
    try { return write(editor.state.doc) } catch (error) {
      console.error(error)
      return editor.view.dom.innerHTML
    }
  }
  // Before the form is read: for sending, or because the page is left.
  const always = { capture: true, signal: failing }
  textarea.form?.addEventListener("submit", store, always)
  for (const leaving of ["beforeunload", "pagehide"]) addEventListener(leaving, store, always)
  document.addEventListener("visibilitychange", store, always)

  const counted = box.querySelector(".rich-text-count")
  const count = () => showWords(counted, editor.getText())
  count()

  const state = help.querySelector("[role=status]")
  function say(isLeaving) {
    const text = isLeaving ? state.dataset.on : ""
    if (state.textContent !== text) state.textContent = text
  }

  // What the last paste left out, by name.
  const left = box.querySelector(".rich-text-left")
  function report(lost) {
    const names = [...lost].map(([kind, number]) => {
      const name = left.querySelector(`[data-kind=${kind}]`).textContent
      return number > 1 ? `${name} (${number})` : name
    })
    const list = new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(names)
    left.querySelector("[role=status]").textContent = names.length ? left.dataset.label.replace("%s", list) : ""
    left.querySelector("[data-advice]").hidden = !lost.has("file")
  }

  // Files that are pasted or dropped, there.
  function take(transfer, position) {
    const files = [...transfer?.files ?? []].filter((file) => file.type.startsWith("image/"))
    if (!files.length || !opens.image) return false
    // Word offers an image of the text beside the text; a browser the file of an image beside its URL.
    const alt = transfer.types.includes("text/html") ? imageAlone(transfer.getData("text/html")) : ""
    if (alt === null) return false
    if (position) {
      const { tr, doc } = editor.state
      editor.view.dispatch(tr.setSelection(pm.state.Selection.near(doc.resolve(position.pos))))
    }
    report(new Map())
    opens.image(files, alt)
    return true
  }

  const opens = { ...dialogs(box, editor, kept.providers), find: findBar(box, editor) }
  // Keys without a dialog stay with the browser.
  const open = (name) => {
    opens[name]?.()
    return Boolean(opens[name])
  }
  const bar = toolbar(box, editor, open, kept)
  bar.update()
  const showUndescribed = line && undescribedLine(line, editor, open)
  showUndescribed?.()
  if (hasFocus) editor.view.focus()
}
