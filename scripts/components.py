#!/usr/bin/env python3
"""Writes docs/reference/components.md from the template of the page /design, with an image of each part from `vitrine dev`.

    components.py --program .build/debug/vitrine
    components.py --check

With --check it needs neither program nor browser, writes nothing, and fails if the text differs or an image is missing.
"""
import argparse
import html
import io
import os
import re
import shutil
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TEMPLATE = os.path.join(ROOT, "Templates/admin/design/show.html")
PAGE = os.path.join(ROOT, "docs/reference/components.md")
FOLDER = os.path.join(ROOT, "docs/images/components")
START = """# Components

The parts of which the pages of the admin consist, as `Templates/static/vitrine.css` defines them. Use these before you write
a style; a page needs none of its own. `vitrine dev` shows them at `/design`, in your color scheme and width.

Written by `scripts/components.py` from that page.
"""
PART = re.compile(r'<section id="([a-z-]+)" data-part="([^"]+)"><h2>[^<]+</h2>\s*<p>(.*?)</p>', re.DOTALL)


def markdown(text):
    """The description of a part, whose only elements are `code`."""
    text = html.unescape(re.sub(r"</?code>", "`", text))
    if "<" in text:
        sys.exit(f"only <code> is allowed in a description: {text}")
    return text


def parts():
    """The id, the name and the description of each part."""
    with open(TEMPLATE, encoding="utf-8") as file:
        text = file.read()
    found = PART.findall(text)
    if len(found) != text.count("data-part="):
        sys.exit(f"{TEMPLATE}: each part is a section with id, data-part, a heading and a paragraph")
    return found


def reference():
    return START + "".join(
        f"\n## {name}\n\n{markdown(description)}\n\n![{name}](../images/components/{id}.webp)\n" for id, name, description in parts())


def check():
    names = {f"{id}.webp" for id, _, _ in parts()}
    images = set(os.listdir(FOLDER)) if os.path.isdir(FOLDER) else set()
    with open(PAGE, encoding="utf-8") as file:
        differs = file.read() != reference()
    if differs or names != images:
        sys.exit("docs/reference/components.md or its images differ from /design. "
                 f"Run scripts/components.py. {' '.join(sorted(names ^ images))}".rstrip())


def take(program, chromium):
    """An image of each part, in the folder of images."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, os.path.join(ROOT, "Tests/journeys"))
    from run import Daemon

    data = tempfile.mkdtemp(prefix="vitrine-components-", dir="/tmp")
    os.chmod(data, 0o755)
    daemon = Daemon(os.path.abspath(program), data, "--empty")
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            page = browser.new_context(viewport={"width": 900, "height": 900}, color_scheme="light").new_page()
            page.goto(daemon.info["sign_in_url"])
            page.get_by_role("button", name="Sign in").click()
            page.goto(daemon.url + "/design")
            page.evaluate("document.fonts.ready")
            for id, _, _ in parts():
                path = os.path.join(FOLDER, id + ".webp")
                image = Image.open(io.BytesIO(page.locator(f"#{id} > :last-child").screenshot()))
                image.save(path, lossless=True, method=6)
                if os.path.getsize(path) > 60_000:
                    sys.exit(f"{path} is too large")
            browser.close()
    finally:
        daemon.stop()
        shutil.rmtree(data, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, ".build", "debug", "vitrine"))
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        return check()
    take(options.program, options.chromium)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(reference())


if __name__ == "__main__":
    main()
