// Formats that are styles in a pasted text become elements.

/** Writes the rules of a style sheet at the elements that they are for, below what these say themselves. */
export function applySheet(root, text) {
  const sheet = new CSSStyleSheet()
  // What no browser knows is skipped.
  sheet.replaceSync(text ?? "")
  const styles = new Map()
  for (const { selectorText, style } of sheet.cssRules) {
    // Not what depends on a state, such as a pointer over a link. A comma in brackets separates no selectors.
    if (!selectorText || /[(["']/.test(selectorText)) continue
    const selector = selectorText.split(",").filter((part) => !part.includes(":")).join()
    if (!selector || !style.length) continue
    for (const element of root.querySelectorAll(selector)) {
      // A heading is one without its looks.
      if (element.matches("h1, h2, h3, h4, h5, h6, table")) continue
      styles.set(element, `${styles.get(element) ?? ""}${style.cssText};`)
    }
  }
  for (const [element, style] of styles) element.dataset.style = style + (element.dataset.style ?? "")
}

// Each format, as the server reads it: its element, equivalent elements, elements inside which it has no effect, and a
// function that returns true, false or undefined for a style. One that `propagates` is shown in all inner elements,
// whatever their styles are.
const headings = "h1, h2, h3, h4, h5, h6, th"
const formats = [
  {
    name: "strong", equivalents: ["b", "strong"], ineffectiveIn: headings,
    value: ({ fontWeight }) => isBold(fontWeight),
  },
  {
    name: "em", equivalents: ["i", "em"], ineffectiveIn: "cite",
    value: ({ fontStyle }) => isItalic(fontStyle),
  },
  {
    name: "u", equivalents: ["u"], ineffectiveIn: "ins, a", propagates: true,
    value: (style) => isDecorated(style, "underline"),
  },
  {
    name: "s", equivalents: ["s", "strike"], ineffectiveIn: "del", propagates: true,
    value: (style) => isDecorated(style, "line-through"),
  },
  {
    name: "sup", equivalents: ["sup"], ineffectiveIn: "sub", propagates: true,
    value: ({ verticalAlign }) => verticalAlign === "super" || undefined,
  },
  {
    name: "sub", equivalents: ["sub"], ineffectiveIn: "sup", propagates: true,
    value: ({ verticalAlign }) => verticalAlign === "sub" || undefined,
  },
]

function isBold(weight) {
  if (!weight || weight === "inherit") return undefined
  return weight.startsWith("bold") || Number(weight) >= 600
}

function isItalic(style) {
  return style ? /italic|oblique/.test(style) : undefined
}

// Dotted and wavy underlines mark abbreviations and spelling.
function isDecorated({ textDecorationLine, textDecorationStyle }, decoration) {
  if (!textDecorationLine || textDecorationLine === "inherit") return undefined
  return textDecorationLine.includes(decoration) && !["dotted", "dashed", "wavy"].includes(textDecorationStyle)
}

// Writes the formats as elements, and removes elements that a style contradicts, such as the bold wrapper of Google
// Docs, which is not bold.
export function readStyles(root) {
  const styles = new Map()
  for (const element of root.querySelectorAll("[data-style]")) {
    const { style } = document.createElement("span")
    style.cssText = element.dataset.style
    delete element.dataset.style
    styles.set(element, style)
  }
  const texts = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) texts.push(walker.currentNode)
  for (const format of formats) {
    const { name, equivalents, ineffectiveIn } = format
    const values = texts.map((text) => valueOf(format, text, styles))
    const wrong = new Set([...root.querySelectorAll(equivalents.join())].filter((element) => {
      return styles.has(element) && format.value(styles.get(element)) === false
    }))
    texts.forEach((text, index) => {
      if (values[index] !== false) return
      for (let outer = text.parentElement; outer && outer !== root; outer = outer.parentElement) {
        if (equivalents.includes(outer.localName)) wrong.add(outer)
      }
    })
    for (const element of wrong) element.replaceWith(...element.childNodes)
    texts.forEach((text, index) => {
      const outer = text.parentElement
      if (!values[index] || outer.closest([...equivalents, ineffectiveIn].join())) return
      if (!text.data.trim() && outer.localName !== "span") return
      const inner = document.createElement(name)
      text.replaceWith(inner)
      inner.append(text)
    })
  }
}

// The value of the innermost element that has one.
function valueOf({ equivalents, propagates, value }, text, styles) {
  for (let outer = text.parentElement; outer; outer = outer.parentElement) {
    const style = styles.get(outer)
    const found = style && value(style)
    if (equivalents.includes(outer.localName)) return found ?? true
    // The style of an inner element doesn't end what propagates.
    if (found || (found === false && !propagates)) return found
  }
  return undefined
}
