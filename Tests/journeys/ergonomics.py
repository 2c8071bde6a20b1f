#!/usr/bin/env python3
"""Measures in a real browser what a curator needs: keys, clicks, tab stops, what is in view, and how soon a page reacts.

    ergonomics.py --program .build/debug/vitrine [--shots FOLDER] [--all]

Without --all it measures less: fewer types, and a short queue; and TEST_PATIENCE multiplies the limit of reactions, too, because
tests run beside others. Prints a line per check; ends with "N passed, N failed".
"""
import argparse
import json
import os
import sys
import time

import run
from checks import check, finish, step
from layout import decision, shifts, watch_shifts
from patience import FACTOR, browser, seconds, wait
from policies import World

VIEWS = {"laptop": (1440, 900), "small": (1280, 720), "phone": (390, 844)}

# The types that people send, with what each requires besides the title.
FIELDS = {
    "article": {"body": "<p>By the weir.</p>" * 200}, "video": {"hls_url": "https://video.example/ferry.m3u8"}, "list": {},
    "review": {"rating": 4, "text": "Quiet in winter."}, "route": {"path": [[48.2, 16.37], [48.21, 16.38]]},
}


def new_page(world, browser, width=1440, height=900):
    """A page of the curator who is signed in."""
    context = browser.new_context(viewport={"width": width, "height": height})
    context.add_cookies(world.page.context.cookies())
    return context.new_page()


class Keys:
    """Counts the keys that are pressed."""

    def __init__(self, page):
        self.page, self.count = page, 0

    def press(self, key):
        self.page.keyboard.press(key)
        self.count += 1

    def leave(self, key):
        with self.page.expect_navigation():
            self.press(key)


class Clicks:
    """Counts the clicks, of which one is also needed to type into a field."""

    def __init__(self, page):
        self.page, self.count = page, 0

    def press(self, locator):
        locator.click()
        self.count += 1

    def leave(self, locator):
        with self.page.expect_navigation():
            self.press(locator)

    def fill(self, locator, text):
        self.press(locator)
        locator.fill(text)


def thirty_decisions(world, page):
    """Twenty approvals and ten rejections with a reason."""
    for number in range(30):
        world.api("POST", "/v1/submissions", {
            "type": "article", "contributor": f"reader-{number}", "category": "Walks",
            "fields": {"title": f"Ferry {number}", "body": "<p>After nine weeks.</p>"}})
    page.goto(world.daemon.url + "/queue?q=ferry")
    keys, started = Keys(page), time.monotonic()
    keys.press("j")
    keys.leave("Enter")
    for number in range(30):
        if number % 3:
            keys.leave("a")
        else:
            keys.press("r")
            keys.press("1")
            keys.leave("Enter")
    left = page.evaluate("fetch('/queue?q=ferry').then((response) => response.text())").count(" data-row>")
    check(left == 0 and keys.count <= 56, f"30 decisions take {keys.count} keys (at most 56) and {time.monotonic() - started:.0f} s")


def in_view(world, browser, types):
    """Approve is in view, and few tab stops away, for each type at each size."""
    ids = {}
    place = world.daemon.get("/v1/places?lat=48.2&lon=16.37")[1]["data"][0]["id"]
    for type in types:
        about = {"place": place} if type == "review" else {}
        code, body = world.api("POST", "/v1/submissions", {
            "type": type, "contributor": "m.okafor", "fields": {"title": f"In view: {type}", **FIELDS[type], **about}})
        if check(code == 201, f"a submission of type {type}: {body if code != 201 else code}"):
            ids[type] = body["id"]
    for name, (width, height) in VIEWS.items():
        page = new_page(world, browser, width, height)
        for type, submission in ids.items():
            page.goto(f"{world.daemon.url}/queue/{submission}")
            button = page.locator("button[name=verdict][value=approve]").first
            box = button.bounding_box()
            check(box and box["y"] >= 0 and box["y"] + box["height"] <= height and box["x"] + box["width"] <= width,
                  f"{name}: Approve is in view for a submission of type {type}: {box}")
        stops = 0
        while stops < 60 and not button.evaluate("button => button === document.activeElement"):
            page.keyboard.press("Tab")
            stops += 1
        # "Skip to content" leads past the header.
        page.goto(page.url)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        skipped = 2
        while skipped < 60 and not button.evaluate("button => button === document.activeElement"):
            page.keyboard.press("Tab")
            skipped += 1
        check(min(stops, skipped) <= 8, f"{name}: Approve is {stops} tab stops from the top, {skipped} with the skip link (at most 8)")
        page.context.close()


