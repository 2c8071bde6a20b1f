#!/usr/bin/env python3
"""Fills in the forms of all content types as people do, with and without JavaScript: pickers, rows, names and values, times and
their zones, slugs, Markdown, maps, and the preview beside the form. Weighs the scripts of all pages.

    fields.py --program .build/debug/vitrine [--shots DIR]

Prints a line per check; ends with "N passed, N failed".
"""
import argparse
import gzip
import json
import os
import re
import shutil
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from checks import check, finish, step
from patience import browser, wait
from policies import World
from run import PAGES
from workspace import folder
from writing import EDITOR, Writer, pause, png, shoot

UNSORTED = "00000000-0000-7000-8000-000000000013"
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
    check(page.locator("[data-slug-url] code").inner_text() == "a-walk-in-markdown", "and shows the slug that the title leads to")
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="Preview", exact=True).click()
    whole = opened.value
    whole.wait_for_load_state()
    check([part.get_attribute("data-audience") for part in whole.locator("[data-audience]").all()] == ["member", "guest"],
          "the whole form is previewed as members and guests see it")
    check(whole.locator("[data-audience=guest] .prose").count() == 0 and whole.locator("[data-audience=member] .prose").count() == 1,
          "guests don't see the text of members")
    check(whole.get_by_text("Slug: a-walk-in-markdown").is_visible(), "it shows the slug")
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


# What people type, by type and field, field, or the first word of a label; other texts are "Sample".
TYPED = {"locale": "en", "category.locale": "de", "latitude": "48.2", "longitude": "16.37", "path": "48.20 16.37\n48.21 16.38",
         "url": "https://example.org/a", "website": "https://example.org/b", "hls_url": "https://video.example.org/a.m3u8",
         "duration": "1:02", "country": "AT", "zone": "Europe/Vienna", "south": "48.1", "north": "48.3", "west": "16.2", "east": "16.5",
         "rating": "4", "min_screens": "1", "max_screens": "5", "minimum": "1", "maximum": "5", "setting.value": "3",
         "text.name": "link", "text.value": "See {link}"}

# What stays empty, and why.
EMPTY = {"setting.choices": "for values of another type", "category.merged_into": "it would be no category of its own",
         "feed.source_category": "it would contain no selected items"}

