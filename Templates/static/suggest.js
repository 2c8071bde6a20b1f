// Offers the titles of entries while one is typed, from a list that is too long for the page.
const delay = 250

for (const input of document.querySelectorAll("[data-suggest]")) {
  let waiting, last
  input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(find, delay) })

  async function find() {
    const query = input.value.trim()
    if (!query || query === last) return
    last = query
    const url = new URL(input.dataset.suggest, location)
    url.searchParams.set("q", query)
    // Without them, the title is typed.
    const response = await fetch(url, { headers: { Accept: "application/json" } }).catch(() => null)
    if (!response?.ok || query !== last) return
    const { entries } = await response.json()
    input.list.replaceChildren(...entries.map(({ label }) => Object.assign(document.createElement("option"), { value: label })))
  }
}
