// The rich-text editor: replaces the box of a rich-text field, whose text it keeps up to date.
import { Dropcursor, Editor, Extension, Gapcursor, UndoRedo, getSchema, pm } from "./vendor/prose-editor.js"
import { extensions, read, write } from "./rich-text-model.js"
import { clean, harmless } from "./rich-text-paste.js"
import { dialogs } from "./rich-text-dialogs.js"
import { embeds } from "./rich-text-embeds.js"
import { find, findBar } from "./rich-text-find.js"
import { toolbar } from "./rich-text-bar.js"

// A whole number of words needs no exactness: letters and digits between spaces, and each ideograph.
const words = (text) => text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*[\p{L}\p{N}][^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*/gu)?.length ?? 0
const wordsPerMinute = 220

export function mount(box) {
  const textarea = box.querySelector("textarea")
  const kept = JSON.parse(box.dataset.richText)
  const own = [
    ...extensions(kept), UndoRedo, Dropcursor, Gapcursor, embeds(kept.providers), find,
    Extension.create({
      name: "keys",
      // Above those of the elements.
      priority: 200,
      addKeyboardShortcuts: () => ({
        "Mod-k": () => { open("link"); return true },
        "Mod-f": () => { open("find"); return true },
        "Alt-F10": () => { bar.focus(); return true },
        "Mod-s": () => { textarea.form?.querySelector("[name=action][value=draft]")?.click(); return true },
      }),
    }),
  ]
  const schema = getSchema(own)
  const content = read(box.querySelector("template").content, schema)
  const label = document.querySelector(`label[for="${CSS.escape(textarea.id)}"]`)
  label.id ||= `${textarea.id}-label`

  const editor = new Editor({
    extensions: own, content, injectCSS: false,
    element: { mount: textarea.parentElement.insertBefore(document.createElement("div"), textarea) },
    editorProps: {
      attributes: {
        id: textarea.id, class: "rich-text-body", role: "textbox", "aria-multiline": "true", "aria-labelledby": label.id,
        ...Object.fromEntries(["aria-describedby", "aria-invalid"].filter((name) => textarea.hasAttribute(name))
          .map((name) => [name, textarea.getAttribute(name)])),
      },
      transformPastedHTML: harmless,
      clipboardParser: {
        parseSlice: (dom, options) => pm.model.DOMParser.fromSchema(editor.schema).parseSlice(clean(dom), options),
      },
      handleDOMEvents: {
        // A click doesn't close a collapsible section, whose content would be out of sight.
        dblclick: (_, event) => { if (event.target.matches("img")) open("image") },
        click: (_, event) => { if (event.target.closest("summary")) event.preventDefault() },
      },
      handlePaste: (_, event) => take(event.clipboardData),
      handleDrop: (view, event, slice, isMoved) => !isMoved && take(event.dataTransfer),
    },
    onTransaction: () => bar?.update(),
    onUpdate: () => { isChanged = true; clearTimeout(waiting); waiting = setTimeout(store, 300) },
    onBlur: () => store(),
  })
  textarea.removeAttribute("id")
  textarea.hidden = true
  const withoutEditor = box.querySelector("[data-without-editor]")
  withoutEditor.hidden = true
  label.addEventListener("click", () => editor.view.focus())

  let isChanged = false
  let waiting
  // A text that nobody changed stays as it is, to the letter.
  function store() {
    clearTimeout(waiting)
    if (!isChanged) return
    isChanged = false
    textarea.value = write(editor.state.doc)
    withoutEditor.querySelector("select").value = "html"
    textarea.dispatchEvent(new Event("input", { bubbles: true }))
    count()
  }
  // Before the form is read: for sending, or because the page is left.
  textarea.form?.addEventListener("submit", store, true)
  for (const leaving of ["beforeunload", "pagehide"]) addEventListener(leaving, store, true)
  document.addEventListener("visibilitychange", store, true)

  const counted = box.querySelector(".rich-text-count")
  function count() {
    const number = words(editor.getText())
    const { one, many, minutes } = counted.dataset
    const texts = [number === 1 ? one : many.replace("%d", number)]
    if (number >= wordsPerMinute) texts.push(minutes.replace("%d", Math.round(number / wordsPerMinute)))
    counted.textContent = texts.join(" · ")
    counted.hidden = false
  }
  count()

  // Files that are pasted or dropped.
  function take(transfer) {
    const files = [...transfer?.files ?? []].filter((file) => file.type.startsWith("image/"))
    // Word offers an image of the text beside the text.
    if (!files.length || transfer.types.includes("text/html") || !opens.image) return false
    opens.image(files)
    return true
  }

  const opens = { ...dialogs(box, editor, kept.providers), find: findBar(box, editor) }
  const open = (name) => opens[name]?.()
  const bar = toolbar(box, editor, open)
  bar.update()
}
