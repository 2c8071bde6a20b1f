#!/usr/bin/env python3
"""Fills in the forms of all content types as people do, with and without JavaScript: pickers, rows, names and values, Markdown,
and the preview beside the form.

    fields.py --program .build/debug/vitrine [--shots DIR]

Prints a line per check; ends with "N passed, N failed".
"""
import argparse
import json
import os
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from checks import check, finish
from patience import browser, wait
from policies import World
from workspace import folder
from writing import EDITOR, Writer, pause, png, shoot

ARTICLES = ["Towpath in winter", "Towers of Ghent", "Café mornings"]


def without_script(world, shots):
    """An article is written in Markdown, illustrated, previewed and scheduled."""
    plain = Writer(world, has_script=False)
    page = plain.page
    plain.open("/media")
    page.locator("input[type=file]").first.set_input_files({"name": "lock.png", "mimeType": "image/png", "buffer": png(640, 400)})
    page.get_by_label("Alternative text").first.fill("The lock at dawn")
    page.locator("form:has(input[type=file]) button").first.click()
    plain.new("A walk in Markdown")
    check(page.get_by_label("Written in").first.input_value() == "markdown", "without JavaScript, a new text is written in Markdown")
    plain.box.fill("## By the water\n\nStart at the *lock* <b onclick=\"x()\">early</b>.\n\n- one\n- two\n")
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Preview: Text").click()
    preview = opened.value
    check(preview.locator(".prose h2").inner_text() == "By the water" and preview.locator(".prose em").count() == 1,
          "its preview opens in a new page")
    check(preview.locator("[data-audience]").count() == 1 and preview.locator(".prose b").count() == 0, "of this field alone")
    preview.close()
    page.get_by_role("button", name="Choose from the library: Image").click()
    page.get_by_role("button", name="Use lock").first.click()
    check("## By the water" in plain.box.input_value(), "choosing an image keeps the text as it was written")
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Preview", exact=True).click()
    whole = opened.value
    whole.wait_for_load_state()
    check([part.get_attribute("data-audience") for part in whole.locator("[data-audience]").all()] == ["member", "guest"],
          "the whole form is previewed as members and guests see it")
    check(whole.locator("[data-audience=guest] .prose").count() == 0 and whole.locator("[data-audience=member] .prose").count() == 1,
          "guests don't see the text of members")
    whole.close()
    page.locator("details:has(#local) summary").click()
    page.locator("#local").fill("2030-03-01T09:00")
    page.locator("#zone").fill("Europe/Berlin")
    page.get_by_role("button", name="Save and schedule").click()
    text = page.locator("main").inner_text()
    check("2030" in text and "By the water" in text, "the article is scheduled")
    check("Removed" in text, "what Markdown can't contain is named")
    plain.open(page.url.replace(world.daemon.url, "").split("#")[0].split("?")[0] + "/revisions")
    check(page.get_by_label("Written in").first.input_value() == "html" and "<h2>By the water</h2>" in plain.box.input_value(),
          "a stored text is edited as HTML")
    for title in ARTICLES:
        plain.new(title)
        plain.box.fill("Text.")
        plain.save()


# What people type into required fields of any type; other texts are "Sample".
TYPED = {"key": "sample.key", "locale": "en", "latitude": "48.2", "longitude": "16.4", "path": "48.20 16.37\n48.21 16.38", "number": "3"}

# What a type requires beyond its required fields.
FURTHER = {"article": {"Walks": True}, "video": {"HLS URL": "https://video.example.org/a.m3u8", "Walks": True},
           "onboarding_set": {"Minimum screens Required": "1"}, "setting": {"Value": "3"}}


