#!/usr/bin/env python3
"""Reports entries over the API and decides the reports in a real browser, by each outcome, and on the command line.

    reports.py --program .build/debug/vitrine [--shots FOLDER]

Runs without JavaScript. With --shots it also takes screenshots in light, dark and phone width, and runs axe on them. Prints a
line per check; ends with "N passed, N failed".
"""
import json
import os

from checks import check, finish, read_options, step
from moderation import shot_page
from patience import browser
from policies import World
from submission_forms import shoot

REASONS = ("spam", "inaccurate", "offensive", "illegal", "copyright")


class Reports(World):
    """A publisher at a daemon without content, published entries of contributors, and readers who report them."""

    def __init__(self, program, browser):
        super().__init__(program, browser, {}, "--empty", role="publisher")
        self.entries = {}

    def publish(self, title, contributor):
        code, sent = self.api("POST", "/v1/submissions", {
            "type": "article", "contributor": contributor, "fields": {"title": title, "body": "<p>By the harbor.</p>"}})
        check(code == 201, f"{contributor} sends “{title}”")
        self.command("queue", "approve", sent["id"], "--category", "unsorted")
        code, text, error = self.run("entry", "list", "--type", "article", "--json")
        self.entries[title] = next(line["id"] for line in map(json.loads, text.splitlines()) if line["title"] == title)

    def report(self, title, reason="spam", **more):
        return self.api("POST", "/v1/reports", {"entry": self.entries[title], "reason": reason, **more})

    def open(self, title, state=""):
        self.page.goto(f"{self.daemon.url}/reports{state}")
        self.page.get_by_role("link", name=title, exact=True).click()
        return self.page

    def decide(self, outcome, note, **more):
        page = self.page
        page.get_by_role("radio", name=outcome).check()
        page.get_by_label("Note").fill(note)
        if more.get("until"):
            page.locator("summary", has_text="End of the block").click()
            page.get_by_label("Ends").select_option(more["until"])
        page.get_by_role("button", name="Save decision").click()


def receive(world, scripted, shots):
    page = world.page
    page.goto(world.daemon.url + "/reports")
    check("No open reports" in world.main(), "without reports there is nothing to decide")
    scripted.goto(page.url)
    shoot(scripted, shots, "reports-empty")
    for title in ("A towpath", "Buy my book", "Ferry times", "Five benches"):
        world.publish(title, "m.okafor" if title == "Buy my book" else "ada")
    code, first = world.report("Buy my book", reporter="reader-1", text="The same text <script>alert(1)</script> is everywhere.",
                               reporter_email="reader-1@example.org")
    check(code == 201 and first["is_new"], "a reader reports an entry")
    code, again = world.report("Buy my book", "illegal", reporter="reader-1")
    check(code == 200 and again["id"] == first["id"] and not again["is_new"], "twice is once")
    for number, reason in enumerate(REASONS):
        world.report("Buy my book", reason, reporter=f"reader-{number + 2}")
        world.report("Buy my book", reason)
    for title in ("A towpath", "Ferry times", "Five benches"):
        world.report(title, "inaccurate", text="It has changed since.", reporter="reader-1")
    code, problem = world.api("POST", "/v1/reports", {"entry": world.entries["A towpath"], "reason": "dull"})
    check(code == 422 and problem["errors"][0]["pointer"] == "/reason", "an unknown reason is refused at its pointer")
    page.goto(world.daemon.url)
    check("Reported entries" in world.main() and "Most reported: Buy my book, 11 reports" in world.main(),
          "the home page says what is reported")
    link = page.get_by_role("navigation").get_by_role("link", name="Reports").first
    check("4" in link.inner_text(), "and the navigation how many")
    return first


def lists(world, scripted, shots):
    page = world.page
    page.goto(world.daemon.url + "/reports")
    titles = page.locator("ol.rows a.title").all_inner_texts()
    check(titles[0] == "Buy my book" and len(titles) == 4, "most reports come first")
    page.locator("select[name=reason]").select_option("inaccurate")
    page.get_by_label("Sort by").select_option("oldest")
    page.get_by_role("button", name="Filter").click()
    check(page.locator("ol.rows > li").count() == 4, "a filter lists what was reported for a reason")
    scripted.goto(world.daemon.url + "/reports")
    shoot(scripted, shots, "reports")
    world.open("Buy my book")
    check("<script>alert(1)</script>" in world.main() and "Approval rate" in world.main() and "By the harbor." in world.main(),
          "a case shows the reports as text, the entry, and its contributor's record")
    scripted.goto(page.url)
    shoot(scripted, shots, "report")


