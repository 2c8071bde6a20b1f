#!/usr/bin/env python3
"""Tests the main workflow in a real browser without JavaScript, against a real daemon with its own database.

    run.py --program .build/debug/vitrine [--shots FOLDER]

Starts `vitrine dev` on a free port with its own data folder, imports a feed document, approves a submission in headless
Chromium, and reads it back over the API. At the end it runs axe on the pages that people use most, at phone width. With --shots it
instead takes screenshots of every page in light, dark, phone width and zoomed, and runs axe on them, as it does on the pages of
curators and editors. Prints a line per check; ends with "N passed, N failed".
"""
import base64
import hashlib
import hmac
import html
import json
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from checks import check, finish, read_options, step, timed
from layout import decision
from patience import browser, seconds, wait
from workspace import ROOT, folder, start

# Commands on the database of `vitrine dev` have the packs that it has.
os.environ.setdefault("VITRINE_PACKS", "places routes lists")

FEED = """<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour notes</title><link>https://harbour.example/</link>
<item><guid>h-1</guid><title>The ferry runs again</title><link>https://harbour.example/1</link>
<pubDate>Fri, 20 Nov 2026 09:00:00 GMT</pubDate><description>&lt;p&gt;After nine weeks.&lt;/p&gt;</description></item>
<item><guid>h-2</guid><title>A bench was moved</title><link>https://harbour.example/2</link>
<description>&lt;p onclick="alert(1)"&gt;By two meters.&lt;script&gt;alert(1)&lt;/script&gt;&lt;/p&gt;</description></item>
</channel></rss>"""


