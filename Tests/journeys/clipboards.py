"""Pastes what other programs and pages copy, and images, into the rich-text editor. Used by writing.py.

The samples were written for this test, in the form in which each program writes its clipboard: attributes, styles, comments and
spaces as it does.
"""
import re

from checks import check
from editor import EDITOR, Writer, same, sample
from patience import wait
from policies import png

# What each clipboard becomes, and what is said to be left out.
PASTED = {
    "word-text": (
        '<h2>The lock</h2><p>The water <strong>smokes</strong> before <em>eight</em>, as <strong>always</strong>; the miller says '
        '<span lang="fr">bonjour</span>.</p><p>See <a href="https://example.org/lock">the plan</a>. Or the file, as in chapter 2.</p>'
        '<p dir="rtl"><span lang="he">שלום</span></p>',
        "hidden text and links without a full URL"),
    "word-list": (
        "<h2>What to bring</h2><ul><li>Boots<ul><li>Waterproof<ul><li>Greased</li></ul></li></ul></li><li>A <strong>map</strong></li></ul>"
        "<p>Then:</p><ol><li>Walk</li><li>Rest</li></ol>", ""),
    "word-table": (
        '<table><thead><tr><td><strong>Month</strong></td><td colspan="2"><strong>Visitors</strong></td></tr></thead><tbody>'
        '<tr><td rowspan="2">May</td><td>1,204</td><td></td></tr><tr><td>By <em>boat</em></td><td><p>On foot</p><p>and by bicycle</p></td></tr>'
        "</tbody></table><p>Table 1: by month</p>", ""),
    "word-review": (
        '<p>The weir is old<a id="reference-1" href="#note-1"><sup>1</sup></a> and quite loud.</p>'
        '<p>It was built twice.<a id="reference-2" href="#note-2"><sup>2</sup></a></p>'
        '<ol><li id="note-1">Of 1871, says <em>the miller</em>. <a href="#reference-1">↩</a></li>'
        '<li id="note-2">After the flood. <a href="#reference-2">↩</a></li></ol>',
        "comments, deleted text of tracked changes, and images on your computer"),
    "word-styles": (
        '<h2>Four seasons</h2><p>Do this:</p><ol start="3"><li>Open the gate<ol type="a"><li>by hand<ol type="i"><li>slowly</li></ol></li></ol></li>'
        "<li><p>Close it</p><p>and lock it.</p></li></ol><ol type=\"A\"><li>Another list</li><li>of two</li></ol>"
        "<blockquote><p>In winter the <em>herons</em> own it.</p><p>In spring they don’t.</p></blockquote>"
        '<p>The weir<a id="reference-1" href="#note-1"><sup>1</sup></a> is old. It is loud.</p>'
        '<ol><li id="note-1">Of 1871. <a href="#reference-1">↩</a></li></ol>', ""),
    "word-online": (
        '<h2>The lock</h2><p>It <strong>opens</strong> at ten, see <a href="https://example.org/lock">the plan</a>.</p>'
        '<ul><li>Boots<ul><li>Waterproof</li></ul></li><li>Map</li></ul><ol type="a"><li>Walk</li><li>Rest</li></ol>'
        "<table><tbody><tr><td>Month</td><td>May</td></tr></tbody></table>", ""),
    "outlook": (
        '<p>Hello Robin,</p><p>see <a href="https://example.org/lock?page=2">the plan</a>, and bring:</p>'
        '<ul><li>Boots<ul><li>Waterproof</li></ul></li></ul><ol type="a" start="2"><li>Rest</li></ol>'
        '<p><strong>From:</strong> Robin &lt;<a href="mailto:robin@example.org">robin@example.org</a>&gt; <br><strong>Sent:</strong> 03 May 2026 10:40'
        "<br><strong>Subject:</strong> The lock</p><p>When does it open?</p>", "images without a URL"),
    "outlook-web": (
        "<p>Hello Robin,</p><p>the <strong>lock</strong> opens at <strong>ten</strong>, see "
        '<a href="https://example.org/lock">the plan</a>.</p><ul><li>Boots</li><li>Map</li></ul><hr><p><strong>From:</strong>&nbsp;Robin &lt;'
        '<a href="mailto:robin@example.org">robin@example.org</a>&gt;<br><strong>Sent:</strong>&nbsp;03 May 2026 10:40</p>'
        "<p>When does it open?</p>", "images without a URL"),
    "google-docs": (
        "<h2>By the bridge</h2><p><strong>Bold</strong>, <em>italic</em>, H<sub>2</sub>O, <s>gone</s> and "
        '<a href="https://example.org/heron">a heron</a></p><ul><li>first<ul><li>inner</li></ul></li><li><strong>second</strong></li></ul>'
        "<table><tbody><tr><td><strong>Month</strong></td><td><strong>Visitors</strong></td></tr><tr><td>May</td><td></td></tr></tbody></table>"
        '<p><img src="https://images.example/docsz/lock?key=Qx1" width="320" height="200"></p><p dir="rtl">שלום</p>', ""),
    "google-docs-lists": (
        '<ol start="3"><li>Walk<ol type="a"><li>slowly<ol type="i"><li>by the water</li></ol></li></ol></li><li>Rest</li></ol>'
        "<ul><li><s>☑ Boots</s></li><li>☐ Map</li></ul>", ""),
    "google-sheets": (
        "<table><tbody><tr><td><strong>Month</strong></td><td><strong>Visitors</strong></td></tr><tr><td rowspan=\"2\">May</td><td>1,204</td></tr>"
        '<tr><td><a href="https://example.org/plan">plan</a><br>2 pages</td></tr></tbody></table>', ""),
    "excel": (
        "<table><tbody><tr><td><strong>Month</strong></td><td><strong>Visitors</strong></td></tr><tr><td>May</td><td>1,204</td></tr>"
        "<tr><td><em><s>June</s></em></td><td></td></tr></tbody></table>", ""),
    "web-page": (
        '<p>The same <em>eleven</em> kilometres, once in each season<a id="reference-1" href="#note-1"><sup>1</sup></a>.</p>'
        '<figure><img src="https://example.org/lock.jpg" alt="A lock"><figcaption>The lock</figcaption></figure>'
        '<p><a href="https://www.youtube.com/embed/abc123">The film</a></p><blockquote><p>In winter the herons own it.</p></blockquote>'
        '<p lang="fr">Bonne route</p><ol><li id="note-1">A walker\'s map. <a href="#reference-1">↩</a></li></ol>',
        "scripts, form controls (3), hidden text, links without a full URL, tracking images, and players, which became links"),
    "news-page": (
        '<h2>The lock at dawn</h2><p>By <a href="https://news.example/robin">Robin Vale</a>, '
        '<time datetime="2026-05-03T06:40:00Z">3 May 2026</time></p>'
        '<figure><img src="https://news.example/img/lock-800.jpg" alt="A lock at dawn"><figcaption>The lock. Photo: R. Vale</figcaption></figure>'
        "<p>The water <strong>smokes</strong> before eight. "
        '<a href="https://www.reddit.com/submit?url=https%3A%2F%2Fnews.example%2Flock">Readers</a> send photos.</p>'
        '<figure><img src="https://news.example/img/weir-1200.jpg?w=1200,q=70" alt="The weir, in fog" width="1200" height="800">'
        "<figcaption>The weir Agency</figcaption></figure>",
        "scripts (2), form controls (2), navigation, hidden text, links for sharing (3), and tracking images"),
    "gmail": (
        "<p>Hello Robin,</p><p>the <strong>lock</strong> opens at <strong>ten</strong>; bring:</p><ul><li>Boots</li><li>A map</li></ul>"
        '<p><a href="https://example.org/lock">The plan</a></p><p>On Sun, 3 May 2026 at 10:40, Robin &lt;'
        '<a href="mailto:robin@example.org">robin@example.org</a>&gt; wrote:</p><blockquote><p>When does it open?</p></blockquote>',
        "tracking images"),
    "notion": (
        '<h2>The lock</h2><p>It <strong>opens</strong> at <em>ten</em>, see <a href="https://example.org/lock">the plan</a>.</p>'
        "<ul><li>Boots<ul><li>Waterproof</li></ul></li><li>Map</li></ul><p>💡 Greased twice a year</p>"
        "<blockquote><p>In winter the herons own it.</p></blockquote>", ""),
    "libreoffice": (
        '<h3>Four seasons</h3><p><strong>Spring</strong> and <u>summer</u><a id="reference-1" href="#note-1"><sup>1</sup></a></p>'
        '<ol><li>one</li><li>two</li></ol><p><span lang="fr-FR">Bonne route</span>, new friend</p>'
        "<table><thead><tr><th>Season</th><th>Days</th></tr></thead><tbody><tr><td>Winter</td><td>90</td></tr></tbody></table>"
        '<ol><li id="note-1">By the <em>almanac</em> <a href="#reference-1">↩</a></li></ol>',
        "deleted text of tracked changes and images on your computer"),
    "libreoffice-lists": (
        "<h2>The lock</h2><p>It <strong>opens</strong> at <em>ten</em><strong>,</strong> see "
        '<a href="https://example.org/lock">the plan</a><a id="reference-1" href="#note-1"><sup>1</sup></a></p>'
        '<ul><li>Boots<ul><li>Waterproof</li></ul></li><li>Map</li></ul><ol type="i" start="3"><li>Walk</li><li value="9">Rest</li></ol>'
        "<dl><dt>Lock</dt><dd>A gate</dd></dl><pre>one\n  two</pre>"
        '<ol><li id="note-1">Of 1871 <a href="#reference-1">↩</a></li></ol>', ""),
    "apple-notes": (
        "<p><strong>The lock</strong></p><p>It opens at <em>ten</em>, see <a href=\"https://example.org/lock\">the plan</a>:</p>"
        "<ul><li>Boots<ul><li>Waterproof</li></ul></li><li>Map</li></ul><ol><li>Walk</li><li>Rest</li></ol>",
        "images on your computer"),
    "pages": (
        "<p><strong>Bold, but for </strong><em><strong>some</strong></em> words, <u>underlined</u> and <s>struck</s>, <em>aslant</em>, "
        '12 m<sup>2</sup>, <a href="https://example.org/lock">a lock</a>, a fontt.</p><ul><li>Boots</li><li>Map</li></ul>'
        "<table><tbody><tr><td>Month</td><td>May</td></tr></tbody></table><p><em>All of it</em> but this</p><h3>Heading</h3>", ""),
}


