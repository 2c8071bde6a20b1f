#!/usr/bin/env python3
"""Adds images to the media library in a browser: dropped, pasted and chosen, through lost connections and a killed daemon.

    media.py --program .build/debug/vitrine [--shots FOLDER]

Also crops an image by keyboard, replaces its file, asks for missing alternative texts, and does the same without JavaScript. With
--shots it takes screenshots in light, dark and phone width, and runs axe on them. Prints a line per check; ends with
"N passed, N failed".
"""
import os
import re

from autosave import EMAIL, PASSWORD, Server, sign_in
from checks import check, finish, read_options, step
from patience import FACTOR, browser, seconds, wait
from policies import png
from run import Daemon
from workspace import folder
from writing import shoot

# Puts files on the page as a person would drop or paste them.
GIVE = """([selector, kind, names, bytes]) => {
    const transfer = new DataTransfer()
    names.forEach((name, index) => transfer.items.add(new File([Uint8Array.from(bytes[index])], name, { type: "image/png" })))
    const target = document.querySelector(selector)
    const options = { bubbles: true, cancelable: true }
    if (kind === "paste") target.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData: transfer }))
    else for (const type of ["dragover", "drop"]) target.dispatchEvent(new DragEvent(type, { ...options, dataTransfer: transfer }))
}"""


def image(name, width, height, extra=0):
    return {"name": name, "mimeType": "image/png", "buffer": png(width, height, extra)}


class Library:
    """A signed-in editor."""

    def __init__(self, server, browser, has_script=True, **options):
        self.server = server
        self.context = browser.new_context(java_script_enabled=has_script, **options)
        self.page = self.context.new_page()
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        sign_in(self.page, server)

    def open(self, path="/media"):
        self.page.goto(self.server.url + path)

    def give(self, selector, kind, *files):
        self.page.evaluate(GIVE, [selector, kind, [file["name"] for file in files], [list(file["buffer"]) for file in files]])

    def added(self, name):
        self.page.locator(".uploads").get_by_label(f"Alternative text: {name}").wait_for(timeout=1000 * seconds(90))

    def says(self):
        return " ".join(self.page.locator("main").inner_text().split())


def several(library, shots):
    page = library.page
    library.open()
    page.locator("#file").set_input_files([image("one.png", 640, 400), {"name": "bad.png", "mimeType": "image/png", "buffer": b"no"},
                                          image("two.png", 641, 400)])
    library.added("one.png")
    library.added("two.png")
    check("bad.png was not added: The file is not a supported image" in library.says(), "each file has its own error")
    library.give("main", "drop", image("dropped.png", 642, 400))
    library.give("body", "paste", image("pasted.png", 643, 400))
    library.added("dropped.png")
    library.added("pasted.png")
    field = page.get_by_label("Alternative text: one.png")
    field.fill("A gray wall")
    field.press("Enter")
    page.locator(".uploads").get_by_text("Saved").wait_for()
    check(page.url.endswith("/media"), "Enter saves the text, not the form")
    if shots:
        shoot(page, shots, "media-added")
    check(library.server.sql("select count(*) from ops.media where alt = 'A gray wall' and name = 'one.png'") == "1",
          "the alternative text is stored at once")
    library.open()
    check("3 images without alternative text" in library.says(), "the page says how many images have no text")


def typed_texts(library):
    """An alternative text is stored although its field is never left: by its keys, after a pause, and when the tab is closed."""
    page, server = library.page, library.server
    stored = lambda text: server.sql(f"select count(*) from ops.media where alt = '{text}'") == "1"
    library.open()
    for number, (words, key) in enumerate((("By the save key", "Control+s"), ("By Escape", "Escape"), ("By a pause", None))):
        page.locator("#file").set_input_files([image(f"typed-{number}.png", 660 + number, 400)])
        library.added(f"typed-{number}.png")
        field = page.get_by_label(f"Alternative text: typed-{number}.png")
        field.click()
        page.keyboard.type(words)
        if key:
            page.keyboard.press(key)
        wait(lambda words=words: page.title() is not None and stored(words), f"an alternative text is stored: {words}")
        # Escape leaves a field.
        check(field.evaluate("field => field === document.activeElement") == (key != "Escape"), "and its field keeps the keyboard")
    field.press("End")
    page.keyboard.type(", and the rest")
    page.close(run_before_unload=True)
    library.page = library.context.new_page()
    library.page.on("pageerror", lambda error: library.errors.append(str(error)))
    wait(lambda: library.page.title() is not None and stored("By a pause, and the rest"), "and when the tab is closed at once")