def every_type(world):
    """The form of every type is filled in and saved without an ID, JSON or timestamp."""
    writer = Writer(world)
    page = writer.page
    writer.open("/entries/new")
    types = [link.get_attribute("href").split("=")[-1] for link in page.locator("main a[href*='type=']").all()]
    check(len(types) >= 14, f"{len(types)} types")
    for type in types:
        writer.open(f"/entries/new?type={type}")
        words = page.locator("main").inner_text()
        strange = [word for word in ("JSON", "UUID", "RFC 3339", "ISO 8601") if word in words]
        for field in page.locator(".field:has(> label .required), .field:has(> .label .required), .field:has(legend .required)").all():
            if field.locator(EDITOR).count():
                field.locator(EDITOR).click()
                page.keyboard.type("Text.")
                continue
            file = field.locator("input[type=file]:not([form=none])").first
            if file.count():
                file.set_input_files({"name": f"{type}.png", "mimeType": "image/png", "buffer": png(40 + len(type), 40)})
                field.locator("label:has-text('Alternative text') input").first.fill("A lock")
                continue
            for control in field.locator("input:not([type=hidden], [type=file], [form=none]), textarea, select").all():
                if not control.is_visible():
                    continue
                kind, name = control.get_attribute("type") or control.evaluate("element => element.localName"), control.get_attribute("name") or ""
                label = control.evaluate("element => [...element.labels].map((label) => label.innerText).join(' ')").lower()
                if kind == "select":
                    # The first one may be none.
                    control.select_option(index=min(1, control.locator("option").count() - 1))
                elif kind in ("checkbox", "radio"):
                    control.check()
                    break
                elif kind == "datetime-local":
                    control.fill("2030-04-01T09:00" if name.endswith("ends_at") else "2030-03-01T09:00")
                else:
                    mode = "number" if control.get_attribute("inputmode") in ("numeric", "decimal") else ""
                    found = [value for key, value in TYPED.items() if key in (name.split(".")[-1], label.split("\n")[0].split(" ")[0], mode)]
                    control.fill(found[0] if found else "Sample")
        for label, action in FURTHER.get(type, {}).items():
            control = page.get_by_label(label, exact=True).first
            control.check() if action is True else control.fill(action)
        writer.save()
        # It waits for the image.
        wait(lambda: "/entries/0" in page.url or page.locator(".alert").count(), f"{type}: the form is sent")
        page.wait_for_load_state()
        saved = page.url.replace(world.daemon.url, "").startswith("/entries/0")
        check(saved and not strange, f"{type}: filled in without an ID, JSON or timestamp {strange}"
              + ("" if saved else " " + page.locator("main").inner_text()[:300].replace("\n", " / ")))
    check(not writer.errors, f"no errors in the console {writer.errors}")


def pickers(world, shots):
    plain, writer = Writer(world, has_script=False), Writer(world)
    page = plain.page
    plain.open("/entries/new?type=feed")
    page.get_by_label("Title", exact=False).first.fill("Winter")
    page.get_by_label("Access").select_option(index=1)
    page.get_by_label("Find by title").fill("tow")
    page.get_by_role("button", name="Find: Pinned").click()
    found = page.locator(".picker label.choice").all_inner_texts()
    check([text.replace("Not published", "").strip() for text in found] == ["Towers of Ghent", "Towpath in winter"],
          f"without JavaScript, a search finds the beginnings of words: {found}")
    page.get_by_label("Towers of Ghent").check()
    page.get_by_label("Find by title").fill("qqq")
    page.get_by_label("Find by title").press("Enter")
    check(page.get_by_text("No title has these words.").is_visible() and page.get_by_label("Towers of Ghent").is_checked(),
          "what is selected stays, and Enter searches instead of saving")
    plain.save()
    feed = page.url.replace(world.daemon.url, "").split("#")[0].split("?")[0]
    check("Towers of Ghent" in page.locator("main").inner_text(), "the entry refers to what was selected")

    page = writer.page
    writer.open(feed + "/revisions")
    search = page.get_by_label("Find by title")
    search.focus()
    page.get_by_label("Café mornings").wait_for()
    check(page.get_by_label("Towers of Ghent").is_checked(), "with JavaScript, the newest entries are offered at once")
    search.press_sequentially("towp")
    page.get_by_label("Café mornings").wait_for(state="detached")
    search.press("ArrowDown")
    page.keyboard.press("Space")
    check(page.get_by_label("Towpath in winter").is_checked(), "the keyboard selects what is found")
    if shots:
        shoot(page, shots, "fields-picker")
    writer.save()
    text = page.locator("main").inner_text()
    check(text.index("Towers of Ghent") < text.index("Towpath in winter"), "in the order of selection")
    check(not writer.errors, f"no errors in the console {writer.errors}")


