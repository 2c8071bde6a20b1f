#!/usr/bin/env python3
"""Walks the main line in a real browser without JavaScript, against a real daemon with its own database.

    run.py --program .build/debug/vitrine [--shots FOLDER]

Starts `vitrine dev` on a free port with a data folder of its own, imports a feed document, accepts an entry in headless
Chromium, and reads it back over the API. With --shots it also keeps images of every page in light, dark and phone width,
and runs axe on them. Prints a line per check; ends with "N passed, N failed".
"""
import argparse
import base64
import hashlib
import hmac
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour notes</title><link>https://harbour.example/</link>
<item><guid>h-1</guid><title>The ferry runs again</title><link>https://harbour.example/1</link>
<pubDate>Fri, 20 Nov 2026 09:00:00 GMT</pubDate><description>&lt;p&gt;After nine weeks.&lt;/p&gt;</description></item>
<item><guid>h-2</guid><title>A bench was moved</title><link>https://harbour.example/2</link>
<description>&lt;p onclick="alert(1)"&gt;By two meters.&lt;script&gt;alert(1)&lt;/script&gt;&lt;/p&gt;</description></item>
</channel></rss>"""

passed, failed = 0, []


def check(ok, what):
    global passed
    if ok:
        passed += 1
        print("ok  ", what)
    else:
        failed.append(what)
        print("FAIL", what)
    return ok


class Daemon:
    """`vitrine dev --json` in a session of its own, and what its first line says."""

    def __init__(self, program, data):
        self.program = program
        self.process = subprocess.Popen(
            [program, "dev", "--port", "0", "--data", data, "--json"], stdout=subprocess.PIPE, text=True,
            start_new_session=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("vitrine dev did not start")
        self.facts = json.loads(line)
        self.url = self.facts["url"]

    def command(self, *words, stdin=None):
        environment = {**os.environ, "DATABASE_URL": self.facts["database_url"]}
        done = subprocess.run(
            [self.program, *words], input=stdin, capture_output=True, text=True, env=environment, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def get(self, path):
        client = self.facts["client"]
        login = base64.b64encode(f"{client['id']}:{client['secret']}".encode()).decode()
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"Basic {login}"})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def demonstrate(self):
        """Loads all of the demo content, and publishes what waits in the queue."""
        feed = self.get("/v1/feeds")[1]["data"][0]["slug"]
        for words in ([["demo", name] for name in ("categories", "places", "routes", "lists")]
                      + [["queue", "accept", "--all", "--feed", feed, "--json"], ["publish", "now"]]):
            code, out, error = self.command(*words)
            if code:
                sys.exit(f"{words}: {error}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def journey(daemon, page):
    """Sign in by the one-time link, accept a submission, undo it, accept again."""
    code, out, error = daemon.command("import", "feed", "-", "--origin", "journey", "--json", stdin=FEED)
    check(code == 0 and json.loads(out)["submissions"] == 2, "a feed document becomes two submissions " + error.strip())

    page.goto(daemon.url + "/queue")
    check("/login" in page.url, "S15: a visitor is led to the sign-in")
    page.goto(daemon.facts["sign_in_url"])
    page.get_by_role("button", name="Sign in").click()
    check(page.url.endswith("/queue"), "the one-time link signs in")

    page.get_by_role("link", name="The ferry runs again").click()
    check(page.locator("h1").inner_text().strip() == "The ferry runs again", "A5: the review page shows the submission")
    check(page.locator("script:not([src])").count() == 0, "S20: no inline script")
    page.get_by_label("City guides").first.check()
    page.get_by_role("button", name="Approve", exact=False).first.click()
    check(page.locator(".flash").count() == 1, "the decision is confirmed")

    status, body = daemon.get("/v1/items")
    titles = [item["title"] for item in body["data"]]
    check(status == 200 and titles == ["The ferry runs again"], f"A2: what was accepted is read back: {titles}")
    item = body["data"][0]["id"]
    check(daemon.get(f"/v1/items/{item}")[0] == 200, "A28: and by its id")

    page.get_by_role("button", name="Undo").click()
    check(daemon.get("/v1/items")[1]["data"] == [], "an undone decision takes it back")
    check(daemon.get(f"/v1/items/{item}")[0] == 410, "A19: what was withdrawn answers that it is gone")

    page.goto(daemon.url + "/queue")
    page.get_by_role("link", name="The ferry runs again").click()
    page.get_by_label("City guides").first.check()
    page.get_by_role("button", name="Approve", exact=False).first.click()
    check(len(daemon.get("/v1/items")[1]["data"]) == 1, "and it can be accepted again")

    feeds = daemon.get("/v1/feeds")[1]["data"]
    guides = next(feed for feed in feeds if feed["slug"] == "city-guides")
    members = daemon.get(f"/v1/feeds/{guides['id']}/items")[1]["data"]
    check([m["title"] for m in members] == ["The ferry runs again"], "A2: the feed holds it")
    code, out, _ = daemon.command("publish", "verify", "--json")
    check(code == 0 and out == "", "publish verify finds no difference")

    release(daemon, page, item)
    desk(daemon, page)
    page.get_by_role("button", name="Sign out").click()
    page.goto(daemon.url + "/queue")
    check("/login" in page.url, "S14: signed out is signed out")
    page.goto(daemon.facts["sign_in_url"])
    check("used" in page.content(), "S43: the link works once")


def desk(daemon, page):
    """Without JavaScript: a note, put off and back, a duplicate, a view, and an action on many with its undo."""
    documents = "".join(
        f"<item><guid>d-{n}</guid><title>Notice {n}</title><description>Text {n}.</description></item>" for n in range(1, 5))
    daemon.command("import", "feed", "-", "--origin", "desk", stdin=FEED.split("<item>")[0] + documents + "</channel></rss>")
    page.goto(daemon.url + "/queue?q=notice")
    page.get_by_role("link", name="Notice 1").first.click()
    page.get_by_label("Note for the team").fill("Ask the harbour master.")
    page.get_by_role("button", name="Note it").click()
    check("Ask the harbour master." in page.locator(".log").last.inner_text(), "a note stands in the history")
    page.get_by_text("Put off", exact=True).click()
    page.get_by_role("button", name="Put it off").click()
    check("Put off" in page.locator(".flash").inner_text(), "a submission is put off, and the next one follows")
    page.get_by_role("button", name="Undo").click()
    check("It waits again" in page.locator(".flash").inner_text(), "and brought back")
    page.get_by_text("Duplicate of…").click()
    page.get_by_label("Words in the title of the original").fill("notice 2")
    page.get_by_role("button", name="Look for it").click()
    page.get_by_role("radio", name="Notice 2").check()
    page.get_by_role("button", name="Mark as duplicate").click()
    check("as a duplicate" in page.locator(".flash").inner_text(), "a duplicate names its original")
    page.goto(daemon.url + "/queue?q=notice")
    page.get_by_text("Save this view").click()
    page.locator("#view-name").fill("Notices")
    page.get_by_role("button", name="Save the view").click()
    check(page.get_by_role("link", name="Notices").count() == 1, "a view is kept under its name")
    page.get_by_label("that match, at most").check()
    page.get_by_role("button", name="Reject…").click()
    check("Reject: 3 submissions" in page.content(), "an action on many says first to how many")
    daemon.batch = page.url
    page.get_by_label("Reason").select_option("off_topic")
    page.get_by_role("button", name="Reject – 3").click()
    check("Done with 3 submissions" in page.content(), "and does it")
    page.get_by_role("button", name="Undo it for all").click()
    check("3 undone" in page.content(), "one undo takes all back")


def keys(daemon, page):
    """With JavaScript: the list and a submission by the keyboard alone; counts that stay up to date; a lease that is renewed."""
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(daemon.url + "/queue?q=notice")
    page.keyboard.press("j")
    page.keyboard.press("x")
    check(page.locator("[data-select]:checked").count() == 1, "W3: j and x select a row")
    before = page.locator("[data-count=waiting]").inner_text()
    daemon.command("import", "feed", "-", "--origin", "late", stdin=FEED.replace("h-", "l-"))
    page.locator("[data-count-of=fresh]").wait_for(state="attached")
    for _ in range(60):
        if page.locator("[data-count=waiting]").inner_text() != before:
            break
        page.wait_for_timeout(250)
    check(page.locator("[data-count=waiting]").inner_text() == str(int(before) + 2), "the counts stay up to date")
    check(page.locator("[data-select]:checked").count() == 1, "and no row moves")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    check("/queue/0" in page.url, "Enter opens the row")
    first = page.url
    with page.expect_navigation():
        page.keyboard.press("j")
    check(page.url != first and page.locator(".beside [aria-current]").count() == 1, "W3: j opens the next one beside the list")
    with page.expect_navigation():
        page.keyboard.press("k")
    check(page.url == first, "W3: k goes back to the one before")
    with page.expect_navigation():
        page.keyboard.press("t")
    check("taken by you" in page.content(), "W3: t takes it")
    with page.expect_response(lambda answer: "/renewal" in answer.url, timeout=30000) as answer:
        page.wait_for_timeout(100)
    check(answer.value.status == 204, "its lease is renewed while the page is open")
    page.keyboard.press("s")
    check(page.evaluate("document.activeElement.id") == "snooze", "W3: s leads into the form that puts off")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    check(page.evaluate("document.activeElement.id") == "reason", "W3: r leads into the form that rejects")
    page.keyboard.press("s")
    check(page.evaluate("document.activeElement.id") == "reason", "W3: no key actions while a field is used")
    check(not wrong, f"no script fails: {wrong}")


def release(daemon, page, item):
    """Edit an entry, put the edit into a release, show it to somebody without an account, publish it, roll back."""
    page.goto(f"{daemon.url}/entries/{item}/revisions")
    page.get_by_label("Title").first.fill("The ferry runs twice a day")
    page.get_by_role("button", name="Save and approve").click()
    page.get_by_role("button", name="Put version").click()
    check("is in release 1 now" in page.locator(".flash").inner_text(), "an edit is put into a new release")
    page.goto(daemon.url + "/releases/1")
    check(page.locator("ins", has_text="twice").count() > 0, "the release shows what will change, field by field")
    page.get_by_text("At a time").click()
    page.get_by_label("Day and time").fill("2099-05-01T10:00")
    page.get_by_label("Time zone").fill("Europe/London")
    page.get_by_role("button", name="Schedule").click()
    check("2099-05-01 10:00 Europe/London" in page.content(), "it is scheduled at a wall time")

    page.goto(daemon.url + "/previews")
    page.get_by_label("Title").fill("May Day")
    page.get_by_label("Day and time").fill("2099-05-01T10:00")
    page.get_by_label("Time zone").fill("Europe/London")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_role("link", name="Open it").get_attribute("href")
    daemon.preview = link
    stranger = page.context.browser.new_context(java_script_enabled=False).new_page()
    stranger.goto(link)
    check(stranger.get_by_role("link", name="The ferry runs twice a day").count() == 1, "a link shows what will be live")
    stranger.get_by_label("Your name").fill("Ada")
    stranger.get_by_role("button", name="I approve").click()
    check("Ada" in stranger.content(), "somebody without an account approves it by name")
    stranger.context.close()

    page.goto(daemon.url + "/releases/1")
    page.get_by_role("button", name="Publish it now").click()
    check(daemon.get(f"/v1/items/{item}")[1]["title"] == "The ferry runs twice a day", "published, the edit is read")
    before = page.locator("main a[href^='/publications/']").first.get_attribute("href")
    page.goto(f"{daemon.url}/publications/{int(before.rsplit('/', 1)[1]) - 1}/return")
    page.get_by_role("button", name="Roll back now").click()
    check(daemon.get(f"/v1/items/{item}")[1]["title"] == "The ferry runs again", "rolled back, the old version is read")


PAGES = [
    "/login", "/queue", "/queue?snoozed=1", "/queue/statistics", "/screening", "/screening/1", "/review-stages", "/entries", "/feeds", "/categories", "/schedule", "/publications", "/publications/plan",
    "/entries/new?type=article", "/entries/new?type=list", "/entries/new?type=feed", "/entries/new?type=onboarding_set", "/releases", "/releases/1",
    "/publications/1", "/publications/1/rollback", "/previews", "/webhooks", "/media", "/routes", "/routes/simulate",
    "/onboarding", "/texts?locale=de", "/settings",
    "/promotions", "/import", "/catalog", "/accounts", "/clients", "/audit", "/audit/integrity", "/mail", "/account", "/account/second-factor",
    "/account/password", "/password",
]


def images(daemon, browser, folder):
    """Every page in light, dark and on a phone; axe finds nothing serious on any."""
    from axe_playwright_python.sync_playwright import Axe

    os.makedirs(folder, exist_ok=True)
    code, out, _ = daemon.command("account", "link", "admin@vitrine.example", "--json")
    for name, options in {
        "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 900}},
        "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 900}},
        "phone": {"color_scheme": "light", "viewport": {"width": 375, "height": 800}},
    }.items():
        code, out, _ = daemon.command("account", "link", "admin@vitrine.example", "--json")
        link = daemon.url + "/login/" + json.loads(out)["sign_in_url"].rsplit("/", 1)[1]
        context = browser.new_context(bypass_csp=True, **options)
        page = context.new_page()
        page.goto(daemon.url + "/login")
        seen = [("login", daemon.url + "/login")]
        shoot(page, folder, "login", name, Axe)
        page.goto(link)
        page.get_by_role("button", name="Sign in").click()
        first = page.locator("main a[data-row]").first
        places = [(p.strip("/").replace("/", "-").split("?")[0], daemon.url + p) for p in PAGES[1:]]
        if first.count():
            places.append(("review", daemon.url + first.get_attribute("href")))
        page.goto(daemon.url + "/entries")
        entry = page.locator("main a[href^='/entries/0']").first
        if entry.count():
            address = daemon.url + entry.get_attribute("href")
            places += [("entry", address), ("entry-edit", address + "/revisions"), ("entry-history", address + "/history")]
        places += [("preview", daemon.preview), ("batch", daemon.batch), ("nowhere", daemon.url + "/nowhere")]
        page.goto(daemon.url + "/queue")
        page.locator("[data-select]").first.check()
        page.get_by_role("button", name="Approve…").click()
        places.append(("batch-plan", page.url))
        for label, address in places:
            page.goto(address)
            shoot(page, folder, label, name, Axe)
        webhook(daemon, page, lambda label: shoot(page, folder, label, name, Axe))
        context.close()


def totp(secret, step):
    """The code of an authenticator app, made without our own code (RFC 6238)."""
    made = hmac.new(base64.b32decode(secret), struct.pack(">Q", step), hashlib.sha1).digest()
    place = made[19] & 15
    return f"{(struct.unpack('>I', made[place:place + 4])[0] & 0x7FFFFFFF) % 1000000:06d}"


def second_factor(daemon, browser):
    """Set up with another program's codes; asked for after the link; no code twice; a recovery code instead."""
    daemon.command("account", "add", "faye@example.org", "--name", "Faye", "--role", "editor")

    def sign_in():
        page = browser.new_context(java_script_enabled=False).new_page()
        _, out, _ = daemon.command("account", "link", "faye@example.org", "--json")
        page.goto(daemon.url + "/login/" + json.loads(out)["sign_in_url"].rsplit("/", 1)[1])
        page.get_by_role("button", name="Sign in").click()
        return page

    page = sign_in()
    page.goto(daemon.url + "/account/second-factor")
    page.get_by_role("button", name="Begin").click()
    secret = page.locator("section[aria-labelledby=scan] code").inner_text().replace(" ", "")
    step = int(time.time()) // 30
    page.get_by_label("Six digits").fill(totp(secret, step))
    page.get_by_role("button", name="Confirm").click()
    codes = page.locator(".codes code").all_inner_texts()
    check(len(codes) == 10, "a second factor is set up with a code of another program; ten recovery codes are shown")
    page = sign_in()
    check("/login/code" in page.url, "from then on a link alone opens nothing")
    page.get_by_label("Code").fill(totp(secret, step))
    page.get_by_role("button", name="Sign in").click()
    check(page.get_by_role("alert").count() == 1, "the same code is not taken twice")
    page.get_by_label("Code").fill(codes[0].lower())
    page.get_by_role("button", name="Sign in").click()
    check(page.url.endswith("/queue"), "a recovery code lets in")
    _, out, _ = daemon.command("account", "second-factor", "faye@example.org", "--json")
    check(json.loads(out)["recovery_codes_left"] == 9, "nine recovery codes are left")
    code, _, _ = daemon.command("account", "second-factor", "faye@example.org", "--remove")
    check(code == 0 and sign_in().url.endswith("/queue"), "the operator takes it away")