def focus_after_decision(world, page):
    """The next submission follows, and its heading has the focus: the keyboard and screen readers go on from there."""
    first = [world.submit(f"In focus {number}") for number in range(3)][0]
    keys = Keys(page)
    page.goto(f"{world.daemon.url}/queue/{first}?q=focus")

    def follows(verdict, title):
        check(page.locator("h1").inner_text() == title and page.locator(".flash").get_by_role("button", name="Undo").count() == 1,
              f"after {verdict} the next submission follows, with the undo: {page.locator('h1').inner_text()}")
        wait(lambda: page.evaluate("document.activeElement.matches('main h1')"),
             lambda: f"after {verdict} its heading has the focus: {page.evaluate('document.activeElement.outerHTML')[:80]}", limit=5)

    keys.leave("a")
    follows("an approval", "In focus 1")
    keys.press("r")
    keys.press("1")
    keys.leave("Enter")
    follows("a rejection", "In focus 2")


def release_of_five(world, page):
    """Five changes are put together and scheduled."""
    for number in range(5):
        fields = {"title": f"Towpath {number}", "body": "<p>Text.</p>", "categories": ["00000000-0000-7000-8000-000000000013"]}
        code, _, error = world.daemon.command("entry", "create", "-", "--type", "article", "--approve", stdin=json.dumps(fields))
        if code:
            sys.exit(f"no entry: {error}")
    page.goto(world.daemon.url + "/")
    clicks, started = Clicks(page), time.monotonic()
    clicks.leave(page.locator("#navigation a[href='/entries?type=article']"))
    for number in range(5):
        clicks.press(page.get_by_label(f"Select Towpath {number}", exact=True))
    clicks.leave(page.get_by_role("button", name="Add to release…", exact=True))
    clicks.fill(page.locator("#title"), "Along the river")
    clicks.leave(page.get_by_role("button", name="Add 5 entries to the release", exact=True))
    clicks.leave(page.locator("main a[href^='/releases/']").first)
    clicks.press(page.locator("summary", has_text="Schedule"))
    clicks.fill(page.locator("#local"), "2099-05-01T10:00")
    clicks.leave(page.get_by_role("button", name="Schedule", exact=True))
    text = page.locator("main").inner_text()
    check("Scheduled" in text and "2099-05-01 10:00" in text and text.count("Publish version 1") == 5,
          "a release of five changes is scheduled")
    check(clicks.count <= 15, f"it takes {clicks.count} clicks (at most 15) and {time.monotonic() - started:.0f} s")


PARAGRAPH = "The path follows the old canal from the weir to the mill, and where the water was let out in spring the herons stand in a row. "

# The mean number of characters in the whole lines of a paragraph.
LINES = """(paragraph) => {
    const text = paragraph.firstChild, range = document.createRange(), lines = new Map()
    for (let at = 0; at < text.length; at++) {
        range.setStart(text, at)
        range.setEnd(text, at + 1)
        const { top, height } = range.getBoundingClientRect()
        if (height) lines.set(Math.round(top), (lines.get(Math.round(top)) ?? 0) + 1)
    }
    const whole = [...lines.values()].slice(0, -1)
    return whole.reduce((sum, count) => sum + count, 0) / whole.length
}"""


