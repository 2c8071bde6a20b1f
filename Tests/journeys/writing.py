#!/usr/bin/env python3
"""Writes articles in a browser: in the rich-text editor and, without JavaScript, in its box.

    writing.py --program .build/debug/vitrine [--shots FOLDER]

Checks that the editor keeps every element that the server keeps, cleans what is pasted from other programs, and does what each of
its controls says. Writes an article with two images, loses nothing when its form is refused, and schedules it, within the time that
people have for it. Finds and replaces words, adds a video, crops an image; then compares versions, restores one, and adds a
note with a mention. With --shots it also takes screenshots in light, dark and phone width, and runs axe on them. Prints a line per
check; ends with "N passed, N failed".
"""
import argparse
import os
import re
import time
from functools import partial

from checks import check, finish, step
from clipboards import images, pastes
from editor import EDITOR, Writer, same, sample, shoot
from formatting import footnotes, toolbar
from patience import browser, pause, seconds
from policies import World, png

# Seconds from opening the form of an article with two images to its being scheduled.
LIMIT = 90


def every_element(world):
    """An article with every element is edited, and keeps them."""
    plain, writer = Writer(world, has_script=False), Writer(world)
    plain.new("Every element")
    plain.fill_html(sample("every-element.html").replace("\n<", "<").strip())
    plain.save()
    entry = plain.page.url.replace(world.daemon.url, "").split("#")[0]
    check(entry.startswith("/entries/0"), "without JavaScript an article is written as HTML")
    plain.open(entry + "/revisions")
    before = plain.box.input_value()
    writer.open(entry + "/revisions")
    check(writer.html() == before, "a text that nobody changed stays as it is")
    writer.editor.focus()
    writer.page.keyboard.press("Control+Home")
    writer.page.keyboard.type("x")
    writer.page.keyboard.press("Backspace")
    # Links stand around other formatting.
    expected = before.replace('co <a href="https://example.org/c" rel="nofollow ugc noopener">de</a></code>',
                              'co </code><a href="https://example.org/c" rel="nofollow ugc noopener"><code>de</code></a>')
    expected = expected.replace('<sup><a href="#content-n1">1</a></sup>', '<a href="#content-n1"><sup>1</sup></a>')
    writer.html()
    writer.save()
    plain.open(entry + "/revisions")
    same(expected, plain.box.input_value(), "the editor keeps every element and attribute that the server keeps")
    check(not writer.errors, f"no errors in the console {writer.errors}")


# Scripts that fail: before, while and after the editor is made, or for a text that it can't read.
BROKEN = {
    "vendor/prose-editor.js": None,
    "rich-text-find.js": ("addProseMirrorPlugins: () => [", "addProseMirrorPlugins: () => [new pm.state.Plugin({ state: { "
                          "init() { throw new Error('no plugin') }, apply: (_, state) => state } }), "),
    "rich-text-bar.js": ("export function toolbar(box, editor, open, kept) {",
                         "export function toolbar(box, editor, open, kept) { throw new Error('no toolbar')"),
    "rich-text-model.js": ("export function read(content, schema) {",
                           "export function read(content, schema) { return { type: 'doc', content: [{ type: 'nonsense' }] }"),
}


def changed(change):
    """Handles the request of a script by one in which the first text is replaced by the second."""
    def handle(route):
        body = route.fetch().text()
        check(change[0] in body, f"the script of this test fits: {route.request.url}")
        route.fulfill(body=body.replace(*change), content_type="text/javascript")
    return handle


def broken_editor(world):
    """Whatever keeps the editor from starting, its box is there with the text, a message says so, and the form is saved."""
    writer = Writer(world, has_script=False)
    writer.new("Without its editor")
    writer.fill_html("<p>Kept <em>words</em></p>")
    writer.save()
    entry = writer.page.url.replace(world.daemon.url, "").split("#")[0].split("?")[0]
    for number, (name, change) in enumerate(BROKEN.items(), 1):
        writer = Writer(world)
        page = writer.page
        page.route(f"**/static/{name}", changed(change) if change else lambda route: route.abort())
        writer.open(entry + "/revisions")
        page.get_by_text("The editor couldn't start.").wait_for()
        box = page.get_by_role("textbox", name=re.compile("^Text"))
        check(box.count() == 1 and box.input_value().startswith("<p>Kept <em>words</em>") and page.locator(EDITOR).count() == 0,
              f"{name} fails: the box has the text, and its label")
        check(page.locator("[data-without-editor]").first.is_visible() and page.locator(".rich-text-bar").first.is_hidden(),
              "its format can be chosen, and there is no toolbar")
        box.press("Control+End")
        page.keyboard.type(f"<p>More {number}</p>")
        writer.save()
        check(f"More {number}" in page.locator("main").inner_text(), "what is written there is saved")
        page.context.close()
    writer = Writer(world)
    writer.page.route("**/static/rich-text-model.js", changed(
        ("export function write(node) {", "export function write(node) { throw new Error('not written')")))
    writer.open(entry + "/revisions")
    writer.editor.click()
    writer.press("Control+End")
    writer.page.keyboard.type(", and what the editor can't write")
    writer.save()
    check(", and what the editor can't write" in writer.page.locator("main").inner_text(), "a text that the editor can't write is saved as it is shown")