def webhook(daemon, page, shoot):
    """Adds a webhook, sees its secret and its page, sends a test and looks at the delivery."""
    page.goto(daemon.url + "/webhooks")
    page.get_by_label("Address").fill("https://127.0.0.1/inside")
    page.get_by_role("button", name="Add it").click()
    shoot("webhook-refused")
    page.get_by_label("Address").fill("https://hooks.invalid/vitrine")
    page.get_by_role("button", name="Add it").click()
    check("whsec_" in page.content(), "S41: the secret of a new webhook is shown")
    shoot("webhook-secret")
    page.get_by_role("link", name="I have it").click()
    page.get_by_role("button", name="Send a test").click()
    shoot("webhook")
    page.get_by_role("link", name="See what is answered").click()
    for _ in range(50):
        if page.get_by_text("Couldn't resolve").count():
            break
        page.wait_for_timeout(200)
        page.reload()
    check(page.get_by_text("Couldn't resolve").count() == 1, "a test to nowhere says why it failed")
    shoot("webhook-delivery")


def shoot(page, folder, label, name, axe):
    page.screenshot(path=os.path.join(folder, f"{label}-{name}.png"), full_page=True)
    bad = [v["id"] for v in axe().run(page).response["violations"] if v["impact"] in ("serious", "critical")]
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    check(not bad and not wide, f"W2: {label} in {name}: {bad or ('too wide' if wide else 'nothing serious')}")


def main():
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--chromium", default=shutil.which("chromium") or "/usr/bin/chromium")
    parser.add_argument("--shots")
    options = parser.parse_args()
    data = tempfile.mkdtemp(prefix="vitrine-journey-", dir="/tmp")
    os.chmod(data, 0o755)
    daemon = Daemon(os.path.abspath(options.program), data)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
            page = browser.new_context(java_script_enabled=False).new_page()
            journey(daemon, page)
            keyed = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            code, out, _ = daemon.command("account", "link", "admin@vitrine.example", "--json")
            keyed.goto(daemon.url + "/login/" + json.loads(out)["sign_in_url"].rsplit("/", 1)[1])
            keyed.get_by_role("button", name="Sign in").click()
            keys(daemon, keyed)
            second_factor(daemon, browser)
            if options.shots:
                images(daemon, browser, options.shots)
            browser.close()
    finally:
        code = daemon.stop()
        shutil.rmtree(data, ignore_errors=True)
    check(code == 0, "R7: SIGTERM ends with 0")
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