# What nobody should have to type or read: words, and the forms of IDs, JSON and timestamps.
STRANGE = re.compile(r"\b(JSON|UUID|RFC 3339|ISO 8601|timestamp)\b|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", re.I)
CODED = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-|\s*[\[{]\"|\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$")

CONTROLS = "input:not([type=hidden], [type=file], [type=search], [form=none]), textarea, select"

# The scripts below ask for everything at once: forms have hundreds of controls, and each question to the browser takes its time.
SEEN = """const isSeen = (element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true })
}"""

# What `fill` has to know of a control.
CONTROL = f"""(element) => {{
    {SEEN}
    return {{
        name: element.name, kind: element.getAttribute("type") ?? element.localName,
        label: ([...element.labels].map((label) => label.innerText).join(" ").toLowerCase().match(/\\S+/) ?? [""])[0],
        isNumber: ["numeric", "decimal"].includes(element.getAttribute("inputmode")),
        options: element.localName === "select" ? element.options.length : 0,
        isUsable: isSeen(element) && !element.matches(":disabled"),
    }}
}}"""

# How a field is filled in: the first of these that it has, or by its controls.
KINDS = {"editor": EDITOR, "text": "[data-format]", "image": ".drop input[type=file]", "pairs": ".pairs", "choices": ".picker, .checkbox-list"}
KIND = f"""(field, kinds) => {{
    {SEEN}
    if (!isSeen(field)) return "none"
    return Object.entries(kinds).find(([, selector]) => field.querySelector(selector))?.[0] ?? "controls"
}}"""

# The texts of a form, and the values of its controls that people read.
READ = f"""(controls) => {{
    {SEEN}
    const hints = [...document.querySelectorAll("#edit [placeholder], #edit [title]")]
    const shown = [...document.querySelectorAll(`#edit :is(${{controls}})`)].filter((element) => isSeen(element)
        && element.localName !== "select" && !["checkbox", "radio", "datetime-local"].includes(element.getAttribute("type")))
    return {{
        words: [document.querySelector("main").innerText, ...hints.flatMap((one) => [one.placeholder ?? "", one.title])].join(" "),
        values: shown.map((element) => element.value),
    }}
}}"""


def fill(type, control, number):
    """Types into a control, or chooses."""
    found = control.evaluate(CONTROL)
    if not found["isUsable"]:
        return
    name, label, kind = found["name"], found["label"], found["kind"]
    field = name.removesuffix(".zone").split(".")[-1]
    if f"{type}.{field}" in EMPTY:
        return
    if name.endswith(".zone") and label == "time":
        control.fill("Europe/Vienna")
    elif kind == "select":
        # The first one may be none.
        control.select_option(index=min(1, found["options"] - 1))
    elif kind in ("checkbox", "radio"):
        control.check()
    elif kind == "datetime-local":
        control.fill("2030-04-01T09:00" if field == "ends_at" else "2030-03-01T09:00")
    else:
        known = [TYPED[key] for key in (f"{type}.{field}", field, label) if key in TYPED]
        # No other entry has them.
        own = {"title": f"Sample {number}", "slug": f"sample-{type.replace('_', '-')}-{number}", "key": f"sample.key{number}"}
        control.fill(own.get(field) or (known[0] if known else "3" if found["isNumber"] else "Sample"))


def fill_all(writer, type, number):
    """Every field of the form: rows are added first, because without JavaScript the server adds them."""
    page = writer.page
    for text in [button.inner_text() for button in page.locator("button[name=rows]:visible").all()]:
        rows = page.locator(f".list:has(> .actions button:text-is('{text}')) > [data-row-of-list]")
        if text.startswith("Add ") and not rows.count():
            page.get_by_role("button", name=text, exact=True).click()
            rows.first.wait_for()
    for place, field in enumerate(page.locator("#edit .field:not(:has(.field))").all()):
        kind = field.evaluate(KIND, KINDS)
        if kind == "editor":
            field.locator(EDITOR).click()
            page.keyboard.type("Text.")
        elif kind == "text":
            field.locator("textarea").first.fill("Text.")
        elif kind == "image":
            # Each image is another one.
            file = {"name": f"{type}-{number}-{place}.png", "mimeType": "image/png", "buffer": png(40 + 7 * place + number, 40 + len(type))}
            field.locator("input[type=file]").first.set_input_files(file)
            field.locator("label:has-text('Alternative text') input").first.fill("A lock")
        elif kind == "pairs":
            for input in field.locator(".pairs[role=group] > .inline-fields input[type=text]").all():
                input.fill("https://example.org/known.mp3")
            field.locator("summary").click()
            for input, text in zip(field.locator("[data-lines] input").all(), ("bells", "https://example.org/bells.mp3")):
                input.fill(text)
        elif kind == "choices":
            choice = field.locator("label.choice input[type=checkbox]:visible").first
            if choice.count():
                choice.check()
        elif kind == "controls":
            for control in field.locator(CONTROLS).all():
                fill(type, control, number)


def strange(page):
    """The words and values of a form that people should never meet."""
    found = page.evaluate(READ, CONTROLS)
    return [word[0] for word in STRANGE.finditer(found["words"])] + [value for value in found["values"] if CODED.match(value)]


def every_type(world, has_script):
    """Every field of the form of every type is filled in, saved and edited without an ID, JSON or timestamp."""
    writer = Writer(world, has_script=has_script)
    page = writer.page
    mode, number = ("with", 1) if has_script else ("without", 2)
    writer.open("/entries/new")
    types = [link.get_attribute("href").split("=")[-1] for link in page.locator("main a[href*='type=']").all()]
    check(len(types) >= 14, f"{len(types)} types")
    for type in types:
        writer.open(f"/entries/new?type={type}")
        found = strange(page)
        fill_all(writer, type, number)
        writer.save()
        # It waits for the images.
        wait(lambda: "/entries/0" in page.url or page.locator(".alert").count(), f"{type}: the form is sent")
        page.wait_for_load_state()
        path = page.url.replace(world.daemon.url, "").split("#")[0].split("?")[0]
        saved = path.startswith("/entries/0")
        if saved:
            writer.open(path + "/revisions")
        found += strange(page)
        check(saved and not found, f"{type}: filled in {mode} JavaScript without an ID, JSON or timestamp {found}"
              + ("" if saved else " " + page.locator("main").inner_text()[:300].replace("\n", " / ")))
    check(not writer.errors, f"no errors in the console {writer.errors}")


def zones(world):
    """Times are entered in the person's zone, which comes from the browser or is chosen. Fields keep the offset at that time."""
    email = "zoe@vitrine.example"
    created = world.command("account", "create", email, "--name", "Zoe", "--role", "publisher")
    context = world.page.context.browser.new_context(timezone_id="Europe/Berlin", viewport={"width": 1280, "height": 900})
    page = context.new_page()
    go = lambda path: page.goto(world.daemon.url + path)
    inputs = lambda: [field.input_value() for field in page.locator("input[list=zones]").all()]
    world.daemon.sign_in(page, created)
    go("/account")
    check(inputs() == ["Europe/Berlin"], f"the first sign-in takes the zone of the browser: {inputs()}")
    check(page.locator("#zones option").count() > 400, "all zones can be searched")
    submission = world.submit("Zoned")
    for path in ("/entries/new?type=article", "/entries/new?type=promotion", "/previews", f"/queue/{submission}"):
        go(path)
        check(set(inputs()) == {"Europe/Berlin"} and page.locator("#zones").count() == 1, f"{path.split('/0')[0]}: times are in this zone: {inputs()}")

    def article(local, zone=None):
        """Saves an article that was published first at a time; returns what its page says, and the form to edit it."""
        go("/entries/new?type=article")
        page.get_by_label("Title", exact=False).first.fill(f"At {local}")
        page.get_by_label("Walks", exact=True).check()
        page.locator(EDITOR).first.click()
        page.keyboard.type("Text.")
        page.get_by_label("Date and time").first.fill(local)
        if zone:
            page.get_by_label("Time zone").first.fill(zone)
        page.get_by_role("button", name="Save draft").last.click()
        page.wait_for_load_state()
        shown = page.locator("main").inner_text()
        if "/entries/0" in page.url:
            page.goto(page.url.split("#")[0].split("?")[0] + "/revisions")
        return shown, (page.get_by_label("Date and time").first.input_value(), inputs()[0])

    shown, again = article("2030-07-01T09:00")
    check("2030-07-01 09:00 UTC+02:00" in shown and again == ("2030-07-01T09:00", "Europe/Berlin"), f"a field keeps the offset in summer: {again}")
    shown, again = article("2030-01-01T09:00")
    check("2030-01-01 09:00 UTC+01:00" in shown and again == ("2030-01-01T09:00", "Europe/Berlin"), f"and in winter: {again}")
    shown, again = article("2030-01-02T09:00", "Asia/Kolkata")
    check("2030-01-02 09:00 UTC+05:30" in shown and again == ("2030-01-02T09:00", "UTC+05:30"), f"a time of another zone stays as it is: {again}")
    shown, again = article("2030-01-03T09:00", "Mars/Base")
    check("Enter a time zone such as Europe/London." in shown and again == ("2030-01-03T09:00", "Mars/Base"), f"an unknown zone is refused at the field: {again}")
    go("/account")
    page.get_by_label("Your time zone").fill("Mars/Base")
    page.get_by_role("button", name="Save time zone").click()
    check("Enter a time zone" in page.locator(".alert").inner_text(), "an account has a known zone")
    page.get_by_label("Your time zone").fill("America/New_York")
    page.get_by_role("button", name="Save time zone").click()
    go("/previews")
    check(inputs() == ["America/New_York"], f"the zone is changed: {inputs()}")
    context.close()


def slugs(world):
    """The slug follows the title while it is typed, and is free."""
    writer = Writer(world)
    page = writer.page
    writer.new("A towpath in four seasons")
    hint = page.locator("[data-slug-url]")
    hint.get_by_text("a-towpath-in-four-seasons", exact=True).wait_for()
    check(page.locator(".preview-pane").is_hidden(), "the slug is shown without the preview")
    page.get_by_label("Slug").fill("my-own")
    hint.wait_for(state="hidden")
    page.get_by_label("Slug").fill("")
    page.get_by_label("Title", exact=False).first.fill(ARTICLES[0])
    hint.get_by_text("towpath-in-winter-2", exact=True).wait_for()
    check(True, "one that is taken gets a number")


def choices(world):
    """A long list of checkboxes is searched, and begins with what was chosen last."""
    world.daemon.publish([("category", {"title": f"Topic number {number}", "group": "category_group:topic"}) for number in range(9)])
    writer = Writer(world)
    page = writer.page
    writer.new("About topics", category="Topic number 7")
    page.locator(EDITOR).first.click()
    page.keyboard.type("Text.")
    list = page.locator(".field:has(> .checkbox-list [name='field.categories'])")
    shown = lambda: [text.strip() for text in list.locator("label.choice:visible").all_inner_texts()]
    search = list.get_by_role("searchbox")
    search.fill("numb 4")
    check(shown() == ["Topic number 7", "Topic number 4"] or shown() == ["Topic number 4", "Topic number 7"],
          f"words of the label are searched, and what is selected stays: {shown()}")
    search.press("Enter")
    check(list.get_by_role("checkbox", name="Topic number 4").is_checked() and "/entries/new" in page.url, "Enter selects the first one, and sends nothing")
    search.fill("zzz")
    check(list.get_by_text("Nothing in the list has these words.").is_visible(), "a search without a result says so")
    writer.save()
    writer.open("/entries/new?type=article")
    first = list.locator(".checkbox-list .label").first
    recent = list.locator(".checkbox-list .chips").first.locator("label").all_inner_texts()
    check(first.inner_text() == "Recent" and {text.strip() for text in recent} >= {"Topic number 4", "Topic number 7"},
          f"the list begins with what was chosen last: {recent}")
    plain = Writer(world, has_script=False)
    plain.open("/entries/new?type=article")
    check(plain.page.get_by_label("Topic number 8").count() == 1 and plain.page.locator(".find").first.is_hidden(), "without JavaScript, all are listed")


def sizes(world):
    """Scripts of all pages: of those with the editor at most 250 KB, of others 60 KB. A map is loaded when it comes into view."""
    writer = Writer(world)
    page, weights = writer.page, {}
    # Of this page, also those that the browser had.
    scripts = lambda: set(page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))"))
    writer.open("/queue")
    submission = page.locator("a[data-row]").first.get_attribute("href")
    heavy, most = [], {}
    for path in [*PAGES, submission, "/entries/new?type=place"]:
        writer.open(path)
        page.wait_for_load_state("networkidle")
        loaded = scripts()
        for url in loaded - weights.keys():
            # Fetched again: the browser may have dropped their bodies.
            weights[url] = len(gzip.compress(writer.context.request.get(url).body(), 9))
        size, limit = sum(weights[url] for url in loaded) / 1024, 250 if page.locator(EDITOR).count() else 60
        most[limit] = max(most.get(limit, (0, "")), (size, path))
        if not 0 < size <= limit:
            heavy.append(f"{path}: {size:.1f} KB")
    check(not heavy, f"scripts of pages are at most 250 KB gzip with the editor and 60 KB without: {heavy or most}")
    check(not any("leaflet" in url for url in loaded), "the program for maps isn't loaded with the page")
    page.mouse.move(20, 20)
    page.mouse.move(40, 40)
    page.get_by_label("Latitude").scroll_into_view_if_needed()
    page.locator(".leaflet-tile-loaded").first.wait_for()
    check(any("leaflet" in url for url in scripts()), "but when a map comes into view")


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
    lines, typed = page.locator("[data-lines] .inline-fields"), page.locator(".pairs input[type=text]")
    page.get_by_label("Audio", exact=True).fill("https://example.org/walk.mp3")
    check(lines.first.is_hidden(), "a name that the type knows needs not be typed")
    page.locator("summary", has_text="Add a value").click()
    before = lines.count()
    values = ["bells", "https://example.org/bells.mp3", "count", "5", "code", '"5"']
    for number, value in enumerate(values):
        lines.locator("input").nth(number).fill(value)
    check(lines.count() > before, "there is always an empty line")
    writer.save()
    shown = page.locator(".other-fields").text_content()
    check('{"audio":"https://example.org/walk.mp3","bells":"https://example.org/bells.mp3","code":"5","count":5}' in shown,
          "names and values become an object")
    path = page.url.replace(world.daemon.url, "").split("#")[0].split("?")[0] + "/revisions"
    writer.open("/entries/new?type=article")
    names = page.locator("#field-media-names option").evaluate_all("all => all.map((option) => option.value)")
    check(names == ["bells", "code", "count"], f"names of other articles are suggested: {names}")
    writer.open(path)
    again = [field.input_value() for field in typed.all()]
    check(again[:7] == ["https://example.org/walk.mp3", "bells", values[1], "code", '"5"', "count", "5"], f"and come back as they were: {again}")
    typed.nth(3).fill("bells")
    writer.save()
    check("problem" in page.locator(".alert").inner_text() and typed.nth(3).input_value() == "bells",
          "a name that occurs twice is refused, and nothing typed is lost")