class Daemon:
    """`vitrine dev --json` in a separate session, with the output of its first line."""

    def __init__(self, program, data, *options, port=0, environment=None, log=None):
        self.program, self.data = program, data
        self.environment = {**os.environ, **(environment or {}), "VITRINE_DATA_DIR": data}
        with timed("starts of vitrine dev"):
            self.process = start(
                [program, "dev", "--port", str(port), "--data", data, "--json", *options], text=True, stdout=subprocess.PIPE,
                stderr=open(log, "w") if log else None, env=self.environment, start_new_session=True)
            line = self.process.stdout.readline()
        if not line:
            sys.exit("vitrine dev did not start")
        self.info = json.loads(line)
        self.url = self.info["url"]

    def command(self, *arguments, stdin=None):
        with timed("commands of vitrine"):
            done = subprocess.run(
                [self.program, *arguments], input=stdin, capture_output=True, text=True, timeout=seconds(120),
                env={**self.environment, **self.info["environment"]})
        return done.returncode, done.stdout, done.stderr

    def sign_in(self, page, printed):
        """By the link that a command printed, such as `account create`."""
        page.goto(self.url + "/login/" + printed["sign_in_url"].rsplit("/", 1)[1])
        page.get_by_role("button", name="Sign in").click()

    def sql(self, statement, values=None):
        """Runs a statement with all rights, and returns its rows."""
        import psycopg

        with psycopg.connect(self.info["database_url"], autocommit=True) as database:
            cursor = database.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    def retry_messages(self):
        """Makes mails and webhook deliveries due that wait for their next attempt. One that is being sent has a lease of two
        minutes or one, and keeps it: otherwise it would be sent twice."""
        self.sql("""
            update ops.webhook_backoff set not_before = '-infinity' where not_before > clock_timestamp();
            update ops.outbox_message set next_at = clock_timestamp()
            where state = 'waiting' and next_at > clock_timestamp() and not case when webhook_id is null
                then next_at - clock_timestamp() between interval '90 s' and interval '120 s'
                else next_at - clock_timestamp() between interval '30 s' and interval '60 s' end""")

    def publish(self, entries):
        """Creates and publishes entries, each a type and its content, by one command."""
        # Entries without a slug need an id.
        records = [{"type": type, "id": f"0197c0d1-0000-7000-8000-{os.urandom(6).hex()}", "content": content} for type, content in entries]
        with tempfile.TemporaryDirectory() as path:
            with open(os.path.join(path, "entries.json"), "w") as file:
                json.dump({"entries": records}, file)
            code, _, error = self.command("release", "import", path, "--publish")
        if code:
            sys.exit(f"entries are not published: {error}")

    def get(self, path):
        return self.request(path)

    def post(self, path, document):
        return self.request(path, json.dumps(document).encode())

    def request(self, path, body=None):
        """The status, and the JSON document, of a response to the client."""
        client = self.info["client"]
        login = base64.b64encode(f"{client['id']}:{client['secret']}".encode()).decode()
        request = urllib.request.Request(
            self.url + path, body, {"Authorization": f"Basic {login}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=seconds(20)) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def load_demo(self, names=("categories", "places", "routes", "lists")):
        """Loads the demo content, approves all submissions and publishes."""
        feed = self.get("/v1/feeds")[1]["data"][0]["slug"]
        for arguments in (["demo", *names], ["queue", "approve", "--all", "--feed", feed, "--json"], ["publish", "now"]):
            code, out, error = self.command(*arguments)
            if code:
                sys.exit(f"{arguments}: {error}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds(120))


def journey(daemon, page):
    """Sign in with the one-time link, approve a submission, undo it, approve it again."""
    code, out, error = daemon.command("import", "feed", "-", "--origin", "journey", "--json", stdin=FEED)
    check(code == 0 and json.loads(out)["submissions"] == 2, "a feed document becomes two submissions " + error.strip())

    page.goto(daemon.url + "/queue")
    check("/login" in page.url, "S15: a visitor is redirected to the sign-in page")
    page.goto(daemon.info["sign_in_url"])
    page.get_by_role("button", name="Sign in").click()
    check(page.url == daemon.url + "/", "the one-time link signs in")
    page.get_by_role("link", name="Pending").first.click()
    check(page.url.endswith("/queue"), "the navigation leads to the queue")

    page.get_by_role("link", name="The ferry runs again").click()
    check(page.locator("h1").inner_text().strip() == "The ferry runs again", "A5: the review page shows the submission")
    check(page.locator("script:not([src])").count() == 0, "S20: no inline script")
    page.get_by_label("City guides").first.check()
    page.get_by_role("button", name="Approve", exact=False).first.click()
    check(page.locator(".flash").count() == 1, "the decision is confirmed")

    status, body = daemon.get("/v1/items")
    titles = [item["title"] for item in body["data"]]
    check(status == 200 and titles == ["The ferry runs again"], f"A2: the approved item is read back: {titles}")
    item = daemon.item = body["data"][0]["id"]
    check(daemon.get(f"/v1/items/{item}")[0] == 200, "A28: and by its id")

    page.get_by_role("button", name="Undo").click()
    check(daemon.get("/v1/items")[1]["data"] == [], "undoing the decision unpublishes it")
    check(daemon.get(f"/v1/items/{item}")[0] == 410, "A19: an unpublished item responds with 410 Gone")

    page.goto(daemon.url + "/queue")
    page.get_by_role("link", name="The ferry runs again").click()
    page.get_by_label("City guides").first.check()
    page.get_by_role("button", name="Approve", exact=False).first.click()
    check(len(daemon.get("/v1/items")[1]["data"]) == 1, "and it can be approved again")

    feeds = daemon.get("/v1/feeds")[1]["data"]
    guides = next(feed for feed in feeds if feed["slug"] == "city-guides")
    members = daemon.get(f"/v1/feeds/{guides['id']}/items")[1]["data"]
    check([m["title"] for m in members] == ["The ferry runs again"], "A2: the feed contains it")
    code, out, _ = daemon.command("publish", "verify", "--json")
    check(code == 0 and out == "", "publish verify finds no difference")

    release(daemon, page, item)
    review(daemon, page)
    sign_out(page)
    page.goto(daemon.url + "/queue")
    check("/login" in page.url, "S14: signing out ends the session")
    page.goto(daemon.info["sign_in_url"])
    check("already used" in page.content(), "S43: the link works once")


def sign_out(page):
    """By the menu in the header."""
    page.locator("summary[aria-label='Your account']").click()
    page.get_by_role("button", name="Sign out").click()


def review(daemon, page):
    """Without JavaScript: a note, snooze and unsnooze, a duplicate, a saved view, and a bulk action with its undo."""
    documents = "".join(
        f"<item><guid>d-{n}</guid><title>Notice {n}</title><description>Text {n}.</description></item>" for n in range(1, 5))
    daemon.command("import", "feed", "-", "--origin", "review", stdin=FEED.split("<item>")[0] + documents + "</channel></rss>")
    page.goto(daemon.url + "/queue?q=notice")
    page.get_by_role("link", name="Notice 1").first.click()
    page.get_by_label("Internal note").fill("Ask the harbour master.")
    page.get_by_role("button", name="Add note").click()
    check("Ask the harbour master." in page.locator(".list").last.inner_text(), "a note is shown in the history")
    decision(page, "Snooze").click()
    page.get_by_role("button", name="Snooze", exact=True).click()
    check("Snoozed" in page.locator(".flash").inner_text(), "a submission is snoozed, and the next one follows")
    page.get_by_role("button", name="Undo").click()
    check("Submission unsnoozed" in page.locator(".flash").inner_text(), "and unsnoozed")
    decision(page, "Mark as duplicate").click()
    page.get_by_label("Original", exact=True).fill("notice 2")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("radio", name="Notice 2").check()
    page.get_by_role("button", name="Mark as duplicate").click()
    check("as a duplicate" in page.locator(".flash").inner_text(), "a submission is marked as a duplicate of its original")
    page.goto(daemon.url + "/queue?q=notice")
    page.locator("summary", has_text="Save view").click()
    page.locator("#view-name").fill("Notices")
    page.get_by_role("button", name="Save view").click()
    check(page.get_by_role("link", name="Notices").count() == 1, "a view is saved under its name")
    page.locator("[data-select]").first.check()
    page.locator("[data-all]").check()
    page.get_by_role("button", name="Reject…").click()
    check("Reject: 3 submissions" in page.content(), "a bulk action says first how many submissions it changes")
    daemon.bulk_action = page.url
    page.get_by_label("Reason").select_option("off_topic")
    page.get_by_role("button", name="Reject 3 submissions").click()
    check("Done: 3 submissions" in page.content(), "and changes them")
    page.get_by_role("button", name="Undo for all").click()
    check("3 undone" in page.content(), "and is undone as a whole")


def keys(daemon, page):
    """With JavaScript: the queue and a submission with keyboard shortcuts only; live counts; a claim that is renewed."""
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(daemon.url + "/queue?q=notice")
    page.keyboard.press("j")
    page.keyboard.press("x")
    check(page.locator("[data-select]:checked").count() == 1, "W3: j and x select a row")
    before = page.locator("[data-count=pending]").inner_text()
    daemon.command("import", "feed", "-", "--origin", "late", stdin=FEED.replace("h-", "l-"))
    page.locator("[data-count-of=new]").wait_for(state="attached")
    wait(lambda: page.locator("[data-count=pending]").inner_text() == str(int(before) + 2), "the counts are updated live")
    check(page.locator("[data-select]:checked").count() == 1, "and no row moves")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    check("/queue/0" in page.url, "Enter opens the row")
    first = page.url
    with page.expect_navigation():
        page.keyboard.press("j")
    check(page.url != first and page.locator(".queue-sidebar [aria-current]").count() == 1, "W3: j opens the next submission next to the queue")
    with page.expect_navigation():
        page.keyboard.press("k")
    check(page.url == first, "W3: k opens the previous one")
    with page.expect_navigation():
        page.keyboard.press("t")
    check("Claimed by you" in page.content(), "W3: t claims it")
    with page.expect_response(lambda response: "/claim/renew" in response.url) as response:
        pass
    check(response.value.status == 204, "its claim is renewed while the page is open")
    page.keyboard.press("s")
    check(page.evaluate("document.activeElement.id") == "snooze", "W3: s opens and focuses the snooze form")
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    check(page.evaluate("document.activeElement.id") == "reason", "W3: r opens and focuses the rejection form")
    page.keyboard.press("s")
    check(page.evaluate("document.activeElement.id") == "reason", "W3: shortcuts are off while a field has the focus")
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    check(page.evaluate("document.activeElement.id") == "priority", "W3: p focuses the priority")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    help = page.locator(".footer details ul")
    box, view = help.bounding_box(), page.viewport_size
    check(box["y"] >= 0 and box["y"] + box["height"] <= view["height"] and box["x"] + box["width"] <= view["width"],
          f"W3: ? shows the shortcuts in view: {box}")
    page.keyboard.press("Escape")
    check(not help.is_visible(), "W3: and Escape hides them")

    def pending():
        source = page.evaluate("fetch('/queue').then((response) => response.text())")
        return int(re.search(r'data-count="?pending"?[^>]*>(\d+)', source)[1])
    count = pending()
    with page.expect_navigation():
        page.keyboard.down("a")
    for _ in range(3):
        page.keyboard.down("a")  # the key repeats
        page.wait_for_timeout(200)
    page.keyboard.up("a")
    check(page.url != first and "Someone" not in page.locator("main").inner_text()
          and pending() == count - 1, "W3: a held key decides one submission")
    with page.expect_navigation():
        page.keyboard.press("z")
    check(pending() == count, "W3: z undoes it")
    check(not wrong, f"no script fails: {wrong}")


def release(daemon, page, item):
    """Edit an entry, add the version to a release, preview it without an account, publish it, roll back."""
    page.goto(f"{daemon.url}/entries/{item}/revisions")
    page.get_by_label("Title").first.fill("The ferry runs twice a day")
    page.get_by_role("button", name="Save and approve").click()
    page.get_by_role("button", name="Add version").click()
    check("added to release 1" in page.locator(".flash").inner_text(), "an edit is added to a new release")
    page.goto(daemon.url + "/releases/1")
    check(page.locator("ins", has_text="twice").count() > 0, "the release shows its changes field by field")
    page.locator("summary", has_text="Schedule").click()
    page.get_by_label("Date and time").fill("2099-05-01T10:00")
    page.get_by_label("Time zone").fill("Europe/London")
    page.get_by_role("button", name="Schedule").click()
    check("2099-05-01 10:00 Europe/London" in page.content(), "it is scheduled at a local time")
    size = page.viewport_size
    page.goto(daemon.url + "/schedule?week=2099-05-01")
    days = page.locator(".calendar > li:visible")
    check(days.count() == 7 and page.locator(".calendar a[href='/releases/1']").is_visible(), "the schedule shows it in its week")
    page.set_viewport_size({"width": 375, "height": 800})
    check(days.count() == 1, "on a phone, days without anything are left out")
    page.set_viewport_size(size)
    scripted = page.context.browser.new_context(storage_state=page.context.storage_state(), viewport={"width": 1440, "height": 900}).new_page()
    reschedule(daemon, scripted)
    scripted.context.close()

    page.goto(daemon.url + "/previews")
    page.get_by_label("Title").fill("May Day")
    page.get_by_label("Preview date").fill("2099-05-01T10:00")
    page.get_by_label("Time zone").fill("Europe/London")
    page.get_by_role("button", name="Create preview").click()
    link = page.get_by_role("link", name="Open preview").get_attribute("href")
    daemon.preview = link
    stranger = page.context.browser.new_context(java_script_enabled=False).new_page()
    stranger.goto(link)
    check(stranger.get_by_role("link", name="The ferry runs twice a day").count() == 1, "a preview link shows scheduled content")
    stranger.get_by_label("Your name").fill("Ada")
    stranger.get_by_role("button", name="Approve preview").click()
    check("Ada" in stranger.content(), "a visitor without an account approves it by name")
    stranger.context.close()

    page.goto(daemon.url + "/releases/1")
    page.get_by_role("button", name="Publish now").click()
    check(daemon.get(f"/v1/items/{item}")[1]["title"] == "The ferry runs twice a day", "after publishing, the API returns the edit")
    before = page.locator("main a[href^='/publications/']").first.get_attribute("href")
    page.goto(f"{daemon.url}/publications/{int(before.rsplit('/', 1)[1]) - 1}/rollback")
    page.get_by_role("button", name="Roll back").click()
    check(daemon.get(f"/v1/items/{item}")[1]["title"] == "The ferry runs again", "after the rollback, the API returns the old version")
    page.goto(daemon.url + "/schedule")
    names = page.get_by_role("table", name="Finished releases").get_by_role("columnheader").all_inner_texts()
    check(names[:3] == ["Release", "Scheduled for", "State"] and "Reason" not in names, f"a column without values is left out: {names}")


def reschedule(daemon, page):
    """In the calendar, a release is moved by the keyboard, which is undone, and dragged by the pointer to the confirmation."""
    page.goto(daemon.url + "/schedule?week=2099-05-01")
    page.locator(".calendar [data-move]").focus()
    page.keyboard.press("Alt+ArrowRight")
    page.keyboard.press("Alt+ArrowUp")
    said = page.locator("[data-moved]").text_content()
    check(said.startswith("2099-05-02 08:00"), f"Alt and the arrow keys move a release by days and hours: {said}")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Schedule release").wait_for()
    text = page.locator("main").inner_text()
    check("2099-05-01 10:00 Europe/London" in text and "2099-05-02 08:00" in text, "the old and the new time are confirmed")
    page.locator("#local").fill("2099-05-02T08:30")
    page.locator("#local").blur()
    wait(lambda: "2099-05-02 08:30" in page.locator("#nearby").inner_text(), "another time that is chosen replaces the proposed one")
    check("2099-05-02 08:00" not in page.locator("main").inner_text(), "which is nowhere left")
    page.get_by_role("button", name="Schedule release").click()
    check("scheduled for 2099-05-02 08:30" in page.locator(".flash").inner_text(), "it is moved")
    page.get_by_role("button", name="Undo").click()
    check("2099-05-01 10:00 Europe/London again" in page.locator(".flash").inner_text(), "the move is undone")
    link, day = page.locator(".calendar [data-move]"), page.locator("[data-date='2099-05-03']")
    day.scroll_into_view_if_needed()
    start, end = link.bounding_box(), day.bounding_box()
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=8)
    page.mouse.up()
    page.get_by_role("button", name="Schedule release").wait_for()
    check(page.locator("#local").input_value() == "2099-05-03T09:00", "a dragged release keeps its time of the day")


PAGES = [
    "/login", "/", "/queue", "/queue?snoozed=1", "/queue/statistics", "/screening", "/screening/1", "/review-stages", "/entries", "/feeds", "/categories", "/schedule", "/schedule?month=2099-05", "/schedule?day=2099-05-01", "/publications", "/publications/plan",
    "/entries/new?type=article", "/entries/new?type=list", "/entries/new?type=feed", "/entries/new?type=onboarding_set", "/releases", "/releases/1",
    "/publications/1", "/publications/1/rollback", "/previews", "/webhooks", "/media", "/external-images", "/routes", "/routes/simulate",
    "/onboarding", "/texts?locale=de", "/settings",
    "/promotions", "/import", "/catalog", "/accounts", "/roles", "/roles/editor", "/clients", "/audit", "/audit/integrity", "/tasks", "/account", "/account/second-factor",
    "/account/password", "/password",
]


MODES = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 900}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 900}},
    "phone": {"color_scheme": "light", "viewport": {"width": 375, "height": 800}},
    # 200 % zoom halves the width of a window.
    "zoomed": {"color_scheme": "light", "viewport": {"width": 640, "height": 450}, "device_scale_factor": 2},
}