def measure_of_text(world, browser):
    """Lines have 60 to 80 characters, on wide screens, too."""
    code, body = world.api("POST", "/v1/submissions", {
        "type": "article", "contributor": "m.okafor", "fields": {"title": "A long walk", "body": f"<p>{PARAGRAPH * 10}</p>"}})
    if not check(code == 201, f"an article with a long paragraph: {body if code != 201 else code}"):
        return
    for width, height in (VIEWS["laptop"], (1920, 1080)):
        page = new_page(world, browser, width, height)
        page.goto(f"{world.daemon.url}/queue/{body['id']}")
        page.evaluate("document.fonts.ready")
        count = page.locator(".reading .prose p").first.evaluate(LINES)
        check(60 <= count <= 80, f"at {width} pixels a line has {count:.0f} characters (60 to 80)")
        page.context.close()


def rejected_in_two_steps(world, page):
    page.goto(world.daemon.url + "/queue")
    submission = world.submit("The lost bench")
    page.goto(f"{world.daemon.url}/queue/{submission}")
    page.keyboard.press("r")
    page.keyboard.press("2")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    check(page.evaluate("document.activeElement.matches('main h1') && document.querySelector('.flash [data-key=z]') !== null"),
          "after a decision the focus is on the heading of what follows, and the message has its undo")
    page.goto(world.daemon.url + "/")
    page.locator("#navigation").get_by_role("link", name="Decided").click()
    page.get_by_role("link", name="The lost bench").first.click()
    check(page.locator("h1").inner_text().strip() == "The lost bench" and "Rejected" in page.locator("main").inner_text(),
          "a rejected submission is found in two steps")


# The parts of a control that it cuts off. It wraps and clips, so that its own width never says so.
CUT_OFF = """control => {
    const own = control.getBoundingClientRect(), range = document.createRange()
    return [...control.children].filter((part) => {
        range.selectNodeContents(part)
        const { left, right, top, bottom } = range.getBoundingClientRect()
        return left < own.left - .5 || right > own.right + .5 || top < own.top - .5 || bottom > own.bottom + .5
    }).map((part) => part.textContent.trim())
}"""


def named_keys(world, page):
    """Approve says what the chosen time does. Keys are named where they work, and only the page's own."""
    page.goto(f"{world.daemon.url}/queue/{world.submit('Its keys')}")
    approve = page.locator("button[name=verdict][value=approve]")
    check(approve.inner_text().split() == ["Approve", "and", "publish", "a"], f"Approve says that it publishes, and its key: {approve.inner_text()}")
    offered = page.locator(".decision-bar a:visible, .side > details > summary:visible")
    counts = {name: offered.filter(has_text=name).count() for name in ("Request changes", "Reject", "Mark as duplicate", "Snooze", "Assign")}
    check(set(counts.values()) == {1}, f"each decision is offered once: {counts}")
    timing = page.locator("#publish .segments")
    cut = timing.evaluate(CUT_OFF)
    check(timing.get_by_role("radio").count() == 3 and not cut, f"the time is one of three parts of a control, all in full: {cut}")
    timing.evaluate("e => { e.style.cssText = 'flex-wrap: nowrap; width: 6rem' }")
    cut = timing.evaluate(CUT_OFF)
    check("Approve without publishing" in cut, f"and a control that is too narrow would be noticed: {cut}")
    timing.evaluate("e => { e.removeAttribute('style') }")
    page.get_by_label("Approve without publishing").check()
    check(approve.inner_text().split() == ["Approve", "a"], f"and that it does not: {approve.inner_text()}")
    page.locator("main h1").click()
    page.keyboard.press("?")
    keys = page.locator("[data-keys] li:visible").all_inner_texts()
    check(any("approve" in key for key in keys) and any("choose a reason" in key for key in keys)
          and not any("select" in key for key in keys), f"the list of keys has those of the page: {keys}")
    page.locator("#keys").click()
    page.keyboard.press("Escape")
    decision(page, "Reject").click()
    hint = page.locator("#reason-keys")
    check(not page.locator(".decision-bar .key").first.is_visible() and not hint.is_visible(), "no key is named while shortcuts are off")
    page.locator(".footer summary").click()
    page.locator("#keys").click()
    check(page.locator(".decision-bar .key").first.is_visible() and hint.is_visible()
          and "reason-keys" in page.locator("#reason").get_attribute("aria-describedby"), "and they are again once they are on")