def limit(session, bytes_per_second=(1 << 20) // min(FACTOR, 4), offline=False):
    """Limits the connection of the page: on a busy machine more, so that there is time to interrupt it."""
    session.send("Network.emulateNetworkConditions", {
        "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_per_second})


def received(library, name):
    """How many bytes of an unfinished upload have arrived. Asked by way of the page, whose events are handled meanwhile."""
    library.page.wait_for_timeout(50)
    return int(library.server.sql(f"select received from ops.upload where name = '{name}' and media_id is null") or 0)


def interrupted(library, folder):
    """Each file has six parts; the connection ends, the daemon is killed, or the page is reloaded in the middle."""
    page, server = library.page, library.server
    methods = []
    page.on("request", lambda request: methods.append(request.method) if "/media/uploads/" in request.url else None)
    for number, way in enumerate(("network", "daemon", "reload", "cancel")):
        path = os.path.join(folder, f"{way}.png")
        with open(path, "wb") as file:
            file.write(png(644 + number, 400, 5 << 20))
        library.open()
        methods.clear()
        session = library.context.new_cdp_session(page)
        session.send("Network.enable")
        limit(session)
        page.locator("#file").set_input_files(path)
        wait(lambda: received(library, f"{way}.png") > 0, f"{way}: some bytes arrive first")
        before = received(library, f"{way}.png")
        if way == "network":
            limit(session, offline=True)
            page.locator(".uploads").get_by_text("No connection.").wait_for()
        elif way == "daemon":
            server.kill()
            page.locator(".uploads").get_by_text("No connection.").wait_for()
            check(received(library, "daemon.png") >= before > 0, "what has arrived survives the daemon")
            server.start()
        elif way == "reload":
            asked = []
            page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
            # Browsers ask only people who have used the page.
            page.locator("h1").click()
            library.open()
            check(asked == ["beforeunload"], f"the browser asks before it leaves a page that uploads {asked}")
            methods.clear()
            page.locator("#file").set_input_files(path)
        else:
            page.get_by_role("button", name="Cancel: cancel.png").click()
            page.locator(".uploads li").wait_for(state="detached")
            wait(lambda: server.sql("select count(*) from ops.upload where name = 'cancel.png'") == "0", "a canceled upload leaves nothing")
        limit(session, -1)
        session.detach()
        if way == "cancel":
            continue
        library.added(f"{way}.png")
        most = 5 if way == "reload" else 8
        check("GET" in methods and methods.count("POST") <= most, f"{way}: the upload continues where it ended: {' '.join(methods)}")
    check(server.sql("select count(*) from ops.upload_part") == "0", "no bytes are left")


def missing(library, shots):
    page = library.page
    library.open()
    page.get_by_role("link", name=re.compile("images without alternative text")).click()
    fields = page.locator("textarea[name^='alt.']")
    count = fields.count()
    fields.nth(0).fill("Described in the list")
    fields.nth(1).fill("Described, too")
    if shots:
        shoot(page, shots, "media-missing")
    page.get_by_role("button", name="Save alternative texts").click()
    check("2 alternative texts saved." in page.locator("body").inner_text() and fields.count() == count - 2,
          "the texts of several images are saved together")


def field(library, shots):
    """The image of an article: dropped on its field."""
    page = library.page
    library.open("/entries/new?type=article")
    discard = page.get_by_role("button", name="Discard")
    if discard.count():
        discard.first.click()
        library.open("/entries/new?type=article")
    page.get_by_label("Title", exact=False).first.fill("A wall in the morning")
    text, own = page.locator("[name='field.image.alt']"), page.locator(".field:has([name='field.image'])")
    own.get_by_role("button", name="Choose from the library").wait_for()
    own.get_by_text("You can also drop or paste it here.").wait_for()
    check(text.is_hidden() and own.get_by_label("URL", exact=True).is_hidden() and own.get_by_role("button", name="Remove").count() == 0,
          "an empty field offers the library and an upload, and asks for nothing else")
    own.locator("summary").click()
    own.get_by_label("URL", exact=True).fill("https://example.org/wall.png")
    check(text.is_visible(), "an image of another site has a text, too")
    own.get_by_label("URL", exact=True).fill("")
    check(text.is_hidden(), "until there is none")
    errors = page.locator("[data-field='field.image'] .error")
    bad = {"name": "bad.png", "mimeType": "image/png", "buffer": b"no"}
    library.give("[data-field='field.image']", "drop", bad)
    errors.wait_for()
    page.get_by_role("button", name="Retry: bad.png").click()
    page.get_by_role("button", name="Cancel: bad.png").wait_for(state="detached")
    errors.wait_for()
    check(errors.count() == 1, "a file that failed can be tried again, and has one error")
    page.get_by_role("button", name="Remove: bad.png").click()
    check(errors.count() == 0, "or be removed")
    library.give("[data-field='field.image']", "drop", bad)
    errors.wait_for()
    library.give("[data-field='field.image']", "drop", image("field.png", 700, 500))
    check(errors.count() == 0, "another file takes its place")
    page.locator("[data-field='field.image'] img.thumbnail").wait_for()
    values = page.locator("[name='field.image']").evaluate_all("all => all.map((input) => input.value)")
    check(re.fullmatch("[0-9a-f-]{36}", values[3]) and not values[0], f"the image becomes the value of the field: {values}")
    check(own.locator("summary").is_hidden() and own.get_by_role("button", name="Remove").is_visible(),
          "it can be removed; no other site is asked for")
    text.fill("A wall")
    page.get_by_label("Walks", exact=True).check()
    page.locator("[data-field='field.image']").scroll_into_view_if_needed()
    if shots:
        shoot(page, shots, "media-field")
    page.locator(".rich-text-body").first.click()
    page.keyboard.type("Slowly.")
    page.get_by_role("button", name="Save and publish now").last.click()
    page.wait_for_load_state()
    check("A wall in the morning" in page.locator("h1").inner_text(), "the article is published with its image")
    library.open("/entries")
    small = page.locator(".rows li", has_text="A wall in the morning").locator("img")
    check(small.get_attribute("loading") == "lazy" and small.get_attribute("width") == "320", "lists show it small")
    small.scroll_into_view_if_needed()
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=small.element_handle())
    if shots:
        shoot(page, shots, "media-entries")
    return values[3]


def crop(library, media, shots):
    page = library.page
    library.open(f"/media/{media}")
    handle = page.get_by_role("slider", name="Lower right corner of the crop")
    handle.focus()
    for key in ["Shift+ArrowLeft"] * 5 + ["Shift+ArrowUp"] * 5:
        page.keyboard.press(key)
    check(page.locator("#crop_width").input_value() == "50" and page.locator("#crop_height").input_value() == "50",
          "arrow keys move the corners of the crop")
    page.get_by_role("slider", name="Focal point").focus()
    page.keyboard.press("Shift+ArrowLeft")
    box = page.locator(".crop svg").bounding_box()
    page.mouse.move(box["x"] + box["width"] * .4, box["y"] + box["height"] * .5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * .25, box["y"] + box["height"] * .25, steps=4)
    page.mouse.up()
    point = [float(page.locator(f"#focus_{axis}").input_value()) for axis in "xy"]
    check(all(abs(value - 25) < 1 for value in point), f"the focal point is dragged: {point}")
    if shots:
        shoot(page, shots, "media-crop")
    page.locator("#tags").fill("Walls, Gray")
    page.get_by_role("button", name="Save image").click()
    check("Image saved." in page.locator("body").inner_text(), "the crop is saved")
    check(library.server.sql(f"select max(width) from ops.media m join ops.media_file f on f.version_id = m.version_id where m.id = '{media}'")
          == "350", "the files show the crop")
    page.locator("#file").set_input_files([image("new.png", 800, 500)])
    page.get_by_role("button", name="Replace file").click()
    page.get_by_text("800 × 500").first.wait_for()
    check(server_uploads(library, "new.png") == "1", "a replaced file is uploaded in parts, too")
    check("800 × 500" in library.says() and "A wall in the morning" in library.says(), "a replaced file keeps ID and uses")
    page.get_by_role("button", name="Restore version 1").click()
    check("700 × 500" in library.says(), "an earlier version is restored")
    if shots:
        shoot(page, shots, "media-versions")
    library.open("/media?tag=gray")
    check(page.locator(".gallery li").count() == 1, "tags filter the library")


def server_uploads(library, name):
    return library.server.sql(f"select count(*) from ops.upload where name = '{name}' and media_id is not null")


def without_script(server, browser, shots):
    library = Library(server, browser, has_script=False)
    page = library.page
    library.open()
    page.locator("#file").set_input_files([image("plain-1.png", 301, 200), image("plain-2.png", 302, 200)])
    page.get_by_role("button", name="Add images").click()
    check("2 images added." in page.locator("body").inner_text() and page.locator("textarea[name^='alt.']").count() >= 2,
          "without JavaScript: several files are added, and their texts asked for")
    library.open()
    page.locator("#file").set_input_files([image("plain-3.png", 303, 200), {"name": "x.png", "mimeType": "image/png", "buffer": b"x"}])
    page.get_by_role("button", name="Add images").click()
    check("x.png: The file is not a supported image" in library.says(), "without JavaScript: each file has its own error")
    library.open("/media?q=plain-3")
    page.locator(".gallery a").first.click()
    page.locator("#crop_width").fill("50")
    page.locator("#focus_x").fill("25")
    page.get_by_role("button", name="Save image").click()
    check("Image saved." in page.locator("body").inner_text() and "25% from the left" in library.says()
          and "Cropped" in library.says(), "without JavaScript: crop and focal point are numbers")
    page.locator("#crop_width").fill("0.5")
    page.get_by_role("button", name="Save image").click()
    check("at least 1%" in library.says() and page.locator("#crop_width").input_value() == "0.5", "a wrong number stays to be corrected")
    library.context.close()


def phone(server, browser, shots):
    library = Library(server, browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = library.page
    library.open()
    photo = page.get_by_label("Or take a photo")
    check(photo.is_visible() and photo.get_attribute("capture") == "environment", "a phone offers the camera")
    photo.set_input_files([image("photo.png", 400, 700)])
    library.added("photo.png")
    check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page fits a phone")
    if shots:
        page.screenshot(path=os.path.join(shots, "media-touch.png"))
    library.context.close()


def main():
    options = read_options(__doc__)
    path = folder(on_disk=True)
    data = os.path.join(path, "data")
    daemon = Daemon(os.path.abspath(options.program), data)
    server = Server(os.path.abspath(options.program), daemon, data, path)
    daemon.command("account", "create", EMAIL, "--name", "Writer", "--role", "publisher", "--password-file", "-", stdin=PASSWORD + "\n")
    with browser() as chromium:
        library = Library(server, chromium)
        step(several, library, options.shots)
        step(typed_texts, library)
        step(interrupted, library, path)
        step(missing, library, options.shots)
        step(crop, library, step(field, library, options.shots), options.shots)
        check(not library.errors, f"no script fails: {library.errors[:3]}")
        library.context.close()
        step(without_script, server, chromium, options.shots)
        step(phone, server, chromium, options.shots)
    finish()


if __name__ == "__main__":
    main()
