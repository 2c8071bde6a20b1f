#!/usr/bin/env python3
"""Reviews submissions in a real browser, once with the pointer and without JavaScript, and twice with the keyboard.

    review.py --program .build/debug/vitrine [--shots FOLDER]

Signs in, filters, opens, claims, adds a note, decides, undoes, runs bulk actions on submissions and entries, tests screening rules and reads the
statistics. The keyboard runs check at every tab stop that the focus is visible and not covered. Then compares similar submissions, and checks
what axe does not: target sizes, the width of a small phone, lists on a phone, reduced motion. Prints a line per check; ends with
"N passed, N failed".
"""
import json
import os
import sys

from checks import check, finish, read_options
from layout import decision, has_typeface, shifts, watch_shifts
from patience import browser, wait
from run import FEED, Daemon
from workspace import folder


def feed_document(word, count):
    items = "".join(
        f"<item><guid>{word}-{n}</guid><title>{word} {n}</title><description>Text {n} of {word}.</description></item>"
        for n in range(1, count + 1))
    return FEED.split("<item>")[0] + items + "</channel></rss>"


class Pointer:
    """Clicks and types."""

    def __init__(self, page):
        self.page = page

    def press(self, locator):
        locator.first.click()

    def fill(self, locator, text):
        locator.first.fill(text)

    def check(self, locator):
        locator.first.check()

    def choose(self, locator, label):
        locator.first.select_option(label=label)


class Keyboard:
    """Reaches controls by Tab and checks at every stop whether the focus is visible."""

    SEEN = """() => {
        const here = document.activeElement
        if (!here || here === document.body) return null
        const style = getComputedStyle(here), box = here.getBoundingClientRect()
        const points = [[.5, .5], [.1, .5], [.9, .5], [.5, .15], [.5, .85]]
        const isMet = points.some(([x, y]) => {
            const met = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y)
            return met && (here.contains(met) || met.contains(here))
        })
        const name = here.tagName + " " + (here.getAttribute("aria-label") || here.name || here.textContent).trim().slice(0, 40)
        return { name, isDrawn: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2, isMet }
    }"""

    def __init__(self, page):
        self.page = page
        self.stops = 0
        self.unseen = set()

    def look(self):
        seen = self.page.evaluate(self.SEEN)
        if seen is None:
            return
        self.stops += 1
        if not seen["isDrawn"] or not seen["isMet"]:
            self.unseen.add(f"{seen['name']} ({'hidden' if seen['isDrawn'] else 'not drawn'}) on {self.page.url.split('/', 3)[-1]}")

    def reach(self, locator):
        locator = locator.first
        locator.wait_for(state="visible")
        is_radio = locator.evaluate("e => e.type === 'radio'")
        for _ in range(400):
            # Tab stops once per radio group; the arrow keys move within it.
            if locator.evaluate("e => e === document.activeElement"):
                return
            if is_radio and locator.evaluate("e => document.activeElement.type === 'radio' && document.activeElement.name === e.name"):
                for _ in range(12):
                    self.page.keyboard.press("ArrowDown")
                    if locator.evaluate("e => e === document.activeElement"):
                        return
            self.page.keyboard.press("Tab")
            self.look()
        raise AssertionError(f"Tab does not reach {locator}")

    def press(self, locator):
        self.reach(locator)
        if locator.first.evaluate("e => e.matches('a:not([href^=\"#\"]), button, [type=submit]')"):
            before = self.page.url
            with self.page.expect_navigation(wait_until="load"):
                self.page.keyboard.press("Enter")
        else:
            self.page.keyboard.press("Enter")

    def fill(self, locator, text):
        self.reach(locator)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)

    def check(self, locator):
        self.reach(locator)
        if not locator.first.is_checked():
            self.page.keyboard.press("Space")

    def choose(self, locator, label):
        self.reach(locator)
        self.page.keyboard.type(label)
        selected = locator.first.evaluate("e => e.selectedOptions[0].label")
        assert selected == label, f"{selected} was selected, not {label}"