def names_and_values(world):
    writer = Writer(world)
    page = writer.page
    writer.new("Sounds")
    page.locator(EDITOR).first.click()
    page.keyboard.type("Listen.")
    lines = page.locator(".pairs .inline-fields")
    before = lines.count()
    values = ["bells", "https://example.org/bells.mp3", "count", "5", "code", '"5"']
    for number, value in enumerate(values):
        page.locator(".pairs input").nth(number).fill(value)
    check(lines.count() > before, "there is always an empty line")
    writer.save()
    shown = page.locator("main").inner_text()
    check('{"bells":"https://example.org/bells.mp3","code":"5","count":5}' in shown, "names and values become an object")
    writer.open(page.url.replace(world.daemon.url, "").split("#")[0].split("?")[0] + "/revisions")
    again = [field.input_value() for field in page.locator(".pairs input").all()]
    check(again[:6] == ["bells", values[1], "code", '"5"', "count", "5"], f"and come back as they were: {again}")
    page.locator(".pairs input").nth(2).fill("bells")
    writer.save()
    check("problem" in page.locator(".alert").inner_text() and page.locator(".pairs input").nth(2).input_value() == "bells",
          "a name that occurs twice is refused, and nothing typed is lost")


def rows(world, shots):
    writer = Writer(world)
    page = writer.page
    writer.open("/entries/new?type=onboarding_set")
    add = page.get_by_role("button", name="Add Screen")
    url = page.url
    headings = lambda: page.locator("[data-rows] [data-heading]").all_inner_texts()
    title = lambda number: page.locator("[data-row-of-list]").nth(number).locator("input[type=text]").first
    start = len(headings())
    for _ in range(3 - start):
        add.click()
    check(page.url == url and headings() == ["Screen 1", "Screen 2", "Screen 3"], f"rows are added at once: {headings()}")
    for number, text in enumerate(["One", "Two", "Three"]):
        title(number).fill(text)
    title(2).focus()
    page.keyboard.press("Alt+ArrowUp")
    texts = lambda: [title(number).input_value() for number in range(len(headings()))]
    check(texts() == ["One", "Three", "Two"] and headings() == ["Screen 1", "Screen 2", "Screen 3"], f"Alt and arrow keys move a row: {texts()}")
    handle = page.locator("[data-row-of-list]").nth(0).locator(".drag-handle")
    handle.scroll_into_view_if_needed()
    start, target = handle.bounding_box(), page.locator("[data-row-of-list]").nth(1).bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(target["x"] + 20, target["y"] + target["height"] - 5, steps=5)
    page.mouse.up()
    check(texts() == ["Three", "One", "Two"], f"a row is dragged: {texts()}")
    page.get_by_role("button", name="Remove Screen 2").click()
    check(texts() == ["Three", "Two"], f"and removed: {texts()}")
    if shots:
        shoot(page, shots, "fields-rows")
    check(not writer.errors, f"no errors in the console {writer.errors}")