def renumbered(html):
    """With the ids of footnotes from 1 on: the editor gives each new one another."""
    numbers = {}
    return re.sub(r"\b(note|reference)-(\d+)", lambda match: f"{match[1]}-{numbers.setdefault(match[2], len(numbers) + 1)}", html)


def pastes(world):
    """What each program copies becomes plain elements, and what is left out is named below the editor."""
    writer = Writer(world)
    writer.open("/entries/new?type=article")
    told = writer.page.locator(".rich-text-left [role=status]").first
    for name, (expected, left) in PASTED.items():
        writer.paste(sample(f"clipboards/{name}.html"))
        same(expected, renumbered(writer.html()), f"pasted: {name}")
        text = told.inner_text()
        check(text == (f"Not pasted: {left}." if left else ""), f"and what is left out is named: {text or 'nothing'}")
    writer.page.get_by_text(re.compile(r"^Saved \d")).wait_for()
    writer.paste(sample("clipboards/word-review.html"))
    writer.press("Control+Home")
    writer.give("paste", sample("clipboards/libreoffice.html"))
    check(writer.html().count("<ol>") == 2 and [text.inner_text() for text in writer.editor.locator("sup").all()] == ["1", "2", "3"],
          "footnotes of two texts are numbered together, in one list")
    writer.press("Control+a", "Control+x")
    check(writer.html() == "", "all is cut")
    writer.press("Control+v")
    html = writer.html()
    check(html.count("<li id=") == 3 and html.count("↩") == 3, "and pasted again with its footnotes")
    writer.open("/entries/new?type=article")
    check(not writer.errors, f"pasting causes no errors in the console {writer.errors}")