def journey(daemon, page, hands, who, word):
    """The whole journey with one input method. Controls are found by their accessible names."""
    role = page.get_by_role
    daemon.command("import", "feed", "-", "--origin", word, stdin=feed_document(word, 6))
    page.goto(sign_in_link(daemon))
    hands.press(role("button", name="Sign in"))
    check(page.url == daemon.url + "/", f"{who}: signs in")
    hands.press(page.locator("#navigation").get_by_role("link", name="Pending"))
    check(page.url.endswith("/queue"), f"{who}: opens the queue by the navigation")

    hands.fill(page.get_by_label("Search titles"), word)
    hands.press(role("button", name="Filter"))
    rows = page.locator("[data-row]")
    check(rows.count() == 6 and f"q={word}" in page.url, f"{who}: filters, and the URL contains the filter: {page.url}")
    first, second = rows.all_inner_texts()[:2]
    hands.press(role("link", name=first, exact=True))
    check(page.locator("h1").inner_text().strip() == first, f"{who}: opens one")
    hands.press(role("button", name="Claim", exact=True))
    check("Claimed by you" in page.content(), f"{who}: claims it")
    hands.fill(page.get_by_label("Internal note"), "Ask the harbour master.")
    hands.press(role("button", name="Add note"))
    check("Ask the harbour master." in page.locator(".list").last.inner_text(), f"{who}: adds a note")

    hands.press(decision(page, "Reject"))
    hands.choose(page.get_by_label("Reason"), "Off topic")
    hands.press(role("button", name="Reject", exact=True))
    check("Rejected" in page.locator(".flash").inner_text(), f"{who}: rejects with a reason")
    check(page.locator("h1").inner_text().strip() == second, f"{who}: and the next one follows")
    hands.press(role("button", name="Undo", exact=True))
    check("Decision undone" in page.locator(".flash").inner_text(), f"{who}: undoes the decision")
    check(page.locator("h1").inner_text().strip() == first, f"{who}: and sees it again")
    hands.check(page.get_by_label("Approve without publishing"))
    hands.press(role("button", name="Approve", exact=True).locator("visible=true"))
    check("Approved" in page.locator(".flash").inner_text(), f"{who}: approves")
    hands.press(decision(page, "Snooze"))
    hands.press(role("button", name="Snooze", exact=True))
    check("Snoozed" in page.locator(".flash").inner_text(), f"{who}: snoozes one")

    page.goto(f"{daemon.url}/queue?q={word}")
    check(page.locator("[data-row]").count() == 4, f"{who}: four are left")
    for title in page.locator("[data-row]").all_inner_texts()[:2]:
        hands.check(page.get_by_label(f"Select {title}", exact=True))
    hands.press(role("button", name="Reject…"))
    check("2 submissions" in page.locator("h1").inner_text(), f"{who}: sees first how many it changes: {page.locator('h1').inner_text()}")
    hands.choose(page.get_by_label("Reason"), "Spam or advertising")
    hands.press(role("button", name="Reject 2 submissions"))
    check("Done: 2 submissions" in page.content(), f"{who}: rejects both")
    hands.press(role("button", name="Undo for all"))
    check("2 undone" in page.content(), f"{who}: and undoes both at once")

    bulk_entries(daemon, page, hands, who, word)

    page.goto(daemon.url + "/queue")
    hands.press(role("link", name="Statistics", exact=True))
    check(page.locator("figure.chart[role=img]").count() > 0, f"{who}: views the statistics")
    hands.press(page.locator("summary", has_text="Show as table"))
    check(page.locator("table").first.is_visible(), f"{who}: and reads them as a table")
    hands.press(role("link", name="Screening"))
    hands.fill(page.get_by_label("Change description"), f"Tried {who}")
    hands.press(role("button", name="Save and test"))
    check(f"Tried {who}" in page.content(), f"{who}: tests screening rules")


def create_drafts(daemon, word, count):
    for n in range(1, count + 1):
        fields = {"title": f"{word} draft {n}", "body": "<p>Text.</p>", "categories": ["00000000-0000-7000-8000-000000000013"]}
        code, _, error = daemon.command("entry", "create", "-", "--type", "article", stdin=json.dumps(fields))
        if code:
            sys.exit(f"no entry: {error}")