def preview(world, shots):
    writer = Writer(world)
    page = writer.page
    writer.new("A towpath in four seasons")
    page.get_by_role("button", name="Preview", exact=True).click()
    pane = page.locator(".preview-pane .paper")
    pane.get_by_text("A towpath in four seasons").first.wait_for()
    check(page.get_by_label("Slug").get_attribute("placeholder") == "a-towpath-in-four-seasons", "the slug is shown before it is saved")
    page.locator(EDITOR).first.click()
    pause(page)
    page.keyboard.type("Herons own it.")
    pane.get_by_text("Herons own it.").wait_for()
    check(True, "the preview follows the text")
    page.get_by_role("button", name="Guests").click()
    check(pane.get_by_text("Herons own it.").is_hidden(), "guests don't see the text of members")
    page.get_by_role("button", name="Phone width").click()
    check(page.locator(".preview-pane .paper").bounding_box()["width"] <= 390, "in the width of a phone")
    if shots:
        shoot(page, shots, "fields-preview")
    page.context.set_offline(True)
    page.keyboard.press("Tab")
    page.get_by_label("Summary").fill("Offline")
    page.get_by_text("The preview could not be updated.").wait_for()
    page.context.set_offline(False)
    page.get_by_label("Summary").fill("Online again")
    page.get_by_role("button", name="Members").click()
    pane.locator("[data-audience=member]").get_by_text("Online again").wait_for()
    check(True, "and works again after the network failed")
    page.get_by_role("button", name="Close preview").click()
    check(page.locator(".preview-pane").is_hidden(), "it can be closed")
    bar = page.get_by_role("button", name="Save draft").last.bounding_box()
    check(bar["y"] < 900, "the buttons that save are in view")


class Tiles(BaseHTTPRequestHandler):
    """A server of map tiles."""

    served = 0
    tile = png(256, 256)

    def do_GET(self):
        Tiles.served += 1
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.end_headers()
        self.wfile.write(self.tile)

    def log_message(self, *_):
        pass


def path(writer, shots):
    """The points of a route come from a GPX file, and from the map."""
    page = writer.page
    writer.open("/entries/new?type=route")
    box = page.locator("[data-path]")
    points = "".join(f'<trkpt lat="48.2{n}" lon="16.37{n}"><ele>17{n}</ele></trkpt>' for n in range(3))
    file = page.locator("input[type=file][accept*=gpx]")
    file.set_input_files({"name": "none.gpx", "mimeType": "application/gpx+xml", "buffer": b"<gpx></gpx>"})
    page.get_by_text("This file has no points of a path.").wait_for()
    file.set_input_files({"name": "walk.gpx", "mimeType": "application/gpx+xml", "buffer": f"<gpx><trk><trkseg>{points}</trkseg></trk></gpx>".encode()})
    wait(lambda: box.input_value() == "48.20 16.370 170\n48.21 16.371 171\n48.22 16.372 172", "a path is loaded from a GPX file")
    map = page.get_by_role("application").last
    map.scroll_into_view_if_needed()
    page.locator(".leaflet-tile-loaded").first.wait_for()
    map.click(position={"x": 100, "y": 60})
    check(len(box.input_value().split("\n")) == 4, "a click on the map adds a point at the end")
    page.get_by_role("button", name="Add here").press("Enter")
    page.get_by_role("button", name="Remove last point").press("Enter")
    check(len(box.input_value().split("\n")) == 4, "the last point is removed")
    if shots:
        page.wait_for_timeout(500)
        shoot(page, shots, "fields-path")
    check(not writer.errors, f"no errors in the console {writer.errors}")