def bar(world):
    """Saving, publishing and scheduling are in view, in a window and on a phone, and so is the time of a schedule."""
    writer = Writer(world)
    page = writer.page
    for width, height in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        writer.open("/entries/new?type=article")

        def in_view(control):
            box = control.bounding_box()
            return box and box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height

        schedule = page.locator(".save-bar summary", has_text="Schedule")
        buttons = [page.locator(".save-bar button", has_text=name) for name in ("Save draft", "Save and publish now")]
        check(all(in_view(control) for control in [*buttons, schedule]), f"save, publish and schedule are in view, {width} pixels wide")
        schedule.click()
        entered = [page.locator("#local"), page.locator("#zone"), page.get_by_role("button", name="Save and schedule")]
        check(all(in_view(control) for control in [*entered, *buttons]), "with the time, once it is asked for")
        check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "and nothing overflows")
    check(not writer.errors, f"no errors in the console {writer.errors}")


def rows(world, shots):
    writer = Writer(world)
    page = writer.page
    writer.open("/entries/new?type=onboarding_set")
    add = page.get_by_role("button", name="Add screen")
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
    page.get_by_role("button", name="Remove Screen 2").click()
    undo, said = page.locator("[data-removed] button"), page.locator("[data-removed] [role=status]")
    check(said.inner_text() == "Screen 2 removed.", f"which the page says: {said.inner_text()!r}")
    undo.click()
    check(texts() == ["Three", "Two"] and page.evaluate("document.activeElement.matches('[data-row-of-list]')"), f"it comes back: {texts()}")
    undo.click()
    check(texts() == ["Three", "One", "Two"] and headings() == ["Screen 1", "Screen 2", "Screen 3"] and undo.is_hidden(),
          f"so do others before it, where they were: {texts()}")
    page.get_by_role("button", name="Remove Screen 2").click()
    if shots:
        shoot(page, shots, "fields-rows")
    while add.is_visible():
        add.click()
    check(undo.is_visible() and undo.is_disabled(), "a row doesn't come back into a full list")
    page.get_by_role("button", name="Remove Screen 1", exact=True).click()
    check(undo.is_enabled(), "until there is room again")
    check(not writer.errors, f"no errors in the console {writer.errors}")