def waits(world):
    """A form that was just sent is not sent again, and creates one release."""
    writer = Writer(world)
    page, sent = writer.page, []
    page.goto(world.daemon.url + "/releases")
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    page.locator("form[action='/releases'] input[name=title]").fill("Sent twice")
    page.evaluate("""() => {
        const button = document.querySelector("form[action='/releases'][method=post] button")
        for (let press = 0; press < 3; press++) button.form.requestSubmit(button)
    }""")
    page.wait_for_url(re.compile(r"/releases/\d+"))
    check(len([url for url in sent if url.endswith("/releases")]) == 1, f"a form that was just sent is not sent again {sent}")
    check(not writer.errors, f"and causes no errors in the console {writer.errors}")


def tools(world, shots):
    """Words are found and replaced, a video becomes a card, and an image of the text is cropped and described anew."""
    writer = Writer(world)
    page, keys = writer.page, writer.page.keyboard
    writer.new("Tools of the editor")
    writer.editor.click()
    keys.type("The heron and the Heron. Two herons.")
    keys.press("Control+f")
    keys.type("heron")
    count = page.locator("[data-count]")
    check((count.inner_text(), page.locator(".found").count()) == ("1/3", 3), "Ctrl+F finds words, whatever their case")
    keys.press("Enter")
    page.get_by_label("Replace with").fill("stork")
    if shots:
        shoot(page, shots, "writing-find")
    page.get_by_role("button", name="Replace", exact=True).click()
    check(writer.editor.inner_text().startswith("The heron and the stork. Two herons."), "one is replaced")
    page.get_by_role("button", name="Replace all").click()
    check("The stork and the stork. Two storks." in writer.editor.inner_text() and count.inner_text() == "Not found", "then all others")
    keys.press("Escape")
    check(page.evaluate(f"document.activeElement.matches('{EDITOR}')"), "Escape leads back to the text")
    keys.press("Control+z")
    check("The heron and the stork. Two herons." in writer.editor.inner_text(), "replacing all is undone at once")

    keys.press("Control+End")
    page.get_by_label("More formatting").select_option("open embed")
    dialog = page.locator("dialog[open]")
    dialog.get_by_label("URL").fill("https://example.org/film")
    keys.press("Enter")
    check("YouTube, Vimeo" in dialog.get_by_role("alert").inner_text(), "a URL of another site is refused with the names of the known ones")
    dialog.get_by_label("URL").fill("https://player.vimeo.com/video/77?autoplay=1")
    dialog.get_by_label("Title").fill("The weir in winter")
    keys.press("Enter")
    dialog.wait_for(state="detached")
    check(page.locator(f"{EDITOR} .embed[data-provider=Vimeo]").count() == 1, "a video is a card in the editor")

    page.get_by_role("button", name="Image", exact=True).click()
    page.get_by_label("Or add files").set_input_files([{"name": "weir.png", "mimeType": "image/png", "buffer": png(600, 400)}])
    dialog.locator("[name=alt]").fill("The weir")
    page.get_by_label("Caption (optional)").fill("In winter")
    page.get_by_role("slider", name="Lower right corner").focus()
    for _ in range(5):
        keys.press("Shift+ArrowLeft")
    page.get_by_role("slider", name="Focal point").focus()
    keys.press("Shift+ArrowLeft")
    texts = lambda: [dialog.locator(f"[name={name}]").input_value() for name in ("alt", "caption", "focus_x")]
    before = texts()
    keys.press("Escape")
    dialog.wait_for(state="detached")
    page.get_by_role("button", name="Image", exact=True).click()
    check(before[:2] == ["The weir", "In winter"] and texts() == before, f"Escape loses no text of an image {texts()}")
    if shots:
        shoot(page, shots, "writing-crop")
    page.get_by_role("button", name="Insert").click()
    dialog.wait_for(state="detached")
    check(re.search(r'<p><a href="https://vimeo.com/77">The weir in winter</a></p><figure><img src="/media/[^"]+" alt="The weir" width="300" '
                    r'height="400"><figcaption>In winter</figcaption></figure>', writer.html()), "an image is cropped before it is inserted")
    page.locator(f"{EDITOR} figure img:not(.ProseMirror-separator)").click()
    pause(page)
    page.get_by_role("button", name="Image", exact=True).click()
    page.get_by_role("slider", name="Focal point").wait_for()
    check([dialog.locator(f"[name={name}]").input_value() for name in ("alt", "caption", "crop_width", "focus_x")] == ["The weir", "In winter", "50", "40"],
          "the dialog shows the selected image with its texts, crop and focal point")
    dialog.locator("[name=alt]").fill("Not this")
    dialog.get_by_role("button", name="Cancel", exact=True).click()
    dialog.wait_for(state="detached")
    page.get_by_role("button", name="Image", exact=True).click()
    page.get_by_role("slider", name="Focal point").wait_for()
    check(dialog.locator("[name=alt]").input_value() == "The weir", "Cancel does")
    dialog.locator("[name=alt]").fill("A weir below the bridge")
    page.get_by_label("Caption (optional)").fill("")
    page.get_by_role("button", name="Apply").last.click()
    dialog.wait_for(state="detached")
    check(re.search(r'alt="A weir below the bridge" width="300" height="400"></figure>', writer.html()), "and changes them")
    writer.save()
    check(page.locator(".prose .embed[data-provider=Vimeo] a[target=_blank]").count() > 0, "the entry shows the video as a card")
    if shots:
        shoot(page, shots, "writing-card")
    check(not writer.errors, f"no errors in the console {writer.errors}")


