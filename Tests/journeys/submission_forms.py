"""Follows what people send with a submission form: with and without script, in frames of other sites, and against spam.

Used by contributors.py, with its daemon, mail server and browser.
"""
import http.server
import os
import re
import struct
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib

import run
from checks import check, step
from mail import link
from patience import seconds, wait

# A form must have been open for longer.
SHORTEST = 3.1


def png(folder):
    """A red image of 64 by 48 pixels."""
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\xc0\x20\x20" * 64 for _ in range(48))
    path = os.path.join(folder, "harbor.png")
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", 64, 48, 8, 2, 0, 0, 0))
                   + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))
    return path


class Site:
    """Another site, whose only page shows the form in a frame."""

    def __init__(self, host, url):
        page = f'<!doctype html><title>Other site</title><iframe src="{url}" width="600" height="900"></iframe>'.encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://{host}:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def shoot(page, folder, label):
    """The page as it is, which may be the response to a form, in light, dark and phone width."""
    if not folder:
        return
    from axe_playwright_python.sync_playwright import Axe

    os.makedirs(folder, exist_ok=True)
    for name, scheme, width in (("light", "light", 1280), ("dark", "dark", 1280), ("phone", "light", 375)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        run.shoot(page, folder, label, name, Axe)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})


def submissions(daemon):
    return daemon.sql("select title, contributor, source, fields from curation.submission where source = 'form' order by id")


def settings(daemon, admin, url, **changed):
    """Changes settings of the form on its page."""
    admin.goto(f"{daemon.url}/submission-forms/stories")
    for name, value in changed.items():
        control = admin.locator(f"[name={name}]")
        if isinstance(value, bool):
            control.set_checked(value)
        else:
            control.fill(value)
    admin.get_by_role("button", name="Save submission form").click()


def journey(daemon, sink, browser, session, folder, shots):
    """`session`: the cookies of an administrator."""
    context = browser.new_context()
    context.add_cookies(session)
    admin = context.new_page()
    url = f"{daemon.url}/submit/stories"
    step(sent, daemon, sink, browser, admin, url, folder, shots)
    step(kept, daemon, browser, url)
    step(frames, daemon, browser, admin, url, browser=browser)
    step(sizes, url)
    step(spam, daemon, url)
    settings(daemon, admin, url, on=False)
    visitor = browser.new_context(java_script_enabled=False).new_page()
    check(visitor.goto(url).status == 404, "a form that is turned off is closed at once")