def ordering(world):
    """A feed is reordered by keyboard, by dragging and without JavaScript; readers see nothing of it until it is saved."""
    def create(kind, content):
        code, out, error = world.daemon.command("entry", "create", "-", "--type", kind, "--publish", "--json", stdin=json.dumps(content))
        check(code == 0, f"an entry of type {kind} is published {error.strip()}")
        return json.loads(out)["id"]

    def seen():
        return [title for title, in world.daemon.sql(
            "select i.title from api_v1.feed_item f join api_v1.item i on i.id = f.item_id where f.feed_id = %s"
            " order by f.rank, f.age, f.item_id", (feed,))]

    feed = create("feed", {"title": "By hand", "tier": "free", "order": "ranked"})
    for title in ("One", "Two", "Three"):
        create("article", {"title": title, "body": "<p>Text.</p>", "categories": [UNSORTED], "feeds": [feed]})
    writer = Writer(world)
    page = writer.page
    path = f"/feeds/{feed}/order"
    writer.open(path)
    titles = lambda: page.locator("[data-entry] th a").all_inner_texts()
    check(titles() == ["Three", "Two", "One"] and not page.locator("[data-dirty]").is_visible(), f"the newest item is first: {titles()}")
    page.locator("[data-entry] .drag-handle").nth(2).focus()
    page.keyboard.press("Alt+ArrowUp")
    check(titles() == ["Three", "One", "Two"] and page.url.endswith(path), f"Alt and arrow keys move an item at once: {titles()}")
    check(page.locator("[data-dirty]").is_visible() and page.locator("[data-position]").inner_text() == "One: position 2 of 3.",
          "the page says where it is, and that it is not saved")
    check(page.evaluate("document.activeElement.closest('[data-entry]').querySelector('th a').textContent") == "One", "it keeps the focus")
    handle = page.locator("[data-entry] .drag-handle").nth(0)
    handle.scroll_into_view_if_needed()
    start, target = handle.bounding_box(), page.locator("[data-entry]").nth(2).bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(start["x"] + 5, target["y"] + target["height"] - 3, steps=8)
    page.mouse.up()
    check(titles() == ["One", "Two", "Three"], f"an item is dragged: {titles()}")
    check(page.get_by_label("Position of Three").input_value() == "3" and page.locator("button[aria-label='Move Three down']").is_disabled(),
          "its position and buttons follow")
    check(seen() == ["Three", "Two", "One"], f"readers see the order of before: {seen()}")
    writer.save("Save order")
    check(seen() == ["One", "Two", "Three"], f"and the new one once it is saved: {seen()}")
    page.get_by_label("Position of Three").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("1")
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.locator(".breadcrumb").get_by_role("link", name="Feeds").click()
    wait(lambda: page.title() is not None and asked == ["beforeunload"], "the browser asks before a typed position is lost")
    check(page.get_by_label("Position of Three").input_value() == "1", "staying keeps it")
    with page.expect_navigation():
        page.get_by_role("button", name="Apply positions").click()
    check(titles() == ["Three", "One", "Two"], f"applying it asks nothing: {titles()}")
    with page.expect_navigation():
        page.get_by_role("link", name="Discard changes").click()
    check(titles() == ["One", "Two", "Three"], f"nor does discarding the order: {titles()}")
    check(not writer.errors, f"no errors in the console {writer.errors}")

    plain = Writer(world, has_script=False)
    page = plain.page
    plain.open(path)
    page.get_by_role("button", name="Move Three to the top").click()
    check(titles() == ["Three", "One", "Two"] and page.get_by_text("Not saved yet").is_visible(), f"without JavaScript, too: {titles()}")
    page.get_by_label("Position of Two").fill("1")
    page.get_by_label("Position of Two").press("Enter")
    check(titles() == ["Two", "Three", "One"], f"a position is typed: {titles()}")
    check(seen() == ["One", "Two", "Three"], f"which nobody sees: {seen()}")
    plain.save("Save order")
    check(seen() == ["Two", "Three", "One"], f"until it is saved: {seen()}")


