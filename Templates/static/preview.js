// The preview beside a form, and the slug: what the server shows for the fields as they are now, again after every change.
import { load } from "./fragment.js"

const delay = 500

// Everything in the form but files, which are only sent when it is saved.
function fields(form, only) {
  const data = [...new FormData(form)].filter(([, value]) => typeof value === "string")
  return only ? [...data, ["only", only]] : data
}

// Loads one at a time; a change meanwhile loads once more.
function refresher(form, url, only, show, say) {
  let isLoading = false
  let isStale = false
  return async function refresh() {
    if (isLoading) { isStale = true; return }
    isLoading = true
    try {
      show(await load(url, "#previewed", fields(form, only)))
      say("")
    } catch { say("failed") }
    isLoading = false
    if (isStale) { isStale = false; refresh() }
  }
}

function whenChanged(form, action, concerns = () => true) {
  let waiting
  const later = ({ target }) => {
    // Controls outside of the form element belong to it, too.
    if (target.form !== form || !concerns(target)) return
    clearTimeout(waiting)
    waiting = setTimeout(action, delay)
  }
  document.addEventListener("input", later)
  document.addEventListener("change", later)
}

// Beside the form.
for (const pane of document.querySelectorAll("[data-preview]")) {
  const form = document.getElementById(pane.dataset.preview)
  const button = document.querySelector("[data-preview-open]")
  const paper = pane.querySelector(".paper")
  const status = pane.querySelector("[role=status]")
  const remembered = "vitrine-preview"
  let audience = "member"

  const mark = () => {
    for (const part of paper.querySelectorAll("[data-audience]")) part.hidden = part.dataset.audience !== audience
    for (const other of pane.querySelectorAll("[data-show]"))
      other.setAttribute("aria-pressed", String(other.dataset.show === audience))
  }
  const show = (page) => {
    const { scrollTop } = paper
    for (const heading of page.querySelectorAll("[data-audience] > h2")) heading.remove()
    paper.replaceChildren(...page.childNodes)
    paper.scrollTop = scrollTop
    mark()
  }
  const refresh = refresher(form, pane.dataset.url, null, show, (problem) => { status.textContent = problem && status.dataset[problem] })
  const open = (isOpen) => {
    pane.hidden = !isOpen
    pane.parentElement.classList.toggle("has-preview", isOpen)
    button.setAttribute("aria-expanded", String(isOpen))
    localStorage.setItem(remembered, isOpen ? "open" : "")
    if (isOpen) refresh()
  }

  button.setAttribute("aria-expanded", "false")
  button.addEventListener("click", (event) => {
    event.preventDefault()
    open(pane.hidden)
    if (!pane.hidden) { pane.scrollIntoView({ block: "nearest" }); pane.focus({ preventScroll: true }) }
  })
  pane.querySelector("[data-close]").addEventListener("click", () => { open(false); button.focus() })
  const phone = pane.querySelector("[data-phone]")
  phone.addEventListener("click", () => {
    phone.setAttribute("aria-pressed", String(paper.classList.toggle("phone-width")))
  })
  for (const other of pane.querySelectorAll("[data-show]"))
    other.addEventListener("click", () => { audience = other.dataset.show; mark() })
  whenChanged(form, () => { if (!pane.hidden) refresh() })
  if (localStorage.getItem(remembered) && matchMedia("(min-width: 64rem)").matches) open(true)
}

// Below a box for Markdown.
for (const button of document.querySelectorAll("[data-preview-here]")) {
  const paper = button.closest(".field").querySelector("[data-previewed]")
  const refresh = refresher(button.form, button.formAction, button.value, (page) => {
    for (const part of page.querySelectorAll("[data-audience] > h2, dt")) part.remove()
    paper.replaceChildren(...page.childNodes)
  }, (problem) => { if (problem) open(false) })
  const open = (isOpen) => {
    paper.hidden = !isOpen
    button.setAttribute("aria-expanded", String(isOpen))
    if (isOpen) refresh()
  }
  open(false)
  button.addEventListener("click", (event) => { event.preventDefault(); open(paper.hidden) })
  whenChanged(button.form, () => { if (!paper.hidden) refresh() })
}

// The slug that the title leads to, below the field for it.
for (const line of document.querySelectorAll("[data-slug-url]")) {
  const input = line.parentElement.querySelector("input")
  const shown = line.querySelector("code")
  const refresh = refresher(input.form, line.dataset.slugUrl, input.name.slice("field.".length), (page) => {
    shown.textContent = page.dataset.slug ?? ""
    line.hidden = !page.dataset.slug
  }, () => {})
  whenChanged(input.form, refresh, ({ name }) => name === line.dataset.title || name === input.name)
}