def undescribed(writer):
    """Images without alternative text are marked, and counted below the text; one button leads from each to the next."""
    page = writer.page
    line, dialog = page.locator(".rich-text-undescribed").first, page.locator("dialog[open]")
    writer.paste("<figure><img src='https://images.example/a.jpg'><figcaption>A</figcaption></figure><p>Between</p>"
                 "<figure><img src='https://images.example/b.jpg' alt='Described'></figure>"
                 "<figure><img src='https://images.example/c.jpg' alt=' '></figure>")
    check("2 images without alternative text" in line.inner_text(), f"images without alternative text are counted: {line.inner_text()}")
    marks = page.locator(f"{EDITOR} figure").evaluate_all("all => all.map((figure) => getComputedStyle(figure, '::after').content)")
    check([mark.strip('"') for mark in marks] == ["Alternative text missing", "none", "Alternative text missing"], f"and marked in the text {marks}")
    for text, left in (("A tower", "1 image without alternative text"), ("A tree", None)):
        line.get_by_role("button", name="Add alternative text").press("Enter")
        dialog.locator("[name=alt]").fill(text)
        page.get_by_role("button", name="Apply").last.click()
        dialog.wait_for(state="detached")
        check(left in line.inner_text() if left else line.is_hidden(), f"each is described: {text}")
    html = writer.html()
    check(all(f'alt="{text}"' in html for text in ("A tower", "Described", "A tree")) and "undescribed" not in html,
          f"the marks are not part of the text {html}")