def preview(world, shots):
    writer = Writer(world)
    page = writer.page
    writer.new("A towpath in four seasons")
    page.get_by_role("button", name="Preview", exact=True).click()
    pane = page.locator(".preview-pane .paper")
    pane.get_by_text("A towpath in four seasons").first.wait_for()
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
    page.mouse.move(20, 20)
    page.mouse.move(40, 40)
    box.scroll_into_view_if_needed()
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
    page.mouse.move(20, 20)
    page.mouse.move(40, 40)
    page.get_by_label("Latitude").scroll_into_view_if_needed()
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
    page.keyboard.press("Control+End")
    pause(page)
    page.keyboard.type(", or ")
    dialog = page.locator("dialog[open]")
    for text, link in ((None, "Live walk"), ("that one", "that one")):
        page.keyboard.press("Control+k")
        if text:
            dialog.get_by_label("Text (optional)").fill(text)
        page.get_by_label("Find a published entry").fill("wal")
        page.get_by_role("button", name="Live walk").click()
        page.keyboard.press("Enter")
        dialog.wait_for(state="detached")
        check(f'<a href="https://read.example.org/live-walk">{link}</a>' in writer.html(),
              f"without a selection, a link has the title of the entry, or the text that was typed: {link}")
        page.keyboard.type(" ")
        pause(page)
    check(">Live walk</a> <a" in writer.html(), "and what is typed after it is not part of it")
    check(not writer.errors, f"no errors in the console {writer.errors}")


