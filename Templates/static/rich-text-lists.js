// Lists as programs write them: Word as paragraphs with a level and a marker, Word for the web as one list for each item, others
// with the numbers or boxes of an item as its style or role.

const create = (root, name) => root.ownerDocument.createElement(name)

// Puts items into lists, each there where it was. An item at once after the list before it continues that list.
function builder(root) {
  let levels = []
  let current

  function open(place, name, level, numbers) {
    while (levels.length < level) {
      const list = create(root, name)
      const outer = levels.at(-1)
      if (outer) (outer.lastElementChild ?? outer.appendChild(create(root, "li"))).append(list)
      else place.before(list)
      levels.push(list)
    }
    const list = levels.at(-1)
    for (const [attribute, value] of Object.entries(numbers ?? {})) if (value) list.setAttribute(attribute, value)
  }

  const follows = (place) => levels[0]?.nextElementSibling === place

  return {
    // Lists whose items follow each other have different values of `id`. `numbers` are those of the item, if it is the first one of its list.
    add(place, nodes, { level, name, id, numbers }) {
      if (!follows(place) || (level === 1 && current !== id)) levels = []
      levels.length = Math.min(levels.length, level)
      if (levels.length === level && levels.at(-1).localName !== name) levels.pop()
      if (levels.length < level) open(place, name, level, numbers)
      if (level === 1) current = id
      const entry = create(root, "li")
      entry.append(...nodes)
      levels.at(-1).append(entry)
    },
    // A further paragraph of the last item on this level, or on the innermost one. Returns whether there is one.
    goOn(place, level = levels.length) {
      const entry = follows(place) && levels[Math.min(level, levels.length) - 1]?.lastElementChild
      if (entry) entry.append(place)
      return Boolean(entry)
    },
  }
}

// MARK: Numbers

const roman = { i: 1, v: 5, x: 10, l: 50, c: 100 }

function romanValue(letters) {
  const values = [...letters].map((letter) => roman[letter])
  return values.reduce((sum, value, index) => sum + (value < values[index + 1] ? -value : value), 0)
}

/** Whether a marker such as "3.", "b)" or "1.2.iv." counts, and from where: the attributes of its list; null for a bullet. */
function numbering(marker) {
  const text = marker.replaceAll("\u00a0", " ").trim()
  const number = /(\d+)[.)]?$/.exec(text)?.[1]
  if (number) return { start: number === "1" ? null : number }
  const letters = /([a-z]+)[.)]$/i.exec(text)?.[1]
  if (!letters) return null
  const lower = letters.toLowerCase()
  // The first item of a list is "i" more often by counting than by the alphabet.
  const isRoman = lower === "i" || (lower.length > 1 && /^[ivxlc]+$/.test(lower))
  const start = isRoman ? romanValue(lower) : [...lower].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0)
  const type = isRoman ? "i" : "a"
  return { type: lower === letters ? type : type.toUpperCase(), start: start === 1 ? null : String(start) }
}

const types = {
  "lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A", "upper-latin": "A", "lower-roman": "i", "upper-roman": "I",
}
const styleOf = (element) => /list-style(?:-type)?:\s*([a-z-]+)/i.exec(element?.dataset.style ?? "")?.[1].toLowerCase()
const typeOf = (list) => types[styleOf(list) ?? styleOf(list.firstElementChild)]

// MARK: Word

/** Word writes items of lists as paragraphs with their level in the style and their marker as text. */
export function readLists(root) {
  const lists = builder(root)
  for (const item of root.querySelectorAll("p[data-style*=mso-list], p[class^=MsoListParagraph], p[class^=MsoListContinue]")) {
    const style = item.dataset.style ?? ""
    if (!/mso-list:/i.test(style)) {
      lists.goOn(item, Number(/^MsoListContinue(\d?)/.exec(item.className)?.[1] || 0) || undefined)
      continue
    }
    if (/mso-list:\s*none/i.test(style)) continue
    const marker = item.querySelector("[data-style*='mso-list:Ignore'], [data-style*='mso-list: Ignore']")
    const numbers = numbering(marker?.textContent ?? "")
    marker?.remove()
    const level = Number(/level(\d)/.exec(style)?.[1] ?? 1)
    lists.add(item, item.childNodes, { level, name: numbers ? "ol" : "ul", id: /lfo\d+/.exec(style)?.[0], numbers })
    item.remove()
  }
  // The numbers of headings.
  for (const marker of root.querySelectorAll("[data-style*='mso-list:Ignore']")) marker.remove()
}

/** Word for the web writes each item as a list of its own, also one of an inner list. */
export function joinLists(root) {
  const lists = builder(root)
  for (const list of root.querySelectorAll("ul:has(> li[data-aria-level]), ol:has(> li[data-aria-level])")) {
    if (list.closest("li")) continue
    const place = list.closest(".ListContainerWrapper") ?? list
    const start = list.getAttribute("start")
    const numbers = list.localName === "ol" ? { type: typeOf(list), start } : null
    for (const item of list.querySelectorAll(":scope > li")) {
      const { ariaLevel, listid } = item.dataset
      lists.add(place, item.childNodes, { level: Number(ariaLevel) || 1, name: list.localName, id: listid, numbers })
    }
    list.remove()
    if (!place.textContent.trim()) place.remove()
  }
}

// MARK: Numbers and boxes of others

/** The style of numbers becomes an attribute, and the box of a task a character. */
export function readMarkers(root) {
  for (const list of root.querySelectorAll("ol")) {
    const type = typeOf(list)
    if (type && !list.hasAttribute("type")) list.type = type
    if (list.getAttribute("start") === "1") list.removeAttribute("start")
  }
  for (const item of root.querySelectorAll("li[role=checkbox]")) {
    item.querySelector(":scope > img")?.remove()
    tick(item, item.getAttribute("aria-checked") === "true")
  }
  for (const box of root.querySelectorAll("li input[type=checkbox]")) {
    tick(box.closest("li"), box.hasAttribute("checked"))
    box.remove()
  }
}

const tick = (item, isChecked) => (item.querySelector(":scope > p") ?? item).prepend(isChecked ? "☑ " : "☐ ")