# What `roles` doesn't visit, by how the paths begin, and why.
UNVISITED = {
    "/login": "for people who are not signed in",
    "/welcome/": "by a link of an email, in mail.py", "/password/": "by a link of an email, in mail.py",
    "/preview/": "by a link, without an account; `images` has one", "/submit/": "for contributors, in submission_forms.py",
    "/s/": "for contributors, in contributors.py",
    "/session": "for scripts", "/queue/counts": "for scripts", "/entries/choices": "for scripts", "/media/uploads/": "for scripts",
    "/media/{id}/image": "for scripts", "/queue/density": "leads back to the queue",
    "/audit/export": "a file", "/contributors/{id}/export": "a file",
}

# The pages that people use most, and those with most parts.
SAMPLE = [
    "/", "/design", "/search?q=notice", "/queue", "/queue/decided", "/queue/statistics", "/contributors", "/reports", "/screening",
    "/review-stages", "/entries", "/entries/new?type=article", "/entries/new?type=feed", "/feeds", "/categories", "/media",
    "/texts?locale=de", "/settings", "/releases", "/releases/1", "/schedule", "/publications/1", "/accounts", "/roles/editor", "/clients",
    "/webhooks", "/audit", "/tasks", "/account",
]

SIMILAR = "<p>The path follows the old canal from the weir to the mill. In spring the herons stand where the water was let out.</p>"


