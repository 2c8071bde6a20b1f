// Says what else is planned near a time when it is chosen. Without this script, the message after scheduling says it.
import { load } from "./fragment.js"

const form = document.querySelector("#schedule")
const shown = form?.querySelector("#nearby")
let newest = 0

form?.addEventListener("change", async () => {
  const [local, zone] = ["local", "zone"].map((name) => form.elements[name].value)
  const number = ++newest
  let text = ""
  if (local && zone) {
    // A button of the form is called `action`, so the property isn't the URL.
    const url = `${form.getAttribute("action")}?${new URLSearchParams({ local, zone })}`
    // A time that has passed has nothing near it; submitting the form says so.
    text = await load(url, "#nearby").then((found) => found.textContent, () => "")
  }
  if (number === newest) shown.textContent = text
})
