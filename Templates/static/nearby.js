// Says in which zone a time is chosen, and what else is planned near it. Without this script, the message after scheduling says it.
import { load } from "./fragment.js"

const form = document.querySelector("#schedule")
const shown = form?.querySelector("#nearby")
let newest = 0

form?.addEventListener("change", async () => {
  const [local, zone] = ["local", "zone"].map((name) => form.elements[name].value)
  const number = ++newest
  let found = []
  if (local && zone) {
    // A button of the form is called `action`, so the property isn't the URL.
    const url = `${form.getAttribute("action")}?${new URLSearchParams({ local, zone })}`
    // A time that has passed has nothing near it; submitting the form says so.
    found = await load(url, "#nearby").then(({ childNodes }) => [...childNodes], () => [])
  }
  if (number === newest) shown.replaceChildren(...found)
})