def seed(daemon):
    """Two similar submissions of a contributor, and an entry that is reported. Paths of the pages about them."""
    ids = []
    for title in ("Along the old canal", "Along an old canal"):
        code, sent = daemon.post("/v1/submissions", {
            "type": "article", "contributor": "m.okafor", "fields": {"title": title, "body": SIMILAR}})
        check(code == 201, f"a contributor sends “{title}”: {code}")
        ids.append(sent["id"])
    code, report = daemon.post("/v1/reports", {"entry": daemon.item, "reason": "inaccurate", "text": "It has stopped again."})
    check(code == 201, f"an entry is reported: {code} {report}")
    case = daemon.sql("select case_id from curation.report where id = %s", [report["id"]])[0][0]
    contributor = daemon.sql("select id from curation.contributor where name = 'm.okafor'")[0][0]
    wait(lambda: daemon.sql("select count(*) from curation.similarity where subject_id = any(%s::uuid[])", [ids]) == [(2,)],
         "both are compared with others")
    return [
        f"/queue/{ids[1]}", f"/queue/{ids[1]}/similar/{ids[0]}", f"/contributors/{contributor}",
        f"/contributors/{contributor}/status?open=blocked", f"/contributors/{contributor}/reports", f"/contributors/{contributor}/messages",
        f"/contributors/{contributor}/notes", f"/reports/{case}",
        f"/entries/{daemon.item}", f"/entries/{daemon.item}/history", daemon.bulk_action.removeprefix(daemon.url)]