def images(world):
    """Several images are dropped at once; an image that was copied from a page is added to the library."""
    writer = Writer(world)
    page = writer.page
    writer.open("/entries/new?type=article")
    writer.paste("<p>Before</p><p>After</p>")
    dialog, lines = page.locator("dialog[open]"), page.locator(".rich-text-several li")
    writer.give("drop", files=[("bridge.png", png(610, 400)), ("weir.png", png(620, 400)), ("mill.png", png(630, 400))])
    wait(lambda: lines.count() == 3, "three images are dropped into the text at once")
    for number, text in enumerate(("The bridge", "The weir", "The mill")):
        line = lines.filter(has=page.get_by_role("button", name=f"Remove: {text.split()[1]}"))
        check(line.count() == 1, f"each asks for its texts: {text}")
        line.get_by_label("Alternative text").fill(text)
    lines.first.get_by_label("Caption (optional)").fill("First")
    page.get_by_role("button", name="Remove: mill").click()
    page.get_by_role("button", name="Insert", exact=True).click()
    dialog.wait_for(state="detached")
    figures = re.findall(r'<figure><img src="/media/[^"]+" alt="([^"]*)"', writer.html())
    check(sorted(figures) == ["The bridge", "The weir"] and writer.html().count("<figcaption>First</figcaption>") == 1,
          f"and those that stay are inserted together: {figures}")
    writer.press("Control+z")
    check("<figure>" not in writer.html(), "undo takes both away")

    writer.paste('<meta charset="utf-8"><img src="https://images.example/tower.jpg" alt="A tower &amp; a tree">',
                 [("image.png", png(640, 410))])
    page.locator(".rich-text-found [aria-pressed=true]").wait_for()
    check(dialog.locator("[name=alt]").input_value() == "A tower & a tree", "a copied image keeps its alternative text")
    page.get_by_role("button", name="Insert", exact=True).click()
    dialog.wait_for(state="detached")
    html = writer.html()
    check('src="/media/' in html and "images.example" not in html, "and is added to the library instead of being linked")
    writer.paste('<p>Words and <img src="https://images.example/tower.jpg" alt=""></p>', [("image.png", png(640, 410))])
    check(dialog.count() == 0 and "Words and" in writer.html(), "a text with an image is pasted as a text")
    undescribed(writer)

    page.get_by_role("button", name="Image", exact=True).click()
    dialog.locator("[name=alt]").fill("x" * 490)
    check(dialog.get_by_text("10 characters left", exact=True).is_visible(), "the characters left for an alternative text are shown")
    dialog.get_by_role("button", name="Cancel").click()
    dialog.wait_for(state="detached")
    check(page.evaluate(f"document.activeElement.matches('{EDITOR}')"), "Cancel leads back to the text")
    page.get_by_role("button", name="Image", exact=True).click()
    page.get_by_label("Or add files").set_input_files([{"name": "gate.png", "mimeType": "image/png", "buffer": png(650, 410)}])
    page.locator(".rich-text-found [aria-pressed=true]").wait_for()
    dialog.locator("[name=alt]").click()
    page.keyboard.type("A gate that was closed too early")
    check(not writer.errors, f"no errors in the console {writer.errors}")
    page.close(run_before_unload=True)
    wait(lambda: world.page.title() is not None
         and world.daemon.sql("select count(*) from ops.media where alt = 'A gate that was closed too early'")[0][0] == 1,
         "the text of an added image is kept with it when the tab is closed before it is inserted")