def sent(daemon, sink, browser, admin, url, folder, shots):
    """A form is made, and sent without and with script."""
    visitor = browser.new_context(java_script_enabled=False)
    page = visitor.new_page()
    check(page.goto(url).status == 404 and "closed" in page.inner_text("main"), "without a form there is no page")

    admin.goto(daemon.url + "/submission-forms")
    admin.get_by_label("Title").fill("Tell us your story")
    admin.get_by_label("Name").fill("stories")
    admin.get_by_role("button", name="Create submission form").click()
    check(admin.get_by_text("Submission form created.").count() == 1, "an administrator creates a submission form")
    check(page.goto(url).status == 404, "it is off until it is turned on")
    settings(daemon, admin, url, on=True, introduction="A person reads every story.\nThank you!")
    shoot(admin, shots, "submission-form-settings")
    admin.goto(daemon.url + "/submission-forms")
    shoot(admin, shots, "submission-forms")

    response = page.goto(url)
    check(response.status == 200 and page.get_by_text("A person reads every story.").count() == 1, "then its page opens")
    check("set-cookie" not in response.headers and not visitor.cookies(), "it sets no cookie")
    page.get_by_role("textbox", name="Title").fill("Swimming at night")
    page.get_by_role("textbox", name="Text").fill("From the *pier*.")
    page.get_by_role("button", name="Preview: Text").click()
    check(page.locator("section.paper em").inner_text() == "pier" and not submissions(daemon), "a preview shows the text, and sends nothing")
    page.get_by_role("button", name="Submit").click()
    check(page.get_by_text("Enter your name.").count() > 0
          or page.get_by_text("That was very fast.").count() > 0, "what is missing or sent too fast is said")
    check(page.get_by_role("textbox", name="Title").input_value() == "Swimming at night", "and nothing typed is lost")
    time.sleep(SHORTEST)
    page.get_by_role("button", name="Submit").click()
    check(page.locator("#contributor-error").inner_text().strip() == "Enter your name.", "an error stands at its field")
    page.get_by_label("Your name").fill("Mo Okafor")
    page.get_by_label("Email (optional)").fill("mo@example.org")
    page.get_by_label("Choose an image").set_input_files(png(folder))
    page.get_by_label("What the image shows").fill("The pier at night")
    count = len(sink.messages)
    page.get_by_role("button", name="Submit").click()
    check(page.get_by_text("We received your submission.").count() == 1, "without script a form is sent, with an image")
    stored = submissions(daemon)
    check(len(stored) == 1 and stored[0][:3] == ("Swimming at night", "Mo Okafor", "form")
          and stored[0][3]["image"]["alt"] == "The pier at night", "and received like a request of the API")
    private = page.locator(".private-link").inner_text()
    check(page.get_by_text("We also send it to").count() == 1, "the private link is shown")
    wait(lambda: len(sink.messages) > count and link(sink.messages[-1]) == private, "and sent by email")
    check("Swimming" not in sink.messages[-1].get_content() and "Okafor" not in sink.messages[-1].get_content(),
          "the email contains nothing that the sender wrote")
    page.goto(private)
    check(page.get_by_text("Pending", exact=True).count() == 1 and page.locator("dd img").count() == 1,
          "the link opens the status page with the image")

    # With the page's own policy: a breach of it is an error in the console.
    scripted = browser.new_context().new_page()
    problems = []
    scripted.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    scripted.goto(url)
    shoot(scripted, shots, "submit")
    scripted.locator("#field-title").fill("With script")
    check([each.get_attribute("aria-label") or each.inner_text() for each in scripted.locator(".rich-text [role=toolbar] button").all()]
          == ["Bold", "Italic", "Link", "Bulleted list", "Numbered list", "Quotation", "Undo", "Redo", "Full screen"]
          and scripted.get_by_label("Paragraph style").locator("option").all_inner_texts() == ["Text", "Heading", "Subheading"],
          "its editor has what contributors need, and no more")
    scripted.locator(".ProseMirror").click()
    scripted.keyboard.type("Typed in the editor")
    scripted.get_by_label("Your name").fill("Ada")
    time.sleep(SHORTEST)
    scripted.get_by_label("Email (optional)").fill("nonsense")
    scripted.get_by_role("button", name="Submit").click()
    check(scripted.get_by_text("Enter an email address").count() > 0
          and "Typed in the editor" in scripted.locator(".ProseMirror").inner_text(), "with script, too, errors keep the text")
    shoot(scripted, shots, "submit-errors")
    scripted.get_by_label("Email (optional)").fill("")
    scripted.get_by_role("button", name="Submit").click()
    check(scripted.get_by_text("We received your submission.").count() == 1
          and submissions(daemon)[-1][3]["body"] == "<p>Typed in the editor</p>", "with script a form is sent from the editor")
    shoot(scripted, shots, "submit-done")
    check(not [p for p in problems if "422" not in p], f"without an error in the console: {problems}")


