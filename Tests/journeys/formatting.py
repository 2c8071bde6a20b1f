"""Uses every control of the rich-text editor once, by keyboard where people do, and compares what they make. Used by writing.py."""
from checks import check
from editor import EDITOR, Writer, same
from patience import pause

FORM = "/entries/new?type=article"
FOCUSED = "document.activeElement"


def marks(writer):
    """Each format of text is set and removed."""
    page = writer.page
    values = page.get_by_label("More formatting").evaluate("more => [...more.options].map((option) => option.value)")
    names = [value.split()[1] for value in values if value.startswith("mark ")]
    wrong = []
    for name in names:
        writer.clear()
        page.keyboard.type("word")
        writer.press("Shift+Home")
        writer.more(f"mark {name}")
        made = writer.html()
        writer.more(f"mark {name}")
        if (made, writer.html()) != (f"<p><{name}>word</{name}></p>", "<p>word</p>"):
            wrong.append((name, made, writer.html()))
    check(len(names) == 11 and not wrong, f"{len(names)} formats of text are set and removed {wrong}")
    for name in ("h2", "h3", "h4", "h5", "h6", "pre", "p"):
        page.get_by_label("Paragraph style").select_option({"p": "paragraph"}.get(name, name.removeprefix("h")))
        pause(page)
        if writer.html() != f"<{name}>word</{name}>":
            wrong.append((name, writer.html()))
    for label, html in (("Bulleted list", "<ul><li>word</li></ul>"), ("Numbered list", "<ol><li>word</li></ol>"),
                        ("Quotation", "<blockquote><p>word</p></blockquote>")):
        for expected in (html, "<p>word</p>"):
            page.get_by_role("button", name=label).click()
            pause(page)
            if writer.html() != expected:
                wrong.append((label, writer.html()))
    check(not wrong, f"and all styles of paragraphs {wrong}")


def attributes(writer):
    """What has a text and something beside it: abbreviations, times, languages, code, lists."""
    page = writer.page
    dialog = page.locator("dialog[open]")

    def apply():
        dialog.get_by_role("button", name="Apply").click()
        dialog.wait_for(state="detached")
        pause(page)

    writer.clear()
    page.keyboard.type("HTML on Friday")
    writer.press("Home", "ArrowRight")
    writer.more("open abbr")
    page.keyboard.press("Enter")
    check("Enter the abbreviation" in dialog.get_by_role("alert").inner_text(), "an abbreviation needs its meaning")
    dialog.get_by_label("Meaning").fill("Hypertext Markup Language")
    apply()
    writer.press("End")
    writer.more("open time")
    dialog.get_by_label("Date", exact=True).fill("2026-11-27")
    dialog.get_by_label("Time (optional)").fill("18:00")
    apply()
    writer.press("End")
    page.keyboard.type(", late")
    check(writer.html() == '<p><abbr title="Hypertext Markup Language">HTML</abbr> on <time datetime="2026-11-27T18:00">Friday</time>, late</p>',
          "the word at the cursor becomes an abbreviation with its meaning, or a date")
    writer.press("Home", "ArrowRight")
    writer.more("open abbr")
    check(dialog.get_by_label("Meaning").input_value() == "Hypertext Markup Language", "its dialog shows the meaning again")
    dialog.get_by_role("button", name="Remove abbreviation").click()
    check("<abbr" not in writer.html(), "and removes it")

    writer.clear()
    page.keyboard.type("deux mots")
    writer.more("open language")
    dialog.get_by_label("Language, such as").fill("not a tag")
    page.keyboard.press("Enter")
    check("Enter a language tag" in dialog.get_by_role("alert").inner_text(), "a language is checked")
    dialog.get_by_label("Language, such as").fill("fr")
    dialog.get_by_label("Direction").select_option("auto")
    apply()
    writer.press("End", "Shift+Control+ArrowLeft")
    writer.more("open language")
    dialog.get_by_label("Language, such as").fill("de-AT")
    apply()
    html = writer.html()
    check('lang="fr"' in html and 'dir="auto"' in html and '<span lang="de-AT">' in html, f"a paragraph and words have a language {html}")

    writer.clear()
    check(page.locator("[value='open code']").is_disabled() and page.locator("[value='open numbering']").is_disabled(),
          "what has no effect here is disabled")
    page.get_by_label("Paragraph style").select_option("pre")
    pause(page)
    page.keyboard.type("let x = 1")
    writer.more("open code")
    dialog.get_by_label("Programming language").fill("swift")
    apply()
    check(writer.html() == '<pre class="language-swift">let x = 1</pre>', "code has a language")
    writer.clear()
    page.get_by_label("Paragraph style").select_option("paragraph")
    pause(page)
    for key in "1. one", "Enter", "Tab", "two":
        page.keyboard.press(key) if key in ("Enter", "Tab") else page.keyboard.type(key)
    pause(page)
    writer.more("open numbering")
    dialog.get_by_label("First number").fill("3")
    dialog.get_by_label("Style").select_option("a")
    dialog.get_by_label("Count down").check()
    apply()
    same('<ol><li>one<ol type="a" start="3" reversed=""><li>two</li></ol></li></ol>', writer.html(), "the inner list has numbers of its own")