def seed_all(daemon):
    """What other pages need, and paths of those that only some pages of a kind link to."""
    def run(*arguments, content=None):
        code, out, error = daemon.command(*arguments, "--json", stdin=content and json.dumps(content))
        check(code == 0, f"vitrine {' '.join(arguments[:2])} {error.strip()}")
        return json.loads(out.splitlines()[0]) if out else {}

    run("demo", "categories", "places", "routes", "lists")
    feed = run("entry", "create", "-", "--type", "feed", "--publish", content={"title": "By hand", "tier": "free", "order": "ranked"})["id"]
    for title in ("First", "Second"):
        run("entry", "create", "-", "--type", "article", "--publish", content={
            "title": title, "body": "<p>Text.</p>", "categories": ["00000000-0000-7000-8000-000000000013"], "feeds": [feed]})
    run("role", "create", "moderator", "--label", "Moderator", "--permissions", "decide")
    run("submission-form", "create", "stories", "--type", "article", "--title", "Send a story")
    entry = run("entry", "create", "-", "--type", "article", "--approve", content={
        "title": "In two releases", "body": "<p>Text.</p>", "categories": ["00000000-0000-7000-8000-000000000013"]})["id"]
    for title in ("Spring", "Summer"):
        number = run("release", "create", title)["number"]
        run("release", "add", str(number), entry)
    return [f"/releases/{number}", f"/releases/{number}/items/{entry}", f"/releases/{number}/schedule?local=2099-05-01T10:00",
            "/roles/moderator", "/roles/moderator/delete"]


