// What office programs write in their own way: headings, quotations, footnotes, comments, tracked changes.

const create = (root, name) => root.ownerDocument.createElement(name)

const quotes = "p.MsoQuote, p.MsoQuoteCxSpFirst, p.MsoQuoteCxSpMiddle, p.MsoQuoteCxSpLast, p[class^=MsoIntenseQuote]"

/** Word and Word for the web write titles, quotations and headings as paragraphs. The names of the styles are the same in all languages. */
export function readParagraphs(root) {
  for (const title of root.querySelectorAll("p[class^=MsoTitle]")) rename(title, "h2")
  for (const heading of root.querySelectorAll("p[role=heading][aria-level], div[role=heading][aria-level]")) {
    const level = Math.min(6, Math.max(2, Number(heading.getAttribute("aria-level")) || 2))
    if (!heading.querySelector("p, div, ul, ol, table")) rename(heading, `h${level}`)
  }
  let last = null
  for (const paragraph of root.querySelectorAll(quotes)) {
    // Italic is how quotations look in Word.
    paragraph.dataset.style = (paragraph.dataset.style ?? "").replaceAll(/font-style:\s*italic;?/gi, "")
    if (!last || last.nextElementSibling !== paragraph) {
      last = create(root, "blockquote")
      paragraph.before(last)
    }
    last.append(paragraph)
  }
  // The end of a paragraph in Word for the web.
  for (const end of root.querySelectorAll("span.EOP")) if (!end.textContent.trim()) end.remove()
}

export function rename(element, name) {
  const other = create(element, name)
  for (const attribute of ["lang", "dir", "id", "title", "class"]) {
    if (element.hasAttribute(attribute)) other.setAttribute(attribute, element.getAttribute(attribute))
  }
  other.append(...element.childNodes)
  element.replaceWith(other)
}

/**
 * Comments are removed, and the text is what it is with all tracked changes accepted. `lose` takes a kind and a number.
 */
export function readReview(root, lose) {
  // Of Google Docs.
  const own = [...root.querySelectorAll("a[id^=cmnt]:not([id^=cmnt_ref])")]
  const anchors = root.querySelectorAll(".msocomanchor")
  const lists = root.querySelectorAll("[data-style*='mso-element:comment-list']")
  lose("comment", Math.max(own.length, anchors.length, lists.length))
  for (const comment of own) (comment.closest("div") ?? comment.closest("p") ?? comment).remove()
  for (const reference of root.querySelectorAll("a[id^=cmnt_ref]")) (reference.closest("sup") ?? reference).remove()
  const rest = root.querySelectorAll("[data-style*='mso-special-character:comment'], .msocomoff")
  for (const part of [...anchors, ...lists, ...rest]) part.remove()
  const deleted = root.querySelectorAll("del")
  lose("change", deleted.length)
  for (const change of deleted) change.remove()
  for (const change of root.querySelectorAll("ins")) change.replaceWith(...change.childNodes)
}

// The elements that links of the text lead to.
function targets(root) {
  const named = new Map()
  for (const element of root.querySelectorAll("[id], a[name]")) {
    const names = [element.id, element.getAttribute("name")]
    for (const name of names) if (name && !named.has(name)) named.set(name, element)
  }
  return (link) => {
    const name = link.getAttribute("href").slice(1)
    try { return named.get(decodeURIComponent(name)) } catch { return named.get(name) }
  }
}

// The link, or what only contains it.
const whole = (link) => {
  const outer = link.closest("sup")
  return outer?.textContent.trim() === link.textContent.trim() ? outer : link
}

// Where the text of a note is.
const notes = "[data-style*='mso-element:footnote'], [data-style*='mso-element:endnote'], [id^=sdfootnote], [id^=sdendnote]"
const blockOf = (note) => note.closest(`li, ${notes}`) ?? note.closest("p, dd, div") ?? note

function link(root, href, text) {
  const element = create(root, "a")
  element.setAttribute("href", href)
  element.append(text)
  return element
}

// The note as an item, with a link back to the text.
function item(root, block, number) {
  const entry = create(root, "li")
  entry.id = `note-${number}`
  if (block.localName === "p") entry.append(block.cloneNode(true))
  else entry.append(...block.childNodes)
  let last = entry.lastElementChild
  if (last?.localName !== "p") {
    last = create(root, "p")
    // Text without a paragraph.
    if (!entry.querySelector(":scope > :is(p, ul, ol, div, table, blockquote)")) last.append(...entry.childNodes)
    entry.append(last)
  }
  const walker = root.ownerDocument.createTreeWalker(entry, NodeFilter.SHOW_TEXT)
  // Programs separate the number by spaces.
  while (walker.nextNode()) {
    walker.currentNode.data = walker.currentNode.data.replace(/^[\s\u00a0]+/, "")
    if (walker.currentNode.data) break
  }
  last.append(last.textContent.endsWith(" ") ? "" : " ", link(root, `#reference-${number}`, "↩"))
  return entry
}

/**
 * Footnotes, whose note links back to their reference, get numbers from `number` on and a list, as if they were written
 * here.
 */
export function readFootnotes(root, number) {
  const targetOf = targets(root)
  const found = new Map()
  for (const reference of root.querySelectorAll("a[href^='#']")) {
    const note = targetOf(reference)
    if (!note || !(reference.compareDocumentPosition(note) & Node.DOCUMENT_POSITION_FOLLOWING)) continue
    const block = blockOf(note)
    const leadsBack = (other) => {
      const target = targetOf(other)
      return target && (target.contains(reference) || target.nextElementSibling === reference)
    }
    const back = [...block.querySelectorAll("a[href^='#']")].find(leadsBack)
    if (!back && !found.has(block)) continue
    if (!found.has(block)) found.set(block, { references: [], number: number++ })
    found.get(block).references.push({ reference, back })
  }
  if (!found.size) return
  const list = create(root, "ol")
  const [first] = [...found.keys()]
  const outer = first.localName === "li" ? first.parentElement : first
  outer.before(list)
  for (const [block, { references, number }] of found) {
    for (const { reference, back } of references) {
      if (back) whole(back).remove()
      const previous = reference.previousElementSibling
      // What the note led back to.
      if (previous?.localName === "span" && previous.id && !previous.firstChild) previous.remove()
      const raised = create(root, "sup")
      raised.append(String(number))
      const written = link(root, `#note-${number}`, raised)
      if (reference === references[0].reference) written.id = `reference-${number}`
      whole(reference).replaceWith(written)
    }
    list.append(item(root, block, number))
    block.remove()
  }
  for (const rest of root.querySelectorAll("[data-style*='note-list'], ol, ul")) {
    if (rest.contains(list)) for (const line of rest.querySelectorAll(":scope > br, :scope > hr")) line.remove()
    else if (!rest.textContent.trim() && !rest.querySelector("img")) rest.remove()
  }
}