def blocks(writer):
    """Collapsible sections, terms, lines, and clearing all formats."""
    page = writer.page
    writer.clear()
    writer.more("do terms")
    for text in ("Lock", "A gate", "Weir", "A dam"):
        page.keyboard.type(text)
        writer.press("Enter")
    writer.press("Enter")
    writer.more("do details")
    page.keyboard.type("More")
    writer.press("Enter")
    page.keyboard.type("Inside")
    writer.press("Enter", "Enter")
    page.keyboard.type("After")
    writer.more("do lineBreak")
    page.keyboard.type("a break")
    writer.more("do rule")
    same("<dl><dt>Lock</dt><dd>A gate</dd><dt>Weir</dt><dd>A dam</dd></dl><details><summary>More</summary><p>Inside</p></details>"
         "<p>After<br>a break</p><hr><p></p>", writer.html(), "terms, a collapsible section, a line break and a line are written with Enter")
    writer.clear()
    page.keyboard.type("- plain")
    writer.press("Shift+Home")
    for name in ("u", "mark"):
        writer.more(f"mark {name}")
    page.keyboard.press("Control+b")
    pause(page)
    before = writer.html()
    writer.more("do clear")
    check("<strong>" in before and writer.html() == "<p>plain</p>", f"Clear formatting leaves the words {before} {writer.html()}")
    page.get_by_role("button", name="Undo").click()
    check(writer.html() == before, "Undo brings the formats back")
    page.get_by_role("button", name="Redo").click()
    check(writer.html() == "<p>plain</p>", "Redo takes them away again")


def tables(writer):
    """Each button of tables, the caption, and the way out by keyboard."""
    page = writer.page

    def rows():
        return page.locator(f"{EDITOR} tr").evaluate_all(
            "rows => rows.map((row) => [...row.children].map((cell) => (cell.localName === 'th' ? '#' : '') + cell.textContent.trim()))")

    writer.clear()
    page.get_by_role("button", name="Table", exact=True).click()
    pause(page)
    for text in ("a", "b", "c", "1", "2", "3", "x", "y", "z"):
        page.keyboard.type(text)
        writer.press("Tab")
    check(rows()[:3] == [["#a", "#b", "#c"], ["1", "2", "3"], ["x", "y", "z"]] and len(rows()) == 4, "Tab leads through the cells, and adds a row")
    writer.more("table deleteRow")
    steps = [
        ("addRowBefore", [["#a", "#b", "#c"], ["1", "2", "3"], ["", "", ""], ["x", "y", "z"]]),
        ("deleteRow", [["#a", "#b", "#c"], ["1", "2", "3"], ["x", "y", "z"]]),
        ("addColumnBefore", [["#", "#a", "#b", "#c"], ["", "1", "2", "3"], ["", "x", "y", "z"]]),
        ("toggleHeaderColumn", [["#", "#a", "#b", "#c"], ["#", "1", "2", "3"], ["#", "x", "y", "z"]]),
        ("deleteColumn", None),
        ("addColumnAfter", None),
        ("addRowAfter", None),
        ("toggleHeaderRow", None),
    ]
    for name, expected in steps:
        page.locator(f"{EDITOR} tr").nth(min(2, len(rows()) - 1)).locator("td, th").first.click()
        pause(page)
        before = rows()
        writer.more(f"table {name}")
        after = rows()
        check(after == expected if expected else after != before, f"tables: {name} {after}")
    page.locator(f"{EDITOR} td").first.click(position={"x": 4, "y": 4})
    pause(page)
    writer.press("Shift+ArrowDown", "Shift+ArrowDown")
    cells = page.locator(f"{EDITOR} .selectedCell").count()
    writer.more("table mergeOrSplit")
    check(cells > 1 and f'rowspan="{cells}"' in writer.html(), f"{cells} cells are merged")
    writer.more("table mergeOrSplit")
    check("rowspan" not in writer.html(), "and split")
    writer.more("do caption")
    page.keyboard.type("By month")
    pause(page)
    check("<table><caption>By month</caption>" in writer.html(), "a table has a caption")
    writer.click(page.locator(f"{EDITOR} td").last)
    count = len(rows())
    writer.press("Escape")
    check(page.get_by_text("Press Tab to leave the text.").is_visible(), "Escape says how to leave a table")
    writer.press("Tab")
    check(len(rows()) == count and page.evaluate(f"!{FOCUSED}.closest('{EDITOR}')"), "and Tab leaves it")
    check("Alt+F10" in page.evaluate(f"document.getElementById(document.querySelector('{EDITOR}').getAttribute('aria-describedby').split(' ').pop()).innerText"),
          "screen readers announce the keys with the text")
    writer.click(page.locator(f"{EDITOR} td").last)
    writer.more("do deleteTable")
    check("<table>" not in writer.html() and "By month" not in writer.html(), "a deleted table takes its caption with it")