def crawl(context, url, first):
    """A path for every page of the admin: `first`, those without parameters, and where links lead: a list may link to many of one
    kind. And the pages for which there is none."""
    with open(os.path.join(ROOT, "docs/reference/admin.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| GET \| `([^`]+)`", file.read(), re.M)
    unused = [start for start in UNVISITED if not any(row.startswith(start) for row in rows)]
    check(not unused, f"every exception is of a page that exists {unused}")
    rows = sorted((row for row in rows if not row.startswith(tuple(UNVISITED))), key=lambda row: row.count("{"))
    patterns = {row: re.compile(re.sub(r"{\w+}", "[^/]+", row) + "$") for row in rows}
    found, waiting, seen = {}, [*first, *(row for row in rows if "{" not in row)], set()
    while waiting:
        path = waiting.pop(0)
        page = next((row for row, pattern in patterns.items() if pattern.match(path.split("?")[0])), None)
        if path in seen or not page or len(found.get(page, [])) > 2:
            continue
        seen.add(path)
        response = context.request.get(url + path)
        if response.status == 200:
            found.setdefault(page, []).append(path)
            waiting += [html.unescape(link) for link in re.findall(r'href="(/[^"#]*)"', response.text())]
    return sorted(paths[0] for paths in found.values()), sorted(set(rows) - set(found))


def sign_in(daemon, browser, *command):
    """The cookies of a session, by the link that this command prints. Several pages use one session."""
    page = browser.new_context(java_script_enabled=False).new_page()
    daemon.sign_in(page, json.loads(daemon.command(*command, "--json")[1]))
    # The home page removes the cookie of the message that was shown there.
    page.wait_for_url(daemon.url + "/")
    cookies = page.context.cookies()
    page.context.close()
    return cookies


def walk(browser, cookies, mode):
    """A page in this mode, signed in."""
    context = browser.new_context(bypass_csp=True, **MODES[mode])
    context.add_cookies(cookies)
    return context.new_page()


def look(page, url, paths):
    """Which of these pages are refused, and what is wrong with any."""
    from axe_playwright_python.sync_playwright import Axe

    refused, bad = set(), []
    for path in paths:
        status = page.goto(url + path).status
        if status == 403:
            refused.add(path)
        found = faults(page, Axe)
        if status not in (200, 403) or found or not page.locator("h1").count():
            bad.append(f"{path} {status} {found}")
    return refused, bad


def sample(daemon, browser, admin, first):
    """What `roles` checks, of fewer pages and only once."""
    page = walk(browser, admin, "phone")
    paths = [*first, *SAMPLE]
    refused, bad = look(page, daemon.url, paths)
    check(not bad and not refused, f"W2: {len(paths)} pages at phone width: {[*refused, *bad] or 'nothing found'}")
    page.context.close()


def roles(daemon, browser, first):
    """Every page as administrators, editors and curators; what they may not see is refused with a page that explains it."""
    pages = None
    for role in ("administrator", "editor", "curator"):
        email = f"{role}@walk.example"
        cookies = sign_in(daemon, browser, "account", "create", email, "--name", role.capitalize(), "--role", role)
        refused = set()
        for mode in MODES:
            if mode == "zoomed" and role != "administrator":
                continue
            page = walk(browser, cookies, mode)
            if not pages:
                visited, missing = crawl(page.context, daemon.url, first)
                check(not missing, f"W2: every page is visited but {len(UNVISITED)} kinds with reasons: {missing or 'none is missing'}")
                pages = sorted({*visited, *PAGES[1:]})
            # That a page is refused looks the same on each.
            paths = [path for path in pages if path not in refused]
            found, bad = look(page, daemon.url, paths)
            check(not bad, f"W2: {len(paths)} pages for role {role} in {mode}, {len(found)} refused: {bad or 'nothing found'}")
            refused |= found
            page.context.close()
        check(len(pages) - len(refused) > 30, f"W2: role {role} has {len(pages) - len(refused)} pages")


def faults(page, axe):
    """What axe finds, with its best practices, and whether the page is too wide."""
    found = [violation["id"] for violation in axe().run(page).response["violations"]]
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return found + ["too wide"] if wide else found


def images(daemon, browser, admin, folder):
    """Screenshots of every page in light, dark, phone width and zoomed; axe finds nothing."""
    from axe_playwright_python.sync_playwright import Axe

    os.makedirs(folder, exist_ok=True)
    for name, options in MODES.items():
        context = browser.new_context(bypass_csp=True, **options)
        page = context.new_page()
        page.goto(daemon.url + "/login")
        shoot(page, folder, "login", name, Axe)
        context.add_cookies(admin)
        page.goto(daemon.url + "/queue")
        first = page.locator("main a[data-row]").first
        urls = [(p.strip("/").replace("/", "-").split("?")[0] or "home", daemon.url + p) for p in PAGES[1:]]
        if first.count():
            urls.append(("review", daemon.url + first.get_attribute("href")))
        page.goto(daemon.url + "/entries")
        entry = page.locator("main a[href^='/entries/0']").first
        if entry.count():
            address = daemon.url + entry.get_attribute("href")
            urls += [("entry", address), ("entry-edit", address + "/revisions"), ("entry-history", address + "/history")]
        urls += [("preview", daemon.preview), ("bulk-action", daemon.bulk_action), ("nowhere", daemon.url + "/nowhere")]
        page.goto(daemon.url + "/queue")
        page.locator("[data-select]").first.check()
        page.get_by_role("button", name="Approve…").click()
        urls.append(("bulk-action-plan", page.url))
        for label, action in (("publish", "Publish…"), ("categories", "Change categories…"), ("release", "Add to release…")):
            page.goto(daemon.url + "/entries?type=article")
            page.locator("[data-select-page]").check()
            if label == "publish":
                shoot(page, folder, "entries-selected", name, Axe)
            page.get_by_role("button", name=action, exact=True).click()
            urls.append((f"bulk-entries-{label}", page.url))
        for label, address in urls:
            page.goto(address)
            # Those of the navigation are checked in every role.
            shoot(page, folder, label, name, None if address.removeprefix(daemon.url) in PAGES else Axe)
        webhook(daemon, page, lambda label: shoot(page, folder, label, name, Axe))
        context.close()


def totp(secret, step):
    """The code of an authenticator app, computed independently of Vitrine (RFC 6238)."""
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", step), hashlib.sha1).digest()
    offset = digest[19] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 1000000:06d}"