def write(world, shots):
    """An article with two images, by keyboard but for the dialogs, scheduled in a zone."""
    writer = Writer(world)
    page, keys = writer.page, writer.page.keyboard
    start = time.monotonic()
    looked = 0

    def look(name):
        nonlocal looked
        if shots:
            before = time.monotonic()
            shoot(page, shots, name)
            looked += time.monotonic() - before

    writer.new("A towpath in four seasons", "Riverside")
    writer.editor.click()
    keys.type("## In winter the herons own it")
    keys.press("Enter")
    keys.type("The same **eleven** kilometres, walked at example")
    keys.press("Control+Shift+ArrowLeft")
    pause(page)
    keys.press("Control+k")
    page.get_by_role("textbox", name="URL").last.fill("example.org/walks")
    keys.press("Enter")
    pause(page)
    keys.press("End")
    pause(page)
    keys.press("Enter")
    keys.type("- one")
    keys.press("Enter")
    keys.type("two")
    keys.press("Enter")
    keys.press("Enter")
    illustrate(writer, look)
    html = writer.html()
    check('<h2>In winter the herons own it</h2><p>The same <strong>eleven</strong> kilometres, walked at '
          '<a href="https://example.org/walks">example</a></p><ul><li>one</li><li>two</li></ul>' in html,
          "headings, bold, lists and links are typed")
    figures = re.findall(r'<figure><img src="/media/[^"]+" alt="([^"]+)" width="(\d+)" height="400">(?:<figcaption>(.*?)</figcaption>)?</figure>', html)
    check(sorted(figures) == [("The bridge", "650", ""), ("The lock at dawn", "640", "Before eight")],
          f"two images are added with their texts; one that fails doesn't stop the others {figures}")
    check(page.locator(".rich-text-count").inner_text() == "17 words", "words are counted")
    writer.editor.focus()
    keys.press("Alt+F10")
    check(page.evaluate("document.activeElement.closest('[role=toolbar]') !== null"), "Alt+F10 leads to the toolbar")
    keys.press("ArrowRight")
    check(page.evaluate("document.activeElement.ariaLabel") == "Bold", "arrow keys move in the toolbar")
    keys.press("Escape")
    check(page.evaluate(f"document.activeElement.matches('{EDITOR}')"), "Escape leads back to the text")
    look("writing")
    page.get_by_label("Summary").fill("x" * 495)
    check(page.get_by_text("5 characters left", exact=True).is_visible(), "near the limit, the characters left are shown")
    schedule(writer)
    spent = time.monotonic() - start - looked
    check(spent < seconds(LIMIT), f"an article with two images is written and scheduled in {spent:.0f} s of at most {seconds(LIMIT)}")
    note = page.get_by_label("Internal note")
    note.fill("x" * 1990)
    check(page.get_by_text("10 characters left", exact=True).is_visible(), "also of a note")
    note.fill("")
    writer.open("/schedule")
    line = page.locator("section[aria-labelledby=upcoming] .list li", has_text="A towpath in four seasons")
    check("09:00 Europe/Berlin" in line.inner_text() and "2030-03-01" in line.inner_text(),
          f"and stands in the schedule at the time of its zone: {line.inner_text()}")
    check(not writer.errors, f"no errors in the console while writing {writer.errors}")