def decide(world, scripted, shots, first):
    page = world.page
    world.open("A towpath")
    page.get_by_role("button", name="Save decision").click()
    check("Enter a note" in world.main() or "Choose an outcome." in world.main(), "an outcome and a note are needed")
    scripted.goto(f"{world.daemon.url}/reports")
    scripted.get_by_role("link", name="A towpath", exact=True).click()
    scripted.get_by_role("button", name="Save decision").click()
    shoot(scripted, shots, "report-errors")
    scripted.goto(f"{world.daemon.url}/reports")
    scripted.get_by_role("link", name="A towpath", exact=True).click()
    scripted.locator("main h1").click()
    scripted.keyboard.press("1")
    check(scripted.get_by_role("radio", name="Take no action").is_checked()
          and scripted.evaluate("document.activeElement.id") == "note", "a digit chooses an outcome, and the note has the focus")
    world.decide("Take no action", "The towpath is open.")
    check("decided: No action." in world.main(), "no action is taken")
    world.report("A towpath", reporter="reader-1")
    page.goto(world.daemon.url + "/reports")
    check("A towpath" not in page.locator("main").inner_text().split("decided")[-1], "the same reader doesn't open it again")
    world.report("A towpath", reporter="reader-9")
    world.open("A towpath")
    check("Other reviews of this entry" in world.main() and "The towpath is open." in world.main(), "another reader does")

    world.open("Ferry times")
    check(page.get_by_role("radio", name="Confirm the edit").count() == 0, "without an edit there is none to confirm")
    page.get_by_role("link", name="Edit entry").click()
    page.get_by_label("Title", exact=False).first.fill("Ferry times in summer")
    page.get_by_role("button", name="Save and publish now", exact=True).click()
    world.open("Ferry times in summer")
    world.decide("Confirm the edit", "Times are those of summer.")
    check("decided: Edited." in world.main(), "an edit is confirmed once it is published")

    world.open("Five benches")
    world.decide("Unpublish", "There are four.")
    check("Unpublish Five benches?" in world.main() and page.get_by_label("Note").input_value() == "There are four.",
          "what unpublishing changes is shown first, and the note stays")
    scripted.goto(f"{world.daemon.url}/reports")
    scripted.get_by_role("link", name="Five benches", exact=True).click()
    scripted.get_by_role("radio", name="Unpublish").check()
    scripted.get_by_label("Note").fill("There are four.")
    scripted.get_by_role("button", name="Save decision").click()
    shoot(scripted, shots, "report-unpublish")
    page.get_by_role("button", name="Unpublish now").click()
    check("decided: Unpublished." in world.main(), "an entry is unpublished")
    code, problem = world.report("Five benches")
    check(code == 422 and problem["errors"][0]["code"] == "unpublished", "then it can't be reported")

    world.open("Buy my book")
    world.decide("Block contributor", "Advertises their book", until="168")
    check("decided: Contributor blocked." in world.main(), "its contributor is blocked")
    code, problem = world.api("POST", "/v1/submissions", {
        "type": "article", "contributor": "m.okafor", "fields": {"title": "Another book", "body": "<p>Text.</p>"}})
    check(code == 403 and problem["code"] == "contributor_blocked", "and what they send is refused")
    code, shown = world.api("GET", f"/v1/reports/{first['id']}", {})
    check(code == 200 and shown["outcome"] == "block", "the app reads the outcome")
    page.goto(world.daemon.url + "/reports?state=decided")
    check(page.locator("ol.rows > li").count() == 4, "decided reports are a list of their own")
    page.locator("summary", has_text="Statistics").click()
    check("Median time to decision" in world.main(), "with statistics")
    scripted.goto(page.url)
    scripted.locator("summary", has_text="Statistics").click()
    shoot(scripted, shots, "reports-decided")
    world.open("Buy my book", "?state=decided")
    scripted.goto(page.url)
    shoot(scripted, shots, "report-decided")


def command(world):
    code, text, _ = world.run("report", "list", "--json")
    listed = [json.loads(line) for line in text.splitlines()]
    check(code == 0 and [line["title"] for line in listed] == ["A towpath"], "the command line lists open reports")
    check(world.run("report", "decide", listed[0]["id"], "--outcome", "no_action", "--note", "Still open.")[0] == 0,
          "and decides them")
    code, _, error = world.run("report", "decide", listed[0]["id"], "--outcome", "no_action", "--note", "Again.")
    check(code != 0 and "already decided" in error, "once")
    waiting = world.daemon.sql("select count(*) from ops.outcome where report_id is not null")
    check(waiting == [(1,)], "the reporter with an email is notified")


def main():
    options = read_options(__doc__)
    with browser() as chromium:
        with Reports(os.path.abspath(options.program), chromium) as world:
            scripted = shot_page(world, chromium)
            first = step(receive, world, scripted, options.shots)
            step(lists, world, scripted, options.shots)
            step(decide, world, scripted, options.shots, first)
            step(command, world)
    finish()


if __name__ == "__main__":
    main()