def second_factor(daemon, browser):
    """Set up with codes of an independent implementation, sign in, reuse of a code, recovery code, removal."""
    _, out, _ = daemon.command("account", "create", "faye@example.org", "--name", "Faye", "--role", "editor", "--json")

    def sign_in():
        page = browser.new_context(java_script_enabled=False).new_page()
        daemon.sign_in(page, json.loads(daemon.command("sign-in-link", "create", "faye@example.org", "--json")[1]))
        return page

    page = browser.new_context(java_script_enabled=False).new_page()
    daemon.sign_in(page, json.loads(out))
    page.goto(daemon.url + "/account/second-factor")
    page.get_by_role("button", name="Continue").click()
    secret = page.locator("section[aria-labelledby=scan] code").inner_text().replace(" ", "")
    step = int(time.time()) // 30
    page.get_by_label("Six-digit code").fill(totp(secret, step))
    page.get_by_role("button", name="Verify code").click()
    codes = page.locator(".codes code").all_inner_texts()
    check(len(codes) == 10, "a second factor is set up with an independent code; ten recovery codes are shown")
    page = sign_in()
    check("/login/code" in page.url, "afterwards a link alone doesn't sign in")
    page.get_by_label("Code").fill(totp(secret, step))
    page.get_by_role("button", name="Sign in").click()
    check(page.get_by_role("alert").count() == 1, "a code can't be used twice")
    page.get_by_label("Code").fill(codes[0].lower())
    page.get_by_role("button", name="Sign in").click()
    check(page.url == daemon.url + "/", "a recovery code signs in")
    _, out, _ = daemon.command("second-factor", "show", "faye@example.org", "--json")
    check(json.loads(out)["recovery_codes_left"] == 9, "nine recovery codes are left")
    code, _, _ = daemon.command("second-factor", "delete", "faye@example.org")
    check(code == 0 and sign_in().url == daemon.url + "/", "the operator removes it")