def kept(daemon, browser, url):
    """What is typed stays in the tab until it is sent, also without a network; nothing of it is on the server."""
    context = browser.new_context()
    page = context.new_page()
    problems = []
    page.on("console", lambda message: problems.append(message.text) if is_breach(message) else None)
    def stored():
        return len(submissions(daemon)), daemon.sql("select count(*) from ops.autosave")

    before = stored()
    page.goto(url)
    page.locator("#field-title").click()
    page.keyboard.type("Half a story")
    page.locator(".ProseMirror").click()
    page.keyboard.type("Kept in the tab")
    page.get_by_label("Your name").fill("Ada")
    page.reload()
    page.get_by_text("Restored your unsent text").wait_for()
    page.locator(".ProseMirror").wait_for()
    check(page.locator("#field-title").input_value() == "Half a story" and page.get_by_label("Your name").input_value() == "Ada"
          and page.locator(".ProseMirror").inner_text().strip() == "Kept in the tab", "with script, a reload loses nothing")
    check(stored() == before, "and sends and stores nothing")
    other = context.new_page()
    other.goto(url)
    check(other.locator("#field-title").input_value() == "", "another tab shows nothing of it")
    other.close()
    context.set_offline(True)
    page.locator(".ProseMirror").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" and more")
    try:
        page.get_by_role("button", name="Submit").click()
    except Exception:
        pass  # the browser's own error page
    context.set_offline(False)
    page.goto(url)
    page.get_by_text("Restored your unsent text").wait_for()
    page.locator(".ProseMirror").wait_for()
    check(page.locator(".ProseMirror").inner_text().strip() == "Kept in the tab and more", "a form that is sent without a network loses nothing")
    time.sleep(SHORTEST)
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("We received your submission.").wait_for()
    left = page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')).length")
    check(submissions(daemon)[-1][3]["body"] == "<p>Kept in the tab and more</p>" and left == 0, "then it is sent, and gone from the tab")
    page.goto(url)
    check(page.locator("#field-title").input_value() == "", "and the form is empty again")
    several_texts(page)
    stay(page)
    page.locator("#field-title").click()
    page.keyboard.type("Another")
    page.reload()
    page.get_by_role("link", name="Discard").click()
    page.get_by_role("link", name="Discard").wait_for(state="detached")
    check(page.locator("#field-title").input_value() == "" and not problems, f"what is kept can be discarded {problems}")
    context.close()


def several_texts(page):
    """What is typed before a page could show the text of its tab doesn't get lost, and neither do the texts before it."""
    title, held = page.locator("#field-title"), []
    title.click()
    page.keyboard.type("First story")
    offer = page.get_by_text("This tab has other unsent text.")
    for words in ("Second story", "Third story"):
        held.clear()
        page.route("**/static/tab-draft.js", lambda route: held.append(route))
        page.reload(wait_until="commit")
        title.click()
        page.keyboard.type(words)
        wait(lambda: page.title() is not None and held, "the script is not loaded yet")
        for route in list(held):
            route.continue_()
        page.unroute("**/static/tab-draft.js")
        offer.wait_for()
        check(title.input_value() == words, f"the page shows what was typed last: {words}")
    for words in ("First story", "Second story", "Third story", "First story"):
        page.get_by_role("button", name="Show it").click()
        wait(lambda words=words: title.input_value() == words, f"the others are shown, one after the other: {words}")
        offer.wait_for()
    page.get_by_role("button", name="Discard it").click()
    check(offer.is_visible(), "one is discarded")
    page.get_by_role("button", name="Discard it").click()
    check(offer.is_hidden() and title.input_value() == "First story", "then the last one")
    page.get_by_role("link", name="Discard").click()
    page.get_by_role("link", name="Discard").wait_for(state="detached")


def stay(page):
    """Somebody stays at a question of the browser while the form is sent: what they type then is kept, and the browser asks about it."""
    title, asked = page.locator("#field-title"), []

    def answer(dialog):
        asked.append(dialog.type)
        if len(asked) == 1:
            dialog.dismiss()
        else:
            dialog.accept()

    page.on("dialog", answer)
    title.click()
    page.keyboard.type("Sent")
    page.evaluate("addEventListener('beforeunload', (event) => event.preventDefault(), { once: true })")
    page.get_by_role("button", name="Submit").click()
    wait(lambda: page.title() is not None and asked, "something else of the page has the browser ask")
    title.click()
    page.keyboard.press("End")
    page.keyboard.type(" or not")
    page.reload()
    page.get_by_text("Restored your unsent text").wait_for()
    check(title.input_value() == "Sent or not", f"what is typed after staying is kept: {title.input_value()}")
    check(len(asked) == 2, f"and the browser asks about it: {asked}")
    page.remove_listener("dialog", answer)
    page.get_by_role("link", name="Discard").click()
    page.get_by_role("link", name="Discard").wait_for(state="detached")