def bulk_entries(daemon, page, hands, who, word):
    """Approves, categorizes and publishes several entries at once, and undoes that."""
    role, word = page.get_by_role, f"many{word}"
    create_drafts(daemon, word, 3)
    url = f"{daemon.url}/entries?type=article&q={word}"
    page.goto(url)
    bar = page.locator(".bulk-bar")
    check(not bar.is_visible(), f"{who}: no bulk action is offered before a selection")
    for title in page.locator("[data-row]").all_inner_texts()[:2]:
        hands.check(page.get_by_label(f"Select {title}", exact=True))
    check(bar.is_visible() and bar.bounding_box()["y"] < page.viewport_size["height"],
          f"{who}: the bar appears with the selection, in sight")
    hands.press(role("button", name="Approve…"))
    check(page.locator("main").inner_text().count("Approve version 1") == 2, f"{who}: reads what happens to each entry")
    hands.press(role("button", name="Approve 2 entries"))
    check("Done: 2 entries." in page.content(), f"{who}: approves both")

    page.goto(url)
    hands.check(page.get_by_label("Select all on this page"))
    hands.press(role("button", name="Publish…"))
    check("1 entry will be skipped." in page.content() and "No version is approved." in page.content(),
          f"{who}: reads why one is skipped")
    hands.press(role("button", name="Publish 2 entries"))
    check("Done: 2 entries, 1 skipped." in page.content(), f"{who}: publishes the others")

    page.goto(url)
    hands.check(page.get_by_label("Select all on this page"))
    hands.check(page.locator("[data-all]"))
    hands.press(role("button", name="Change categories…"))
    added = page.locator("#added")
    name = added.locator("label").nth(1).inner_text().strip()
    hands.check(added.locator("input").nth(1))
    hands.choose(page.get_by_label("Entries that are published"), "Publish now")
    hands.press(role("button", name="Preview changes"))
    check(page.locator("main").inner_text().count(f"→ Unsorted, {name}") == 3, f"{who}: previews the categories of each entry")
    hands.press(role("button", name="Change categories of 3 entries"))
    check("Done: 3 entries." in page.content() and "Saved as a draft" in page.content(), f"{who}: adds a category to all")
    hands.press(role("button", name="Undo for all"))
    check("3 undone" in page.content(), f"{who}: and undoes it at once")


def sign_in_link(daemon):
    code, out, error = daemon.command("sign-in-link", "create", "admin@vitrine.example", "--json")
    if code:
        sys.exit(f"no link: {error}")
    return daemon.url + "/login/" + json.loads(out)["sign_in_url"].rsplit("/", 1)[1]


# Targets smaller than 24 by 24 CSS pixels, except where WCAG 2.5.8 allows it: in a sentence, or with enough spacing.
SMALL = """() => {
    const targets = [...document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden])")]
        .filter((e) => e.checkVisibility() && !e.closest("details:not([open]) > :not(summary)"))
    const box = (e) => {
        const own = e.getBoundingClientRect(), label = e.matches("[type=checkbox], [type=radio]") && e.closest("label")
        return label ? label.getBoundingClientRect() : own
    }
    const boxes = targets.map(box)
    return targets.filter((e, i) => {
        const b = boxes[i]
        if (b.width === 0 || b.height === 0 || (b.width >= 23.9 && b.height >= 23.9)) return false
        if (e.matches("a") && getComputedStyle(e).display === "inline" && e.parentElement.textContent.trim() !== e.textContent.trim()
            && e.closest("p, li, dd, td, span")) return false
        const [x, y] = [b.left + b.width / 2, b.top + b.height / 2]
        return boxes.some((o, j) => j !== i && !e.contains(targets[j]) && o.width > 0 && (
            Math.hypot(Math.max(o.left - x, 0, x - o.right), Math.max(o.top - y, 0, y - o.bottom)) < 12))
    }).map((e) => `${e.tagName} ${(e.getAttribute("aria-label") || e.name || e.textContent).trim().slice(0, 40)} ` +
        `${Math.round(box(e).width)}x${Math.round(box(e).height)}`)
}"""

# Content lost in a narrow window: a page that scrolls sideways, or clipped text that can't be scrolled to. Lists shorten excerpts and
# reasons, which are whole on the page of the submission. Some text is only for those who listen.
LOST = """() => {
    const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth ? ["the page"] : []
    return wide.concat([...document.querySelectorAll("main *")].filter((e) => {
        const style = getComputedStyle(e)
        return e.checkVisibility() && ["hidden", "clip"].includes(style.overflowX) && e.scrollWidth > e.clientWidth + 1
            && !e.matches("select, input, textarea, svg, svg *, .excerpt, p:has(> .reason), .visually-hidden, .cards > thead")
    }).map((e) => `${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 40)}`))
}"""

