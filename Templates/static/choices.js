// Searches a long list of checkboxes by the words of their labels. What is selected stays, and is named above the list, from where
// it can be removed; Enter selects the first that was found.

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()

for (const input of document.querySelectorAll("[data-find-choice]")) {
  const list = input.closest(".checkbox-list")
  const line = input.closest(".find")
  const status = line.querySelector("[role=status]")
  const choices = [...list.querySelectorAll("label.choice")].map((label) => ({
    label, box: label.querySelector("input"), text: plain(label.textContent), isFound: true,
  }))
  // Above what scrolls.
  list.before(line)
  line.hidden = false
  const selected = line.querySelector("[data-remove]")

  function chip({ label, box }) {
    // Without the note beside it.
    const name = [...label.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data).join("").trim()
    const button = Object.assign(document.createElement("button"), { type: "button", className: "chip", ariaLabel: selected.dataset.remove.replace("%s", () => name) })
    button.append(Object.assign(document.createElement("span"), { dir: "auto", textContent: name }), Object.assign(document.createElement("span"), { ariaHidden: "true", textContent: "×" }))
    button.addEventListener("click", () => {
      const here = [...selected.children].indexOf(button.parentElement)
      box.click()
      const next = selected.children[Math.min(here, selected.children.length - 1)]
      ;(next?.firstElementChild ?? input).focus()
    })
    const item = document.createElement("li")
    item.append(button)
    return item
  }
  const showSelected = () => selected.replaceChildren(...choices.filter(({ box }) => box.checked).map(chip))
  list.addEventListener("change", showSelected)
  // A browser may select again what was selected when the page was left.
  addEventListener("pageshow", showSelected)
  showSelected()

  function find() {
    const words = plain(input.value).split(/\s+/).filter(Boolean)
    for (const choice of choices) {
      choice.isFound = words.every((word) => choice.text.includes(word))
      choice.label.hidden = !choice.isFound && !choice.box.checked
    }
    for (const chips of list.querySelectorAll(".chips")) {
      chips.hidden = [...chips.children].every((label) => label.hidden)
      const heading = chips.previousElementSibling
      if (heading?.matches(".label")) heading.hidden = chips.hidden
    }
    status.textContent = choices.some(({ isFound }) => isFound) ? "" : status.dataset.none
  }

  input.addEventListener("input", find)
  input.addEventListener("keydown", (event) => {
    const first = choices.find(({ isFound }) => isFound)
    if (event.key === "Enter") {
      // It would send the form.
      event.preventDefault()
      if (!first || !input.value.trim()) return
      if (!first.box.checked) first.box.click()
      input.select()
    } else if (event.key === "ArrowDown" && first) {
      event.preventDefault()
      first.box.focus()
    }
  })
}
