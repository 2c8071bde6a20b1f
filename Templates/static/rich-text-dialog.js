// A dialog of the rich-text editor.

// `accept` returns whether the input is right, or what is wrong with it. Closed by another way than its buttons, such as by
// Escape, the element has no `returnValue`.
export function dialog(element, editor, accept) {
  const wrong = element.querySelector("[data-wrong]")
  const say = (text) => {
    wrong.textContent = text
    wrong.hidden = !text
  }
  const close = () => {
    element.close("done")
    editor.view.focus()
  }
  // Pressed twice, it still happens once.
  let isRunning = false
  const run = async () => {
    if (isRunning) return
    isRunning = true
    let result
    try { result = await accept() } finally { isRunning = false }
    if (result === true) close()
    else say(result || wrong.dataset.wrong)
  }
  element.querySelector("[data-accept]").addEventListener("click", run)
  element.querySelector("button[data-cancel]").addEventListener("click", close)
  element.addEventListener("keydown", (event) => {
    event.stopPropagation()
    if (event.key !== "Enter" || !event.target.matches("input:not([type=search], [type=file])") || event.isComposing) return
    event.preventDefault()
    run()
  })
  // The form of the page must not take its input for changes of its own.
  for (const type of ["input", "change"]) element.addEventListener(type, (event) => event.stopPropagation())
  return {
    close,
    open() {
      say("")
      element.returnValue = ""
      element.showModal()
    },
    field: (name) => element.querySelector(`[name=${name}]`),
  }
}