MOVING = """() => [...document.querySelectorAll("*")].filter((e) => {
    const style = getComputedStyle(e)
    return style.animationName !== "none" || style.transitionDuration.split(", ").some((t) => parseFloat(t) > 0)
        || style.scrollBehavior === "smooth"
}).map((e) => e.tagName)"""

PATHS = ["/", "/queue", "/queue?snoozed=1", "/queue?q=nothing-has-this", "/queue/statistics", "/screening", "/screening/1",
         "/review-stages", "/entries"]


def measure(daemon, browser, folder):
    """Checks what axe does not, on the review pages in three widths."""
    daemon.command("import", "feed", "-", "--origin", "measured", stdin=feed_document("measured", 4))
    for name, width in (("wide", 1440), ("phone", 375), ("narrow", 320)):
        context = browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce")
        page = context.new_page()
        page.goto(sign_in_link(daemon))
        page.get_by_role("button", name="Sign in").click()
        page.goto(daemon.url + "/queue?q=measured")
        urls = [daemon.url + path for path in PATHS]
        urls.append(daemon.url + page.locator("[data-row]").first.get_attribute("href"))
        page.locator("[data-select]").first.check()
        page.get_by_role("button", name="Approve…").click()
        urls.append(page.url)
        for action in ("Publish…", "Change categories…", "Add to release…"):
            page.goto(daemon.url + "/entries?type=article")
            page.locator("[data-select]").first.check()
            page.get_by_role("button", name=action, exact=True).click()
            urls.append(page.url)
        small, lost, moving = [], [], []
        for url in urls:
            page.goto(url)
            for details in page.locator("main details").all():
                details.evaluate("e => { e.open = true }")
            path = url.split("/", 3)[-1]
            small += [f"{path}: {what}" for what in page.evaluate(SMALL)]
            lost += [f"{path}: {what}" for what in page.evaluate(LOST)]
            moving += [f"{path}: {what}" for what in page.evaluate(MOVING)]
            if folder:
                page.screenshot(path=os.path.join(folder, f"review-{path.split('?')[0].replace('/', '-')[:24]}-{name}.png"), full_page=True)
        check(not small, f"W2: targets are 24 px or have enough spacing, {name}: {small[:8]}")
        check(not lost, f"W2: no content is lost, {name}: {lost[:8]}")
        check(not moving, f"W2: nothing moves with reduced motion, {name}: {moving[:8]}")
        context.close()


def check_density(daemon, browser):
    """Rows that are wholly in view on a laptop, as they are when nothing is chosen."""
    daemon.command("import", "feed", "-", "--origin", "dense", stdin=feed_document("dense", 20))
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(sign_in_link(daemon))
    page.get_by_role("button", name="Sign in").click()
    page.goto(daemon.url + "/queue")
    page.evaluate("document.fonts.ready")
    rows = page.evaluate("[...document.querySelectorAll('.rows > li')].filter((e) => e.getBoundingClientRect().bottom <= innerHeight).length")
    check(rows >= 15, f"{rows} rows of the queue are in view at 1440x900 (at least 15)")
    page.context.close()


SIMILAR = "<p>The path follows the old canal from the weir to the mill. In spring the herons stand where the water was let out.</p>"


