let isInUse = false
for (const type of ["keydown", "pointerdown", "input", "change", "paste", "drop"])
  document.addEventListener(type, ({ isTrusted }) => { isInUse ||= isTrusted }, true)

/** Whether a person has done anything on this page. `navigator.userActivation` carries over from the page before. */
export const isUsed = () => isInUse

// Browsers fill in the forms of a page that somebody goes back to, after its scripts have run.
const isBack = performance.getEntriesByType("navigation")[0]?.type === "back_forward"

/** Until then. */
export const filledIn = isBack && document.readyState !== "complete"
  ? new Promise((resolve) => addEventListener("pageshow", resolve, { once: true })) : Promise.resolve()

/** A form whose text is kept otherwise is not filled in by the browser when somebody goes back to it: its text may be older. */
export function keepFromBrowser(form, isKept) {
  addEventListener("pagehide", () => { if (isKept()) form.autocomplete = "off" })
  addEventListener("pageshow", () => form.removeAttribute("autocomplete"))
}
const texts = "textarea, input:not([type]), input:is([type=text], [type=search], [type=url], [type=email], [type=tel])"
// As browsers read the text of the page.
const normal = (field, text) => field.type === "textarea" ? text.replaceAll(/\r\n?/g, "\n") : text.replaceAll(/[\r\n]/g, "").trim()

function isChanged(field) {
  if (!field.name) return false
  if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked
  if (field.type === "select-one") {
    const options = [...field.options]
    const first = options.findLast((option) => option.defaultSelected) ?? options.find((option) => !option.disabled)
    return field.selectedOptions[0] !== first
  }
  return field.matches(texts) && normal(field, field.value) !== normal(field, field.defaultValue)
}

/** Whether somebody filled in a field before the scripts were loaded, so that no event of it was seen. */
export const isBegun = (form) => !isBack && [...form.elements].some(isChanged)