def webhook(daemon, page, shoot):
    """Creates a webhook, sees its secret and its page, sends a test and views the delivery."""
    page.goto(daemon.url + "/webhooks")
    page.get_by_label("URL").fill("https://127.0.0.1/inside")
    page.get_by_role("button", name="Create webhook").click()
    shoot("webhook-refused")
    page.get_by_label("URL").fill("https://hooks.invalid/vitrine")
    page.get_by_role("button", name="Create webhook").click()
    check("whsec_" in page.content(), "S41: the secret of a new webhook is shown")
    shoot("webhook-secret")
    page.get_by_role("link", name="Done").click()
    page.get_by_role("button", name="Send test").click()
    shoot("webhook")
    page.get_by_role("link", name="View delivery").click()
    wait(lambda: page.reload() and page.get_by_text("Couldn't resolve").count() == 1, "a test to an unknown host shows the error")
    shoot("webhook-delivery")


def shoot(page, folder, label, name, axe):
    page.screenshot(path=os.path.join(folder, f"{label}-{name}.png"), full_page=True)
    if not axe:
        return
    found = faults(page, axe)
    check(not found, f"W2: {label} in {name}: {found or 'nothing found'}")


def main():
    options = read_options(__doc__)
    daemon = Daemon(os.path.abspath(options.program), os.path.join(folder(), "data"))
    with browser() as chromium:
        step(journey, daemon, chromium.new_context(java_script_enabled=False).new_page())
        admin = sign_in(daemon, chromium, "sign-in-link", "create", "admin@vitrine.example")
        keyed = chromium.new_context(viewport={"width": 1440, "height": 900})
        keyed.add_cookies(admin)
        step(keys, daemon, keyed.new_page())
        keyed.close()
        step(second_factor, daemon, chromium, browser=chromium)
        first = step(seed, daemon)
        if options.shots:
            step(images, daemon, chromium, admin, options.shots)
            step(roles, daemon, chromium, first + step(seed_all, daemon))
        else:
            step(sample, daemon, chromium, admin, first)
    check(daemon.stop() == 0, "R7: SIGTERM ends with 0")
    finish()


if __name__ == "__main__":
    main()