def compare(daemon, browser, shots):
    """Similar submissions are compared below their rows, by keyboard and pointer; without JavaScript, and when that fails, on a page."""
    ids = []
    for title in ("Along the old canal", "Along an old canal", "Along this old canal"):
        code, sent = daemon.post("/v1/submissions", {
            "type": "article", "contributor": "m.okafor", "fields": {"title": title, "body": SIMILAR}})
        check(code == 201, f"a contributor sends “{title}”: {code}")
        ids.append(sent["id"])
    wait(lambda: daemon.sql("select count(*) from curation.similarity where subject_id = any(%s::uuid[])", [ids]) == [(3,)],
         "all are compared with others")
    review = f"{daemon.url}/queue/{ids[2]}"

    def link(page, title):
        return page.get_by_role("link", name=f"Compare with {title}", exact=True)

    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(sign_in_link(daemon))
    plain.get_by_role("button", name="Sign in").click()
    plain.goto(review)
    link(plain, "Along the old canal").click()
    check(plain.url == f"{review}/similar/{ids[0]}" and plain.locator("h1").inner_text() == "Compare",
          "without JavaScript, the comparison is a page")

    page = browser.new_context(viewport={"width": 1440, "height": 900}, storage_state=plain.context.storage_state()).new_page()
    errors = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(review)
    first, second = link(page, "Along the old canal"), link(page, "Along an old canal")
    panel = page.locator(".comparison")

    def ready(link):
        """The link once the script is loaded."""
        return link.and_(page.locator("[aria-expanded=false]"))

    ready(first).focus()
    page.keyboard.press("Enter")
    panel.wait_for()
    check(page.url == review and panel.evaluate("e => e === document.activeElement && e.parentElement.matches('li')"),
          "the comparison opens below its row and gets the focus")
    check(panel.get_attribute("aria-label") == "Compare with Along the old canal" and first.get_attribute("aria-expanded") == "true"
          and panel.locator("del", has_text="the").count() > 0 and panel.locator("ins", has_text="this").count() > 0,
          "it is named by its link and shows the differences")
    check(panel.locator("#comparison-other").is_visible() and not panel.locator("#comparison-mine").is_visible(),
          "the other text is below, and the one under review stands beside it")
    if shots:
        page.screenshot(path=os.path.join(shots, "review-comparison.png"), full_page=True)
    for width in (1440, 320):
        page.set_viewport_size({"width": width, "height": 800})
        lost = page.evaluate(LOST)
        check(not lost and panel.evaluate("e => e.scrollWidth <= e.clientWidth"), f"W2: it fits its row at {width} px: {lost}")
    page.set_viewport_size({"width": 1440, "height": 900})
    panel.focus()
    page.keyboard.press("Escape")
    check(panel.count() == 0 and first.evaluate("e => e === document.activeElement") and first.get_attribute("aria-expanded") == "false",
          "Escape closes it and gives the focus back")
    first.click()
    panel.wait_for()
    second.click()
    page.locator(".comparison[aria-label='Compare with Along an old canal']").wait_for()
    check(panel.count() == 1 and page.locator("#comparison").count() == 1 and first.get_attribute("aria-expanded") == "false",
          "another one replaces it")
    panel.get_by_role("button", name="Close comparison").click()
    check(panel.count() == 0 and second.evaluate("e => e === document.activeElement"), "a button closes it")
    second.click()
    panel.wait_for()
    second.click()
    check(panel.count() == 0, "so does its link")
    with page.context.expect_page() as opened:
        first.click(modifiers=["Control"])
    opened.value.wait_for_url(f"**/similar/{ids[0]}")
    check(page.url == review and panel.count() == 0, "with Ctrl, it opens in another tab")
    opened.value.close()
    check(not errors, f"S20: the policy of the page allows it: {errors}")

    page.route("**/similar/*", lambda route: route.abort() if route.request.resource_type == "xhr" else route.continue_())
    first.click()
    page.wait_for_url(f"**/similar/{ids[0]}")
    check(page.locator("h1").inner_text() == "Compare", "when it can't be loaded, its page opens")
    page.unroute_all()
    page.go_back()
    ready(first).click()
    panel.wait_for()
    panel.get_by_role("button", name="Mark as duplicate of “Along the old canal”").click()
    page.locator(".flash").wait_for()
    check("duplicate" in page.locator(".flash").inner_text()
          and daemon.sql("select verdict from curation.decision where submission_id = %s", [ids[2]]) == [("duplicate",)],
          "a duplicate is marked in place")
    page.context.close()
    plain.context.close()


