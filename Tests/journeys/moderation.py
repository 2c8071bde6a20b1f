#!/usr/bin/env python3
"""Moderates contributors in a real browser: blocks and trusts them, decides what is pending, exports and erases their data.

    moderation.py --program .build/debug/vitrine [--shots FOLDER]

Each part runs without JavaScript, with a daemon that refuses what blocked contributors send, then with one that holds it. With
--shots it also takes screenshots in light, dark and phone width, and runs axe on them. Prints a line per check; ends with "N
passed, N failed".
"""
import json
import os

from checks import check, finish, read_options, step
from patience import browser
from policies import World
from submission_forms import shoot


class Moderation(World):
    """An administrator at a daemon without content, and people who send submissions."""

    def __init__(self, program, browser, blocked):
        super().__init__(program, browser, {"INTAKE_BLOCKED": blocked}, "--empty", role="administrator")

    def send(self, contributor, title, **more):
        return self.api("POST", "/v1/submissions", {
            "type": "article", "contributor": contributor, "fields": {"title": title, "body": "<p>By the harbor.</p>"}, **more})

    def contributor(self, name):
        self.page.goto(f"{self.daemon.url}/contributors?q={name}")
        self.page.get_by_role("link", name=name, exact=True).click()
        return self.page

    def status(self, name):
        self.contributor(name)
        self.page.locator(".tabs").get_by_role("link", name="Status").click()
        return self.page

    def block(self, name, reason, until="168"):
        page = self.contributor(name)
        page.get_by_role("link", name="Block…").click()
        form = page.locator("form", has=page.get_by_role("button", name="Block contributor"))
        form.get_by_label("Reason").fill(reason)
        form.get_by_label("Ends").select_option(until)
        form.get_by_role("button").click()


def refused(program, browser, shots):
    with Moderation(program, browser, "refuse") as world:
        page = world.page
        page.goto(world.daemon.url + "/contributors")
        check("No contributors yet" in world.main(), "without submissions there are no contributors")
        code, first = world.send("m.okafor", "A towpath in four seasons", contributor_email="mo@example.org")
        check(code == 201, "a contributor sends a submission")
        page.goto(f"{world.daemon.url}/queue/{first['id']}")
        page.get_by_role("link", name="m.okafor", exact=True).first.click()
        check(page.get_by_role("heading", name="m.okafor").count() == 1, "the review page leads to the contributor")
        check("A towpath in four seasons" in world.main(), "with what they have sent")
        check("mo@example.org" not in world.main(), "the email address is masked")
        world.block("m.okafor", "")
        check("Enter a reason." in world.main() and page.get_by_label("Ends").first.input_value() == "168",
              "a block needs a reason, and nothing typed is lost")
        world.block("m.okafor", "Advertises their book")
        check("m.okafor is blocked." in world.main() and "Advertises their book" in world.main(), "a contributor is blocked")
        code, problem = world.send("m.okafor", "Buy my book")
        check(code == 403 and problem["code"] == "contributor_blocked" and problem["status"] == 403,
              "then their submissions are refused, with a code")
        check(world.send("ada", "Ferry times")[0] == 201, "those of others are not")
        scripted = shot_page(world, browser)
        scripted.goto(page.url)
        scripted.locator("summary", has_text="Change block").click()
        shoot(scripted, shots, "contributor-blocked")
        page.get_by_role("button", name="Unblock").click()
        check("no longer blocked" in world.main() and world.send("m.okafor", "Five benches")[0] == 201,
              "unblocked, they can send again")
        many(world, scripted, shots)
        erase(world)


def shot_page(world, browser):
    """A page with script, in the session of the administrator."""
    context = browser.new_context(bypass_csp=True)
    context.add_cookies(world.page.context.cookies())
    return context.new_page()


def many(world, scripted, shots):
    page = world.page
    for number in range(100):
        world.send("m.okafor", f"Photograph {number + 1}")
    for number in range(30):
        world.send(f"reader {number + 1}", "One each")
    page.goto(world.daemon.url + "/contributors")
    names = page.locator("tbody th").all_inner_texts()
    page.get_by_role("link", name="Next »").click()
    rest = page.locator("tbody th").all_inner_texts()
    check(len(names) == 25 and not set(names) & set(rest) and "m.okafor" in rest, "a long list has pages")
    world.contributor("m.okafor")
    seen = 0
    while True:
        seen += page.locator("ol.rows > li").count()
        older = page.get_by_role("link", name="Older »")
        if not older.count():
            break
        older.click()
    check(seen == 102 and "All (102)" in world.main(), "a hundred submissions are on pages, and counted")
    scripted.goto(f"{world.daemon.url}/contributors")
    shoot(scripted, shots, "contributors")
    world.contributor("m.okafor")
    scripted.goto(page.url)
    shoot(scripted, shots, "contributor-submissions")
    # With the keyboard alone: select the first row, then reject it.
    scripted.keyboard.press("j")
    scripted.keyboard.press("x")
    check(scripted.locator("[data-select]:checked").count() == 1, "keys select a submission")
    scripted.keyboard.press("r")
    scripted.wait_for_url("**/bulk-actions/*")
    check("1 submission" in scripted.locator("main").inner_text(), "and plan an action on it")
    page.locator("[data-select]").first.check()
    page.get_by_label("Select all 102 pending").check()
    page.get_by_role("button", name="Reject…").click()
    check("102 submissions" in world.main(), "everything that is pending is planned together")
    page.get_by_label("Reason").select_option("spam")
    page.get_by_role("button", name="Reject 102 submissions").click()
    page.get_by_role("button", name="Undo").first.click()
    world.contributor("m.okafor")
    check("Pending (102)" in world.main(), "and undone together")
    page.locator("[data-select]").first.check()
    page.get_by_label("Select all 102 pending").check()
    page.get_by_role("button", name="Reject…").click()
    page.get_by_label("Reason").select_option("spam")
    page.get_by_role("button", name="Reject 102 submissions").click()
    world.contributor("m.okafor")
    check("Rejected (102)" in world.main() and "0 %" in world.main(), "the list follows, and the record beside it")
    scripted.goto(page.url)
    shoot(scripted, shots, "contributor-rejected")
    tabs(world, scripted, shots)


