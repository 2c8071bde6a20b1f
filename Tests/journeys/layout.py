"""What a page does with its layout while somebody looks at it, as the browser reports it."""

WATCH = """async () => {
    await document.fonts.ready
    window.layoutShifts = []
    const named = (node) => node?.nodeType === 1 ? node.tagName.toLowerCase() + (node.className ? "." + node.className : "") : "text"
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
            if (!entry.hadRecentInput) window.layoutShifts.push(...entry.sources.map(({ node }) => named(node)))
    }).observe({ type: "layout-shift" })
}"""
# Shifts are reported with the frame after the one that they are in.
SETTLED = """() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(window.layoutShifts)))))"""
TYPEFACE = """async () => {
    await document.fonts.ready
    return document.fonts.check("16px Inter") && [...document.fonts].some((font) => font.family.includes("Inter") && font.status === "loaded")
}"""


def decision(page, name):
    """What opens the form of a decision on a review page: its link in the bar or, where that has no room, the heading of the form."""
    return page.locator(".decision-bar a:visible, .side > details > summary:visible").filter(has_text=name).first


def watch_shifts(page):
    """Begins once the typeface is there: until then, text may change its size."""
    page.evaluate(WATCH)


def shifts(page):
    """What moved since then without a key or a click."""
    return page.evaluate(SETTLED)


def has_typeface(page):
    """Whether the page is shown in the typeface of the admin, not in one of the system."""
    return page.evaluate(TYPEFACE)