def content_types():
    """Those of the product; the text of a video is Markdown."""
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
    return types


def markdown(world, shots):
    """A box for Markdown, with its toolbar and its keys."""
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
    lists(page, box)
    page.get_by_role("button", name="Preview: Text").click()
    paper = page.locator("[data-previewed]")
    paper.get_by_text("one").wait_for()
    box.fill("## Head\n\n*Hello*")
    paper.locator("em").wait_for()
    check(paper.locator("h2").inner_text() == "Head", "the preview below it follows the text")
    box.fill("One [two](https://example.org/a-b) *three*, 四")
    page.get_by_text("4 words", exact=True).wait_for()
    check(True, "words are counted, without URLs")
    if shots:
        shoot(page, shots, "fields-markdown")
    check(not writer.errors, f"no errors in the console {writer.errors}")


def lists(page, box):
    """The keys of a box for Markdown."""
    box.fill("")
    for typed, expected in (("- one\ntwo\n\nthree", "- one\n- two\n\nthree"), ("9. one\ntwo", "9. one\n10. two"),
                            ("> a\nb", "> a\n> b"), ("plain\nline", "plain\nline"), ("-no\nlist", "-no\nlist")):
        box.fill("")
        for line, text in enumerate(typed.split("\n")):
            if line:
                page.keyboard.press("Enter")
            page.keyboard.type(text)
        check(box.input_value() == expected, f"Enter continues a list or a quotation, and an empty line ends it: {box.input_value()!r}")
    box.fill("- one")
    box.press("End")
    box.press("Enter")
    box.press("Control+z")
    check(box.input_value() == "- one", f"which can be undone: {box.input_value()!r}")
    box.press("Alt+F10")
    focused = lambda: page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.name")
    shown = [focused()]
    for key in ("ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home", "Escape"):
        page.keyboard.press(key)
        shown.append(focused())
    check(shown == ["Bold", "Italic", "Link", "Bold", "Link", "Bold", "field.body"], f"keys move in the toolbar and back to the text: {shown}")


