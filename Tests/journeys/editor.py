"""The rich-text editor in a page of the signed-in editor, for journeys."""
import os
import re

from checks import check
from patience import pause

SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "samples")
EDITOR = ".rich-text-body"
BLOCKS = re.compile(r"(</?(?:p|h\d|ul|ol|li|table|thead|tbody|tfoot|tr|td|th|figure|figcaption|dl|dt|dd|pre|blockquote|details|summary)\b[^>]*>)")


def sample(name):
    with open(os.path.join(SAMPLES, name), encoding="utf-8") as file:
        return file.read()


def lines(html):
    """One block per line, for messages; without what links get on their way to the server."""
    return BLOCKS.sub(r"\n\1", html.replace(' rel="nofollow ugc noopener"', "").replace("content-", "")).split("\n")


def same(first, second, what):
    if not check(lines(first) == lines(second), what):
        for a, b in zip(lines(first), lines(second)):
            if a != b:
                print("     before", a, "\n     after ", b)


class Writer:
    """A page of the signed-in editor, with or without JavaScript."""

    def __init__(self, world, has_script=True):
        self.world = world
        self.context = world.page.context.browser.new_context(
            java_script_enabled=has_script, timezone_id="Europe/Berlin", viewport={"width": 1280, "height": 900})
        self.context.add_cookies(world.page.context.cookies())
        self.page = self.context.new_page()
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and not re.search("img-src|status of 422|ERR_NAME_NOT_RESOLVED", message.text)
                     and self.errors.append(message.text))

    def open(self, path):
        """Opens a form as if nobody had typed into it."""
        self.page.goto(self.world.daemon.url + path)
        discard = self.page.get_by_role("button", name="Discard")
        if discard.count():
            discard.first.click()
            self.page.goto(self.world.daemon.url + path)

    def new(self, title, category="Walks"):
        self.open("/entries/new?type=article")
        self.page.get_by_label("Title", exact=False).first.fill(title)
        self.page.get_by_label(category, exact=True).check()

    def save(self, button="Save draft"):
        self.page.get_by_role("button", name=button).last.click()
        self.page.wait_for_load_state()

    def fill_html(self, html):
        """Without JavaScript."""
        self.page.get_by_label("Written in").first.select_option("html")
        self.box.fill(html)

    @property
    def box(self):
        return self.page.locator(".rich-text textarea").first

    @property
    def editor(self):
        return self.page.locator(EDITOR).first

    def html(self):
        """What would be sent. The focus and the selection stay."""
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        return self.box.input_value()

    def press(self, *keys):
        """Keys, each with the moment in which the browser reports the new selection: people aren't faster."""
        for key in keys:
            self.page.keyboard.press(key)
            pause(self.page)

    def click(self, locator):
        locator.click()
        pause(self.page)

    def more(self, value):
        """An option of More formatting, such as `mark u`."""
        self.page.get_by_label("More formatting").select_option(value)
        pause(self.page)

    def clear(self):
        self.editor.focus()
        pause(self.page)
        self.press("Control+a", "Backspace")

    def paste(self, html="", files=()):
        """Into an empty editor, with the plain text that programs offer, too. Files are names and bytes."""
        self.clear()
        self.give("paste", html, files)

    def give(self, event, html="", files=()):
        """Pastes or drops, there where the selection or the middle of the editor is."""
        text = re.sub(r"<style.*?</style>|<[^>]*>", "", html, flags=re.DOTALL)
        self.page.evaluate("""([selector, type, html, text, files]) => {
            const transfer = new DataTransfer()
            if (html) {
                transfer.setData("text/html", html)
                transfer.setData("text/plain", text)
            }
            for (const [name, bytes] of files) transfer.items.add(new File([new Uint8Array(bytes)], name, { type: "image/png" }))
            const editor = document.querySelector(selector)
            const { left, top, width, height } = editor.getBoundingClientRect()
            const common = { bubbles: true, cancelable: true }
            const event = type === "paste" ? new ClipboardEvent(type, { ...common, clipboardData: transfer })
                : new DragEvent(type, { ...common, dataTransfer: transfer, clientX: left + width / 2, clientY: top + height / 2 })
            editor.dispatchEvent(event)
        }""", [EDITOR, event, html, text, [[name, list(content)] for name, content in files]])


def shoot(page, folder, name, whole=False):
    from axe_playwright_python.sync_playwright import Axe
    os.makedirs(folder, exist_ok=True)
    for label, size, scheme in (("light", (1280, 900), "light"), ("dark", (1280, 900), "dark"), ("phone", (390, 844), "light")):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=os.path.join(folder, f"{name}-{label}.png"), full_page=whole)
        found = [v["id"] for v in Axe().run(page).response["violations"]]
        check(not found, f"axe finds nothing: {name}, {label} {found}")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="light")
