#!/usr/bin/env python3
"""Searches everything in a real browser: the palette by keyboard alone, the page without script, and the operators of the queue.

    search.py --program .build/debug/vitrine [--shots FOLDER]

With --shots it also takes screenshots in light, dark and phone width, and runs axe on them. Prints a line per check; ends with "N
passed, N failed".
"""
import os
import sys

from checks import check, finish, read_options, step
from moderation import shot_page
from patience import browser, wait
from policies import World
from submission_forms import shoot


class Search(World):
    """An administrator at a daemon with demo content, and a submission that was rejected."""

    def __init__(self, program, browser):
        super().__init__(program, browser, {}, role="administrator")
        self.rejected = self.send("Cheap pills", "<p>At https://pills.example/x, delivered overnight.</p>")
        self.command("queue", "reject", self.rejected, "--reason", "spam")
        self.pending = self.send("A heron by the lock", "<p>See https://birds.example/heron.</p>")

    def send(self, title, body):
        code, sent = self.api("POST", "/v1/submissions", {
            "type": "article", "contributor": "m.okafor", "fields": {"title": title, "body": body}})
        if code != 201:
            sys.exit(f"submission: {sent}")
        return sent["id"]


def palette(page, world):
    """By keyboard alone."""
    page.goto(world.daemon.url + "/")
    dialog, box = page.locator("#palette"), page.get_by_role("combobox", name="Search everything")
    page.keyboard.press("Control+k")
    box.wait_for()
    options = dialog.get_by_role("option")
    options.first.wait_for()
    check(page.evaluate("document.activeElement.getAttribute('role')") == "combobox", "Ctrl-K opens the palette with its box focused")
    check(options.count() > 3 and "Create: Article" in dialog.inner_text(), "before anything is typed it offers actions")
    box.fill("heron")
    dialog.get_by_role("option", name="A heron by the lock").wait_for()
    check(box.get_attribute("aria-expanded") == "true" and dialog.get_by_role("group", name="Submissions").count() == 1,
          "results are grouped, and the box says that they are there")

    def active():
        return page.evaluate("document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).textContent")

    first = active()
    page.keyboard.press("ArrowDown")
    second = active()
    page.keyboard.press("ArrowUp")
    check(first == active() and (first != second or options.count() == 1), "arrows select the next and the previous result")
    page.keyboard.press("ArrowUp")
    check(active() == options.last.text_content(), "from the first, up leads to the last")
    page.keyboard.press("ArrowDown")
    while "A heron by the lock" not in active():
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/queue/{world.pending}")
    check(page.get_by_role("heading", name="A heron by the lock").count() >= 1, "Enter opens the selected result")

    # What the page itself offers.
    page.keyboard.press("Control+k")
    box.fill("snooze")
    dialog.get_by_role("group", name="On this page").wait_for()
    page.keyboard.press("Enter")
    dialog.wait_for(state="hidden")
    check(page.evaluate("document.activeElement.closest('main, .decision-bar') !== null"), "an action of the page is activated in place")
    page.keyboard.press("Escape")

    page.keyboard.press("Control+k")
    box.fill("xqzzy")
    dialog.get_by_text("Nothing found.").wait_for()
    check(options.count() == 0 and box.get_attribute("aria-expanded") == "false", "no result is said, too")
    page.route("**/search?*", lambda route: route.abort())
    box.fill("heron")
    dialog.get_by_text("The search failed.").wait_for()
    check(True, "a failure is said")
    page.unroute("**/search?*")
    box.fill("")
    options.first.wait_for()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    check(True, "Escape closes it")

    page.keyboard.press("Control+k")
    box.fill("create release")
    dialog.get_by_role("option", name="Create: Release").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/releases#title")
    wait(lambda: page.evaluate("document.activeElement.id") == "title", "an action that creates something focuses the form's first field")

    # Fast typing: an earlier response that arrives late changes nothing.
    page.goto(world.daemon.url + "/account")
    held = []
    page.route("**/search?q=her", lambda route: held.append(route))
    page.keyboard.press("/")
    box.wait_for()
    check(True, "a page without a search of its own opens it with /")
    box.fill("her")
    wait(lambda: box.input_value() and held, "what is typed is searched")
    box.fill("pills")
    dialog.get_by_role("option", name="Cheap pills").wait_for()
    for route in held:
        try:
            route.continue_()
        except Exception:  # it was aborted, as it should be
            pass
    page.wait_for_timeout(300)
    check(len(held) == 1 and dialog.get_by_role("option", name="A heron").count() == 0, "results of an earlier text never appear")
    page.keyboard.press("Escape")
    page.unroute("**/search?q=her")


def page_without_script(world):
    page = world.page
    page.goto(world.daemon.url + "/")
    box = page.get_by_role("searchbox", name="Search everything").first
    box.fill("heron")
    box.press("Enter")
    check("A heron by the lock" in world.main() and "/search?q=heron" in page.url, "without script the header leads to the page of results")
    page.get_by_role("link", name="A heron by the lock").click()
    check(page.url.endswith(world.pending), "a result leads to what was found")
    page.goto(world.daemon.url + "/search?q=xqzzy")
    check("Nothing found" in world.main(), "the page says that nothing was found")


def operators(world):
    page = world.page
    page.goto(world.daemon.url + "/queue")
    form = page.get_by_role("search", name="Filter the queue")
    form.get_by_label("Search titles, texts, contributors").fill("is:rejected overnight")
    form.get_by_role("button", name="Filter").click()
    check("Cheap pills" in world.main() and "/queue/decided" in page.url, "a rejected submission is found by its text in one step")
    page.goto(world.daemon.url + "/queue?q=domain:birds.example+is:unclaimed")
    check("A heron by the lock" in world.main() and "1 matching" in world.main(), "a pending one by a domain that it links to")
    page.goto(world.daemon.url + "/queue?q=sorce:portal+heron")
    check("source:" in world.main() and page.locator("#q").input_value() == "sorce:portal heron",
          "an unknown operator is named, and nothing typed is lost")
    listed = world.list("queue", "list", "--query", "domain:birds.example by:okafor")
    check([each["id"] for each in listed] == [world.pending], "commands have the same operators")
    code, _, error = world.run("queue", "list", "--query", "sorce:portal")
    check(code != 0 and "sorce:" in error, "and say the same about what they can't read")


def shots(world, browser, folder):
    page = shot_page(world, browser)
    for name, url in [("search", "/search?q=heron"), ("search-none", "/search?q=xqzzy"), ("search-operators", "/queue?q=sorce:portal"),
                      ("search-decided", "/queue/decided?q=overnight")]:
        page.goto(world.daemon.url + url)
        shoot(page, folder, name)
    page.goto(world.daemon.url + "/")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search everything").fill("city")
    page.get_by_role("group", name="Feeds").wait_for()
    shoot(page, folder, "palette")
    page.context.close()


def main():
    options = read_options(__doc__)
    with browser() as chromium:
        with Search(os.path.abspath(options.program), chromium) as world:
            step(page_without_script, world)
            context = chromium.new_context()
            context.add_cookies(world.page.context.cookies())
            problems = []
            page = context.new_page()
            page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
            page.on("pageerror", lambda error: problems.append(str(error)))
            step(palette, page, world)
            problems = [each for each in problems if "net::ERR_FAILED" not in each]
            check(not problems, f"no errors in the console, and nothing that the content security policy refuses {problems}")
            context.close()
            step(operators, world)
            if options.shots:
                step(shots, world, chromium, options.shots)
    finish()


if __name__ == "__main__":
    main()