def tabs(world, page, shots):
    """The tabs of a contributor on a small phone: each is a page that the button Back leads back to."""
    first = world.contributor("m.okafor").url
    page.goto(first)
    bar = page.get_by_role("navigation", name="About the contributor")
    check(bar.locator("[aria-current]").inner_text().startswith("Submissions"), "submissions come first")
    for name, path in (("Reports", "/reports"), ("Messages", "/messages"), ("Notes", "/notes"), ("Status", "/status")):
        page.set_viewport_size({"width": 320, "height": 640})
        bar.get_by_role("link", name=name).click()
        page.wait_for_url(first + path)
        here = bar.locator("[aria-current]")
        check(here.count() == 1 and here.inner_text().startswith(name), f"{name} is the current tab: {here.all_inner_texts()}")
        inside = bar.evaluate("""(bar) => {
            const [tab, all] = [bar.querySelector("[aria-current]"), bar].map((e) => e.getBoundingClientRect())
            return tab.left >= all.left - 1 && tab.right <= all.right + 1
        }""")
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        check(inside and not wide, f"W2: the current tab {name} is in view, and the page doesn't scroll sideways")
        shoot(page, shots, "contributor" + path.replace("/", "-"))
    page.go_back()
    check(page.url == first + "/notes", "Back leads to the tab before")
    for _ in range(3):
        page.go_back()
    check(page.url == first and bar.locator("[aria-current]").inner_text().startswith("Submissions"), "and to the first one")


def erase(world):
    page = world.contributor("m.okafor")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export data").click()
    with open(download.value.path(), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    check(len(lines) == 102 and lines[-1]["contributor_email"] == "mo@example.org", "the export has everything")
    page.get_by_role("link", name="Erase data…").click()
    check("This can't be undone." in world.main(), "erasing asks first")
    page.get_by_role("button", name="Erase data").click()
    check("102 submissions" in world.main(), "then it erases all submissions")
    page.goto(f"{world.daemon.url}/contributors?q=okafor")
    check("No matching contributors" in world.main(), "and the contributor")


def held(program, browser, shots):
    with Moderation(program, browser, "hold") as world:
        page = world.page
        before = world.send("mo", "Before")[1]["id"]
        world.block("mo", "Advertises", "")
        code, body = world.send("mo", "Buy my book")
        check(code == 201 and body["state"] == "pending", "held submissions are accepted like others")
        page.goto(world.daemon.url + "/queue")
        check("Before" in world.main() and "Buy my book" not in world.main(), "but not in the queue")
        page.goto(world.daemon.url + "/queue?held=1")
        check("Buy my book" in world.main() and "Held" in world.main(), "a filter lists them")
        world.contributor("mo")
        check("Held (1)" in world.main(), "and the page of the contributor")
        scripted = shot_page(world, browser)
        scripted.goto(page.url)
        shoot(scripted, shots, "contributor-held")
        page.goto(f"{world.daemon.url}/queue/{body['id']}")
        check("the contributor is blocked" in world.main(), "the review page says why")
        page.get_by_role("button", name="Return to the queue").click()
        page.goto(world.daemon.url + "/queue")
        check("Buy my book" in world.main(), "one can be returned to the queue")
        third = world.send("mo", "Third")[1]["id"]
        world.status("mo").get_by_role("button", name="Unblock").click()
        page.goto(world.daemon.url + "/queue")
        check("Third" in world.main(), "lifting the block returns the others")
        check({world.state(before), world.state(third)} == {"pending"}, "nothing was decided")
        world.block("mo", "Again", "")
        code, text, _ = world.run("contributor", "list", "--status", "blocked", "--json")
        listed = [json.loads(line) for line in text.splitlines()]
        check(code == 0 and [line["name"] for line in listed] == ["mo"], "the command line lists blocked contributors")
        check(world.run("contributor", "unblock", listed[0]["id"])[0] == 0, "and unblocks them")


def main():
    options = read_options(__doc__)
    program = os.path.abspath(options.program)
    with browser() as chromium:
        for part in (refused, held):
            step(part, program, chromium, options.shots)
    finish()


if __name__ == "__main__":
    main()