def full_screen(writer):
    page = writer.page
    button = page.get_by_role("button", name="Full screen")
    button.click()
    pause(page)
    check(page.evaluate(f"document.querySelector('h1').closest('[inert]') !== null && {FOCUSED}.matches('{EDITOR}')"),
          "on the full screen nothing behind the text can be reached")
    writer.more("open language")
    check(page.locator("dialog[open]").get_by_label("Direction").is_visible(), "but its dialogs")
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")
    check(button.get_attribute("aria-pressed") == "true", "closing a dialog doesn't leave it")
    page.locator(EDITOR).click()
    writer.press("Escape")
    check(button.get_attribute("aria-pressed") == "false" and page.locator("[inert]").count() == 0, "Escape leaves it")


def footnotes(world):
    """Footnotes are numbered by their references and keep their notes, also after they were saved."""
    writer = Writer(world)
    page = writer.page
    writer.new("Three footnotes")

    def notes():
        """What the references show, and each note."""
        return ([each.inner_text() for each in page.locator(f"{EDITOR} a > sup").all()],
                [each.inner_text().replace("↩", "").strip() for each in page.locator(f"{EDITOR} ol > li").all()])

    def note(text):
        writer.more("do footnote")
        page.keyboard.type(text)
        pause(page)

    writer.clear()
    page.keyboard.type("Old weir")
    note("Of 1871.")
    check(notes() == (["1"], ["Of 1871."]), f"a footnote is written where the cursor goes {notes()}")
    writer.click(page.locator(f"{EDITOR} p").first)
    writer.press("End")
    page.keyboard.type(", loud")
    check("</sup></a>, loud</p>" in writer.html(), "what is typed after a reference is not part of it")
    note("In spring.")
    check(notes() == (["1", "2"], ["Of 1871.", "In spring."]), f"a second one joins the list {notes()}")
    writer.click(page.locator(f"{EDITOR} p").first)
    writer.press("Home", "ArrowRight", "ArrowRight", "ArrowRight")
    note("Very old.")
    check(notes() == (["1", "2", "3"], ["Very old.", "Of 1871.", "In spring."]), f"one before them is the first {notes()}")
    writer.save()
    entry = page.url.replace(world.daemon.url, "").split("#")[0].split("?")[0]
    writer.open(entry + "/revisions")
    page.locator(EDITOR).wait_for()
    saved = writer.html()
    check(all(saved.count(f'id="content-{kind}-{number}"') == 1 for kind in ("note", "reference") for number in (1, 2, 3)),
          f"saved and opened again, each has its id and leads back {saved}")
    writer.click(page.locator(f"{EDITOR} p").first)
    writer.press("End")
    page.keyboard.type(" today")
    writer.press("Home", *["ArrowRight"] * 4, "Backspace")
    check(notes() == (["1", "2"], ["Of 1871.", "In spring."]), f"a deleted reference takes its note with it, and the others move up {notes()}")
    page.keyboard.press("Control+z")
    pause(page)
    check(notes() == (["1", "2", "3"], ["Very old.", "Of 1871.", "In spring."]), f"undo brings both back {notes()}")
    writer.click(page.locator(f"{EDITOR} ol > li").nth(1))
    writer.press("Home", "Shift+End", "Backspace", "Backspace")
    check(notes() == (["1", "2"], ["Very old.", "In spring."]), f"and a deleted note its reference {notes()}")
    writer.open(FORM)
    check(not writer.errors, f"no errors in the console {writer.errors}")


def toolbar(world):
    writer = Writer(world)
    writer.open(FORM)
    marks(writer)
    attributes(writer)
    blocks(writer)
    tables(writer)
    full_screen(writer)
    writer.open(FORM)
    check(not writer.errors, f"no errors in the console {writer.errors}")