def positions(world, shots):
    """A place is found on the map, and links lead to published entries."""
    writer = Writer(world)
    page = writer.page
    writer.open("/entries/new?type=place")
    map = page.get_by_role("application")
    map.scroll_into_view_if_needed()
    page.locator(".leaflet-tile-loaded").first.wait_for()
    check(Tiles.served > 0, "the map loads its tiles")
    map.click(position={"x": 200, "y": 100})
    latitude, longitude = page.get_by_label("Latitude"), page.get_by_label("Longitude")
    check(latitude.input_value() and longitude.input_value(), "a click sets the position")
    latitude.fill("48.2082")
    longitude.fill("16.3738")
    page.locator(".leaflet-marker-icon").wait_for()
    before = page.locator(".leaflet-marker-icon").bounding_box()
    page.mouse.move(before["x"] + 12, before["y"] + 20)
    page.mouse.down()
    page.mouse.move(before["x"] + 60, before["y"] + 20, steps=4)
    page.mouse.up()
    check(16.3738 < float(longitude.input_value()) < 60 and abs(float(latitude.input_value()) - 48.2082) < 1,
          f"the pin is dragged: {latitude.input_value()}, {longitude.input_value()}")
    page.get_by_role("button", name="Zoom in").press("Enter")
    page.get_by_role("button", name="Set here").press("Enter")
    page.evaluate("""() => {
        const clipboardData = new DataTransfer()
        clipboardData.setData("text", "52.5163, 13.3777")
        document.querySelector("[data-coordinates] input").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
    }""")
    check((latitude.input_value(), longitude.input_value()) == ("52.5163", "13.3777"), "a pasted position fills both fields")
    check(page.get_by_text("© Map makers").is_visible(), "the map names its makers")
    if shots:
        page.wait_for_timeout(500)
        shoot(page, shots, "fields-map")

    path(writer, shots)
    writer.new("Live walk")
    page.locator(EDITOR).first.click()
    pause(page)
    page.keyboard.type("Text.")
    writer.save("Save and publish now")
    writer.new("About links")
    page.locator(EDITOR).first.click()
    pause(page)
    page.keyboard.type("read this")
    page.keyboard.press("Control+Shift+ArrowLeft")
    pause(page)
    page.keyboard.press("Control+k")
    page.get_by_label("Find a published entry").press_sequentially("wal")
    page.get_by_role("button", name="Live walk").click()
    page.keyboard.press("Enter")
    page.locator("dialog[open]").wait_for(state="detached")
    check('<a href="https://read.example.org/live-walk">this</a>' in writer.html(), "a link to another entry is found by its title")
    check(not writer.errors, f"no errors in the console {writer.errors}")


def markdown(program, browser, shots):
    """A content type with a Markdown field."""
    types = os.path.join(folder(), "content-types")
    shutil.copytree("Config/content-types", types)
    path = os.path.join(types, "video.json")
    with open(path) as file:
        video = json.load(file)
    for field in video["fields"]:
        if field["name"] == "body":
            field["type"] = "markdown"
    with open(path, "w") as file:
        json.dump(video, file)
    with World(program, browser, {"CONTENT_TYPES_DIR": types}) as world:
        writer = Writer(world)
        page = writer.page
        writer.open("/entries/new?type=video")
        box = page.locator("[name='field.body']")
        box.fill("one\ntwo")
        box.press("Control+a")
        page.get_by_role("button", name="Bulleted list").click()
        check(box.input_value() == "- one\n- two", "the toolbar marks lines")
        page.get_by_role("button", name="Bulleted list").click()
        check(box.input_value() == "one\ntwo", "and unmarks them")
        box.press("Control+a")
        box.press("Control+b")
        check(box.input_value() == "**one\ntwo**", "keys mark the selection")
        box.press("Control+z")
        check(box.input_value() == "one\ntwo", "and can be undone")
        page.get_by_role("button", name="Preview: Text").click()
        paper = page.locator("[data-previewed]")
        paper.get_by_text("one").wait_for()
        box.fill("## Head\n\n*Hello*")
        paper.locator("em").wait_for()
        check(paper.locator("h2").inner_text() == "Head", "the preview below it follows the text")
        if shots:
            shoot(page, shots, "fields-markdown")
        check(not writer.errors, f"no errors in the console {writer.errors}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--shots")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    with browser() as chromium:
        with World(program, chromium, {}) as world:
            without_script(world, options.shots)
            pickers(world, options.shots)
            names_and_values(world)
            every_type(world)
            rows(world, options.shots)
            preview(world, options.shots)
        tiles = ThreadingHTTPServer(("127.0.0.1", 0), Tiles)
        threading.Thread(target=tiles.serve_forever, daemon=True).start()
        settings = {"MAPS_TILE_URL": f"http://127.0.0.1:{tiles.server_port}/{{z}}/{{x}}/{{y}}.png",
                    "MAPS_ATTRIBUTION": "© Map makers", "SITE_ITEM_URL": "https://read.example.org/{slug}"}
        with World(program, chromium, settings) as world:
            positions(world, options.shots)
        tiles.shutdown()
        markdown(program, chromium, options.shots)
    finish()


if __name__ == "__main__":
    main()