def illustrate(writer, look):
    """Two images are added at once, each with its texts; a third file is no image."""
    page = writer.page
    page.get_by_role("button", name="Image", exact=True).click()
    page.get_by_label("Or add files").set_input_files([
        {"name": "lock.png", "mimeType": "image/png", "buffer": png(640, 400)},
        {"name": "bad.png", "mimeType": "image/png", "buffer": b"no image"},
        {"name": "bridge.png", "mimeType": "image/png", "buffer": png(650, 400)}])
    page.get_by_text("bad.png was not added:").wait_for()
    lines = page.locator(".rich-text-several li")
    lines.nth(1).wait_for()
    for name, alt in (("lock", "The lock at dawn"), ("bridge", "The bridge")):
        lines.filter(has=page.get_by_role("button", name=f"Remove: {name}")).get_by_label("Alternative text").fill(alt)
    lines.filter(has=page.get_by_role("button", name="Remove: lock")).get_by_label("Caption (optional)").fill("Before eight")
    look("writing-image")
    page.get_by_role("button", name="Insert", exact=True).click()
    page.locator("dialog[open]").wait_for(state="detached")


def schedule(writer):
    """A form that is refused keeps all, then the article is scheduled."""
    page = writer.page
    page.locator("details:has(#local) > summary").click()
    page.locator("#local").fill("2030-03-01T09:00")
    page.locator("#zone").fill("Europe/Berlin")
    page.get_by_label("Title", exact=False).first.fill("")
    writer.save("Save and schedule")
    check("problem" in page.locator(".alert").inner_text(), "the form is refused without a title")
    check(page.locator(EDITOR).get_by_text("Before eight").count() == 1 and page.get_by_alt_text("The lock at dawn").count() == 1
          and page.locator("#local").input_value() == "2030-03-01T09:00" and page.locator("#zone").input_value() == "Europe/Berlin",
          "a refused form keeps the text, its images, the time and its zone")
    page.get_by_label("Title", exact=False).first.fill("A towpath in four seasons")
    writer.save("Save and schedule")
    check("A towpath in four seasons" in page.locator("h1").inner_text(), "the article is scheduled")


TEXT = ("<h2>The way</h2><p>Eleven <b>kilometres</b> along the river, with <a href='https://example.org/a'>a map</a>.</p>"
        + "".join(f"<p>Stage {n} leads from lock {n} to lock {n + 1} under old trees.</p>" for n in range(1, 9))
        + "<table><tr><th>Month</th><th>Visitors</th></tr><tr><td>May</td><td>1,204</td></tr></table>"
        + "<figure><img src='https://images.example/lock.jpg' alt='A lock' width='640' height='400'><figcaption>The lock</figcaption>"
        + "</figure><p dir='rtl' lang='ar'>مرحبا بالعالم</p><p>The end 🚶</p>")
EDITED = (TEXT.replace("h2>", "h3>").replace("<b>kilometres</b>", "kilometres").replace("example.org/a", "example.org/b")
          .replace("1,204", "1,310").replace("lock.jpg", "weir.jpg").replace("'A lock'", "'A weir'")
          .replace("بالعالم", "بالنهر").replace("The end 🚶", "The end 🚴") + "<p>See you there.</p>")