def selected_above(world, page):
    """What is selected in a long list is named above it, and removed there by pointer and key."""
    page.goto(f"{world.daemon.url}/queue/{world.submit('Its categories')}")
    line = page.locator("#approve .find:visible").first
    box = line.get_by_label("Find in the list")
    boxes = line.locator("xpath=following-sibling::*[1]").locator("input[type=checkbox]")
    for number in (1, 2):
        boxes.nth(number).check()
    chips = line.get_by_role("button", name="Remove")
    selected = boxes.evaluate_all("all => all.filter((e) => e.checked).length")
    check(chips.count() == selected >= 2, f"what is selected is named above the list: {chips.count()} of {selected}")
    chips.first.focus()
    page.keyboard.press("Enter")
    check(chips.count() == selected - 1 and chips.first.evaluate("e => e === document.activeElement"),
          "a key removes it, and the next one has the focus")
    while chips.count():
        chips.first.click()
    check(boxes.evaluate_all("all => all.every((e) => !e.checked)") and box.evaluate("e => e === document.activeElement"),
          "without one, the search of the list has it")


def two_curators(world, browser, page):
    """Each sees the other soon after opening the same submission."""
    created = world.command("account", "create", "ada@vitrine.example", "--name", "Ada", "--role", "editor")
    submission = world.submit("Seen by two")
    page.goto(f"{world.daemon.url}/queue/{submission}")
    page.wait_for_load_state("networkidle")
    watch_shifts(page)
    other = browser.new_context().new_page()
    world.daemon.sign_in(other, created)
    other.goto(f"{world.daemon.url}/queue/{submission}")
    started = time.monotonic()
    for who, watched in (("the first", page), ("the second", other)):
        watched.locator("[data-viewers]:not(:empty)").wait_for()
        spent = time.monotonic() - started
        check(spent <= seconds(2), f"{who} curator sees the other after {spent:.1f} s (at most {seconds(2)} s)")
    moved = shifts(page)
    check(not moved, f"nothing moves when somebody else comes: {moved}")
    other.context.close()


# What moved without a key or click, and how far: elements, and their places before and after.
MOVED = """() => {
    window.moved = []
    const place = ({ x, y, width, height }) => `${Math.round(x)},${Math.round(y)} ${Math.round(width)}x${Math.round(height)}`
    new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) if (!shift.hadRecentInput)
            for (const { node, previousRect, currentRect } of shift.sources)
                window.moved.push(`${node?.nodeName}.${node?.className ?? ""} ${place(previousRect)} to ${place(currentRect)}`)
    }).observe({ type: "layout-shift" })
}"""


def nothing_moves(world, browser):
    """Counts change, and what is under the pointer stays there."""
    submission = world.submit("Assigned later")
    page = new_page(world, browser)
    page.goto(world.daemon.url + "/queue")
    page.evaluate("document.fonts.ready")
    before = page.locator("[data-count=assigned]").inner_text()
    page.evaluate(MOVED)
    world.submit("Received later")
    code, _, error = world.daemon.command("queue", "assign", submission, "--to", world.email)
    if code:
        sys.exit(f"queue assign: {error}")
    page.locator("[data-count-of=new]:not(.none)").wait_for()
    wait(lambda: page.locator("[data-count=assigned]").inner_text() != before, "the number of assigned submissions is updated")
    page.wait_for_timeout(500)
    moved = page.evaluate("window.moved")
    check(not moved, f"nothing moves in the queue while counts change: {moved[:6]}")
    page.context.close()