def check_phone(daemon, browser):
    """Lists on a phone, without JavaScript: filters are folded, rows are cards, and a bulk action is confirmed above its list."""
    create_drafts(daemon, "handy", 12)
    page = browser.new_context(java_script_enabled=False, viewport={"width": 375, "height": 800}).new_page()
    page.goto(sign_in_link(daemon))
    page.get_by_role("button", name="Sign in").click()
    for path in ("/queue?type=article", "/entries?type=article&state=draft&q=handy", "/audit?action=session"):
        page.goto(daemon.url + path)
        fold, filters = page.locator("main summary", has_text="Filters: 1"), page.locator("form.filter select").first
        check(fold.is_visible() and not filters.is_visible(), f"{path}: filters are folded on a phone, with their number")
        fold.click()
        check(filters.is_visible(), f"{path}: and shown when they are asked for")
        fold.click()
        page.set_viewport_size({"width": 1280, "height": 800})
        check(filters.is_visible() and not fold.is_visible(), f"{path}: on a wide screen they are always there")
        page.set_viewport_size({"width": 375, "height": 800})

    page.goto(daemon.url + "/feeds")
    row = page.get_by_role("table", name="Feeds by name").get_by_role("row").nth(1)
    named = row.get_by_role("cell").evaluate_all("""(cells) => cells.map((cell) =>
        [getComputedStyle(cell, "::before").content === "none" ? "" : cell.dataset.column, cell.innerText.trim(), Math.round(cell.getBoundingClientRect().right)])""")
    columns = ["Access", "Filled by", "Order", "Position in Discover", "After approval", "Published items", "Offline"]
    check([name for name, _, _ in named] == columns and "Items" in named[1][1], f"each cell of a row names its column: {named}")
    heading, first = row.get_by_role("rowheader").bounding_box(), row.get_by_role("cell").nth(1).bounding_box()
    check(first["y"] >= heading["y"] + heading["height"] - 1 and all(right <= 375 for _, _, right in named),
          f"the cells are below the name and in view: {heading} {first}")

    page.goto(daemon.url + "/entries?type=article&state=draft&q=handy")
    page.get_by_label("Select all on this page").check()
    bar = page.locator(".bulk-bar").bounding_box()
    buttons = [button.bounding_box() for button in page.locator(".bulk-bar button").all()]
    check(bar["y"] + bar["height"] <= 801 and bar["height"] < 260 and all(box["x"] + box["width"] <= 375 for box in buttons),
          f"all bulk actions are in view: {bar} {buttons}")
    page.get_by_role("button", name="Approve…").click()
    confirm, items = page.get_by_role("button", name="Approve 12 entries").bounding_box(), page.locator("#items").bounding_box()
    check(confirm["y"] + confirm["height"] <= items["y"], f"a bulk action is confirmed above its list: {confirm} {items}")
    page.context.close()


def check_stability(daemon, browser):
    """New submissions update the counts and move nothing under the pointer, neither rows nor tabs."""
    for name, width in (("wide", 1280), ("phone", 375)):
        context = browser.new_context(viewport={"width": width, "height": 800})
        page = context.new_page()
        page.goto(sign_in_link(daemon))
        page.get_by_role("button", name="Sign in").click()
        page.goto(daemon.url + "/queue")
        check(has_typeface(page), f"the queue is shown in the typeface of the admin, {name}")
        watch_shifts(page)
        top = "() => document.querySelector('[data-row]').getBoundingClientRect().top"
        before = page.evaluate(top)
        daemon.command("import", "feed", "-", "--origin", "still-" + name, stdin=feed_document("still" + name, 2))
        page.locator("[data-count-of=new]").wait_for(state="visible")
        after = page.evaluate(top)
        moved = shifts(page)
        check(before == after and not moved, f"nothing moves when submissions arrive, {name}: {before} {after} {moved}")
        context.close()


def main():
    options = read_options(__doc__)
    if options.shots:
        os.makedirs(options.shots, exist_ok=True)
    daemon = Daemon(os.path.abspath(options.program), os.path.join(folder(), "data"))
    with browser() as chromium:
        page = chromium.new_context(java_script_enabled=False).new_page()
        journey(daemon, page, Pointer(page), "by pointer without JavaScript", "pointer")
        for has_script, who in ((False, "by keyboard without JavaScript"), (True, "by keyboard with JavaScript")):
            page = chromium.new_context(
                java_script_enabled=has_script, viewport={"width": 1440, "height": 900}).new_page()
            hands = Keyboard(page)
            journey(daemon, page, hands, who, "tabs" if has_script else "keyboard")
            check(hands.stops > 100 and not hands.unseen,
                  f"W2: {who}: the focus is visible at {hands.stops} stops: {sorted(hands.unseen)[:8]}")
        measure(daemon, chromium, options.shots)
        compare(daemon, chromium, options.shots)
        check_density(daemon, chromium)
        check_phone(daemon, chromium)
        check_stability(daemon, chromium)
    check(daemon.stop() == 0, "R7: SIGTERM ends with 0")
    finish()


if __name__ == "__main__":
    main()
