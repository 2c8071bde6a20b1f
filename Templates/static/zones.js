// Offers the time zones that the browser knows where a zone is entered. Without this script a zone is typed in full.
const list = document.querySelector("#zones")
for (const value of Intl.supportedValuesOf?.("timeZone") ?? [])
  if (value !== "UTC") list.append(Object.assign(document.createElement("option"), { value }))