def is_breach(message):
    """Whether a page breaks its policy."""
    return any(word in message.text for word in ("Content Security Policy", "Trusted", "Content-Security-Policy"))


def frames(daemon, browser, admin, url):
    allowed, refused = Site("localhost", url), Site("localhost", url)
    page = browser.new_context().new_page()
    page.goto(allowed.origin)
    check(page.frame_locator("iframe").locator("#field-title").count() == 0, "S21: by default no site shows it in a frame")
    settings(daemon, admin, url, origins=allowed.origin)
    breaches = []
    listen = lambda message: breaches.append(message.text) if is_breach(message) else None
    page.on("console", listen)
    page.goto(allowed.origin)
    frame = page.frame_locator("iframe")
    frame.locator("#field-title").fill("From another site")
    frame.locator(".ProseMirror").click()
    page.keyboard.type("In a frame")
    frame.get_by_label("Your name").fill("Bo")
    time.sleep(SHORTEST)
    frame.get_by_role("button", name="Submit").click()
    frame.get_by_text("We received your submission.").wait_for()
    check(submissions(daemon)[-1][0] == "From another site", "a listed site shows it in a frame, and it is sent from there")
    check(not page.context.cookies(), "without a cookie")
    check(not breaches, f"and within its policy {breaches}")
    page.remove_listener("console", listen)
    page.goto(refused.origin)
    check(page.frame_locator("iframe").locator("#field-title").count() == 0, "S21: another site does not")
    login = Site("localhost", daemon.url + "/login")
    page.goto(login.origin)
    check(page.frame_locator("iframe").get_by_label("Email").count() == 0, "S21: and no site frames the admin")


def post(url, fields):
    request = urllib.request.Request(url, urllib.parse.urlencode(fields).encode())
    try:
        with urllib.request.urlopen(request, timeout=seconds(20)) as response:
            return response.status, response.headers, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def sizes(url):
    """What is typed has a limit of its own: the room for images isn't there for texts."""
    def posted(name, text):
        boundary = "part"
        body = f"--{boundary}\r\nContent-Disposition: form-data; {name}\r\n\r\n{text}\r\n--{boundary}--\r\n".encode()
        request = urllib.request.Request(url, body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
        try:
            return urllib.request.urlopen(request, timeout=seconds(20)).status
        except urllib.error.HTTPError as error:
            return error.code

    text = "x" * (2 << 20)
    check(posted('name="field.body"', text) == 413, "more than 2 MiB of texts are too large")
    check(posted('name="field.image"; filename="a.png"', text) == 422, "an image may be as large")


def spam(daemon, url):
    def opened():
        with urllib.request.urlopen(url, timeout=seconds(20)) as response:
            return re.search(r'name="csrf" value="([^"]+)"', response.read().decode()).group(1)

    fields = {"field.title": "Buy", "field.body": "<p>x</p>", "contributor": "Bot"}

    def is_refused():
        """On a busy machine, a first request may be slower than a person."""
        fields["csrf"] = opened()
        status, _, text = post(url, fields)
        return status == 422 and "very fast" in text and 'value="Buy"' in text

    wait(is_refused, "S47: a form that is sent at once is refused, with its text")
    before = len(submissions(daemon))
    time.sleep(SHORTEST)
    status, _, text = post(url, {**fields, "website": "https://spam.example"})
    check(status == 422 and "Leave the field" in text, "S47: and one with the field that people don't see")
    check(post(url, {**fields, "csrf": "A" * 43})[0] == 422, "S47: and one without a page")
    check(post(url, fields)[0] == 201 and post(url, fields)[0] == 201 and len(submissions(daemon)) == before + 1,
          "a form that is sent twice is stored once")
    results = [post(url, fields) for _ in range(40)]
    limited = [headers for status, headers, _ in results if status == 429]
    check(limited and limited[0]["Retry-After"], f"S47: a network that sends many is limited: {len(limited)} of 40")
    check(all(status in (201, 429) for status, _, _ in results) and len(submissions(daemon)) == before + 1, "and nothing else happens")
    daemon.sql("delete from ops.sign_in_failure")