def dialogs(world, shots):
    """The dialogs of the editor that writing.py doesn't show, and the editor on the full screen, as axe sees them."""
    if not shots:
        return
    writer = Writer(world)
    page = writer.page
    writer.new("Dialogs")
    page.locator(EDITOR).first.click()
    pause(page)
    page.keyboard.type("A few words")
    for name in ("link", "embed", "language", "abbr", "time"):
        page.keyboard.press("Control+a")
        pause(page)
        if name == "link":
            page.keyboard.press("Control+k")
        else:
            page.get_by_label("More formatting").select_option(f"open {name}")
        page.locator(f"dialog[data-dialog={name}][open]").wait_for()
        shoot(page, shots, f"editor-{name}")
        page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")
        page.locator(EDITOR).first.click()
    page.get_by_role("button", name="Full screen").click()
    page.locator(".rich-text.full-screen").wait_for()
    shoot(page, shots, "editor-full-screen")
    page.get_by_role("button", name="Full screen").click()
    page.locator(".rich-text.full-screen").wait_for(state="detached")
    check(not writer.errors, f"no errors in the console {writer.errors}")


def mentions(world):
    """Teammates are suggested after an @ in a note; an email address mentions nobody."""
    for name in ("Ines Berg", "Inga Holm"):
        world.command("account", "create", f"{name.split()[0].lower()}@vitrine.example", "--name", name, "--role", "editor")
    writer = Writer(world)
    page = writer.page
    writer.open("/entries?type=article")
    page.get_by_role("link", name=ARTICLES[0]).first.click()
    page.locator("textarea[aria-controls^=mentions]").wait_for()
    note = page.get_by_label("Internal note")
    note.click()
    page.keyboard.type("ask@in")
    names = page.locator(".mentions [role=option]")
    check(names.count() == 0, "an email address has no suggestions")
    page.keyboard.type(".example and @in")
    check(names.all_inner_texts() == ["Ines Berg", "Inga Holm"], f"names are suggested: {names.all_inner_texts()}")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.type("too.")
    check(note.input_value() == "ask@in.example and @Inga Holm too.", f"and inserted by keyboard: {note.input_value()}")
    page.get_by_role("button", name="Add note").click()
    check("1 person notified" in page.locator(".flash").inner_text(), "whom the note mentions is notified")
    check(not writer.errors, f"no errors in the console {writer.errors}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--shots")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    with browser() as chromium:
        run = partial(step, browser=chromium)
        with World(program, chromium, {}) as world:
            run(without_script, world, options.shots)
            run(pickers, world, options.shots)
            run(names_and_values, world)
            run(bar, world)
            run(every_type, world, has_script=True)
            run(every_type, world, has_script=False)
            run(zones, world)
            run(slugs, world)
            run(choices, world)
            run(mentions, world)
            run(dialogs, world, options.shots)
            run(rows, world, options.shots)
            run(ordering, world)
            run(preview, world, options.shots)
        tiles = ThreadingHTTPServer(("127.0.0.1", 0), Tiles)
        threading.Thread(target=tiles.serve_forever, daemon=True).start()
        settings = {"MAPS_TILE_URL": f"http://127.0.0.1:{tiles.server_port}/{{z}}/{{x}}/{{y}}.png",
                    "MAPS_ATTRIBUTION": "© Map makers", "SITE_ITEM_URL": "https://read.example.org/{slug}",
                    "CONTENT_TYPES_DIR": content_types()}
        with World(program, chromium, settings, role="administrator") as world:
            run(positions, world, options.shots)
            run(sizes, world)
            run(markdown, world, options.shots)
        tiles.shutdown()
    finish()


if __name__ == "__main__":
    main()
