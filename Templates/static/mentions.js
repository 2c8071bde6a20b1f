// Suggests teammates after an @ in an internal note. Without this, their names are typed.

const most = 8
// What is typed of a name. The @ of an email address begins none.
const typed = /(?:^|[^\p{L}\p{N}])@([\p{L}\p{N}][^@\n]{0,39}|)$/u

for (const [number, names] of document.querySelectorAll("datalist[data-mentions]").entries()) {
  const box = names.closest("form").querySelector("textarea")
  const list = names.parentElement.querySelector(".mentions")
  const status = list.nextElementSibling
  const team = [...names.querySelectorAll("option")].map((option) => option.value)
  let chosen = 0
  list.id = `mentions-${number}`
  box.setAttribute("aria-autocomplete", "list")
  box.setAttribute("aria-controls", list.id)

  const query = () => box.selectionStart === box.selectionEnd ? typed.exec(box.value.slice(0, box.selectionStart))?.[1] : undefined

  function close() {
    list.hidden = true
    status.textContent = ""
    box.removeAttribute("aria-activedescendant")
  }

  function mark(index) {
    const options = [...list.children]
    chosen = (index + options.length) % options.length
    options.forEach((option, position) => { option.ariaSelected = String(position === chosen) })
    box.setAttribute("aria-activedescendant", options[chosen].id)
    options[chosen].scrollIntoView({ block: "nearest" })
  }

  function offer() {
    const text = query()?.toLowerCase()
    const begins = (name) => name.startsWith(text) || name.split(" ").some((word) => word.startsWith(text))
    const found = text === undefined ? [] : team.filter((name) => begins(name.toLowerCase())).slice(0, most)
    // The name is complete.
    if (!found.length || found.some((name) => name.toLowerCase() === text)) return close()
    list.replaceChildren(...found.map((name, index) => {
      const option = Object.assign(document.createElement("li"), { role: "option", id: `${list.id}-${index}`, textContent: name, dir: "auto" })
      // The box keeps the focus.
      option.addEventListener("pointerdown", (event) => event.preventDefault())
      option.addEventListener("click", () => { chosen = index; insert() })
      return option
    }))
    list.hidden = false
    const said = status.dataset.found.replace("%d", found.length)
    if (status.textContent !== said) status.textContent = said
    mark(0)
  }

  // Inserted as if it were typed, so that the browser can undo it.
  function insert() {
    const text = query()
    if (text === undefined) return close()
    const end = box.selectionStart
    const start = end - text.length
    const name = `${list.children[chosen].textContent} `
    box.setSelectionRange(start, end)
    if (!document.execCommand("insertText", false, name)) {
      box.setRangeText(name, start, end, "end")
      box.dispatchEvent(new Event("input", { bubbles: true }))
    }
    close()
  }

  box.addEventListener("input", offer)
  box.addEventListener("blur", close)
  box.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === "ArrowDown") mark(chosen + 1)
    else if (event.key === "ArrowUp") mark(chosen - 1)
    else if (event.key === "Enter" || event.key === "Tab" && !event.shiftKey) insert()
    else if (event.key === "Escape") close()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
}