def versions(world, shots):
    """Two versions are compared and one restored without JavaScript; a note mentions a teammate."""
    world.command("account", "create", "ines@vitrine.example", "--name", "Ines", "--role", "editor")
    plain, shown = Writer(world, has_script=False), Writer(world)
    plain.new("A river walk")
    plain.fill_html(TEXT)
    plain.save()
    entry = plain.page.url.replace(world.daemon.url, "").split("#")[0]
    plain.open(entry + "/revisions")
    plain.fill_html(EDITED)
    plain.save()
    beside(shown.page, world.daemon.url + entry + "/revisions")
    plain.page.get_by_role("link", name="History").click()
    check(plain.page.get_by_text("Changed: Text").count() == 1, "the history says in one line what changed")
    plain.page.get_by_role("link", name="View changes").first.click()
    text = " ".join(plain.page.locator("main").inner_text().split())
    for words in ("Heading 2 → Heading 3", "Bold removed from “kilometres”",
                  "Link of “a map”: https://example.org/a → https://example.org/b", "Image before", "Image after",
                  "Alternative text: A weir", "640 × 400", "Paragraph added"):
        check(words in text, f"the comparison says: {words}")
    check("<p>" not in text and "<td>" not in text, "the comparison shows text, no tags")
    marked = {name: plain.page.locator(f"main {name}").all_inner_texts() for name in ("ins", "del")}
    check(marked["del"] == ["1,204", "بالعالم", "🚶"] and marked["ins"] == ["1,310", "بالنهر", "🚴", "See you there."],
          f"words that changed are marked {marked}")
    folded = plain.page.get_by_text("Show 6 unchanged paragraphs")
    check(folded.count() == 1 and not plain.page.get_by_text("Stage 4").is_visible(), "unchanged paragraphs are folded")
    folded.click()
    check(plain.page.get_by_text("Stage 4").is_visible(), "and shown without JavaScript")
    if shots:
        shown.open(plain.page.url.replace(world.daemon.url, "") + "?images=show")
        shoot(shown.page, shots, "versions-compare", whole=True)
    plain.page.get_by_role("link", name="Restore older version…").click()
    check("Saves its content as version 3." in plain.page.locator("main").inner_text(), "restoring asks first")
    plain.page.get_by_role("button", name="Restore version 1 as draft").click()
    check("Version 3 saved as a draft." in plain.page.locator(".flash").inner_text(), "a version is restored as a new one")
    plain.page.get_by_role("button", name="Undo").click()
    check("Version 4 saved as a draft." in plain.page.locator(".flash").inner_text(), "undoing it restores the one before")
    plain.page.get_by_label("Internal note").fill("@Ines, are the visitors right?")
    plain.page.get_by_role("button", name="Add note").click()
    check("1 person notified" in plain.page.locator(".flash").inner_text(), "a note mentions a teammate")
    check("Mentioned: Ines" in plain.page.locator("#notes").inner_text(), "and is shown beside the text")
    plain.page.get_by_role("link", name="History").click()
    lines = plain.page.locator(".history > li").all_inner_texts()
    check(len(lines) == 5 and "added a note" in lines[0] and "Version 2 restored" in lines[1] and "created version 1" in lines[4],
          f"the history has versions and notes, newest first {lines}")
    if shots:
        shown.open(entry)
        shoot(shown.page, shots, "versions-entry", whole=True)
        shown.open(entry + "/history")
        shoot(shown.page, shots, "versions-history", whole=True)
        shown.open(entry + "/restore?number=1")
        shoot(shown.page, shots, "versions-restore", whole=True)
    stale(world, entry, shots)
    check(not shown.errors, f"no errors in the console while comparing {shown.errors}")


def beside(page, url):
    """The state and the history of the entry are beside its form, below it on a phone."""
    for width, height, is_beside in ((1440, 900, True), (390, 844, False)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(url)
        title = page.get_by_label("Title", exact=False).first.bounding_box()
        state, history = (page.locator(f"section[aria-labelledby={name}]") for name in ("state", "history"))
        box = state.bounding_box()
        check((box["x"] >= title["x"] + title["width"]) == is_beside, f"the state of the entry, {width} px wide {title} {box}")
        check("Draft v2" in state.inner_text() and "saved version 2" in history.inner_text(), "it names the newest version")
    page.set_viewport_size({"width": 1280, "height": 900})


def stale(world, entry, shots):
    """Two people edit the same text: both see what the other one changed, as text."""
    one, two = Writer(world, has_script=False), Writer(world, has_script=False)
    one.open(entry + "/revisions")
    two.open(entry + "/revisions")
    one.box.fill(EDITED.replace("Eleven", "Twelve"))
    one.save()
    two.box.fill(EDITED.replace("The way", "Our way"))
    two.save()
    table = two.page.locator("table", has_text="Edits by field")
    check(table.locator("ins").all_inner_texts() == ["Twelve", "Our"], "a late save compares the text of both sides with the original")
    if shots:
        # axe needs scripts, which this page is shown without
        two.page.screenshot(path=os.path.join(shots, "versions-stale-light.png"), full_page=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--shots")
    options = parser.parse_args()
    with browser() as chromium:
        run = partial(step, browser=chromium)
        with World(os.path.abspath(options.program), chromium, {}) as world:
            run(every_element, world)
            run(pastes, world)
            run(images, world)
            run(waits, world)
            run(broken_editor, world)
            run(write, world, options.shots)
            run(toolbar, world)
            run(footnotes, world)
            run(tools, world, options.shots)
            run(versions, world, options.shots)
    finish()


if __name__ == "__main__":
    main()
