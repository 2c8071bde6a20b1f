// Searches a long list of checkboxes by the words of their labels. What is selected stays; Enter selects the first that was found.

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