def rows_in_view(world, browser):
    """Without scrolling, in a long queue."""
    page = new_page(world, browser)
    page.goto(world.daemon.url + "/queue")
    page.evaluate("document.fonts.ready")
    top = "() => document.querySelector('.rows').getBoundingClientRect().top"
    start = page.evaluate(top)
    page.goto(world.daemon.url + "/queue?type=article&claim=none&age=-24")
    check(page.locator(".filter-chips a").count() == 3 and page.evaluate(top) <= start + 1,
          f"filters that are set cost no row: {page.evaluate(top)} and {start} pixels")
    page.locator(".filter-chips a").first.focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    check("type=" not in page.url and "claim=none" in page.url, "a filter is removed by its key")
    page.goto(world.daemon.url + "/queue")
    whole = """() => [...document.querySelectorAll(".rows > li")].filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length"""
    count = page.evaluate(whole)
    check(count >= 15, f"{count} rows are in view at 900 pixels (at least 15)")
    with page.expect_navigation():
        page.get_by_role("link", name="Compact rows").click()
    check(page.evaluate(whole) > count, f"and {page.evaluate(whole)} compact ones")
    page.context.close()


def receive_many(world, count):
    """A long queue."""
    size = 500
    for batch in range(count // size):
        items = "".join(
            f"<item><guid>i-{batch}-{n}</guid><title>Notice {batch} {n}</title><description>Text {n}.</description></item>"
            for n in range(size))
        code, _, error = world.daemon.command(
            "import", "feed", "-", "--origin", "many", stdin=run.FEED.split("<item>")[0] + items + "</channel></rss>")
        if code:
            sys.exit(f"import: {error}")


def reaction(world, browser, count, limit):
    """From a key or click to the next paint, in the queue; the browser reports what takes 16 ms or longer."""
    page = new_page(world, browser)
    page.goto(world.daemon.url + "/queue")
    page.evaluate("""() => {
        window.taken = []
        new PerformanceObserver((list) => { for (const event of list.getEntries()) if (event.interactionId) window.taken.push(event.duration) })
            .observe({ type: "event", durationThreshold: 16, buffered: true })
    }""")
    for _ in range(30):
        page.keyboard.press("j")
        page.keyboard.press("x")
    page.locator("[data-select]").nth(20).click()
    # A menu, the rare filters, and the bar of bulk actions.
    for name in ("summary[aria-label='Your account']", "summary:has-text('More filters')", "[data-select-page]"):
        page.locator(name).click()
        page.locator(name).click()
    page.wait_for_timeout(500)
    taken = sorted(page.evaluate("window.taken"))
    # As for "interaction to next paint": the 98th percentile.
    slow = taken[int(len(taken) * .98) - 1] if taken else 0
    check(slow <= limit, f"{count} pending: {len(taken)} events took 16 ms or longer, the slowest {slow:.0f} ms (at most {limit} ms)")
    page.context.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--shots")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    with browser() as chromium:
        with World(os.path.abspath(options.program), chromium, {}, role="publisher") as world:
            step(world.daemon.load_demo)
            page = new_page(world, chromium)
            step(thirty_decisions, world, page)
            step(in_view, world, chromium, FIELDS if options.all else ["article", "review"])
            step(focus_after_decision, world, page)
            step(rejected_in_two_steps, world, page)
            step(release_of_five, world, page)
            step(measure_of_text, world, chromium)
            step(named_keys, world, page)
            step(selected_above, world, page)
            step(two_curators, world, chromium, page)
            # It would go on asking who else is there.
            page.context.close()
            step(nothing_moves, world, chromium)
            count = 10_000 if options.all else 1_000
            step(receive_many, world, count)
            step(rows_in_view, world, chromium)
            step(reaction, world, chromium, count, 100 if options.all else 100 * FACTOR)
    finish()


if __name__ == "__main__":
    main()
