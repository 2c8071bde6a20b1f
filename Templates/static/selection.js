// Selecting rows of a list: all on the page at once, and how many are selected. Without this, the server reads the check boxes.
const page = document.querySelector("[data-select-page]")
const all = document.querySelector("[data-all]")
const boxes = [...document.querySelectorAll("[data-select]")]
const count = document.querySelector("[data-selected]")

function show() {
  const selected = boxes.filter((box) => box.checked).length
  page.checked = selected === boxes.length
  page.indeterminate = selected > 0 && selected < boxes.length
  count.textContent = all?.checked ? all.dataset.on : selected
}

page.addEventListener("change", () => {
  for (const box of boxes) box.checked = page.checked
  show()
})
for (const box of all ? [...boxes, all] : boxes) box.addEventListener("change", show)
// The browser restores check boxes when one goes back.
addEventListener("pageshow", show)
show()
