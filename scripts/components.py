#!/usr/bin/env python3
"""Writes docs/reference/components.md, with an image of each part of pages, from the page /design of `vitrine dev`.

    components.py --program .build/debug/vitrine
"""
import argparse
import io
import os
import shutil
import sys
import tempfile

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "Tests/journeys"))
from run import Daemon  # noqa: E402

FOLDER = os.path.join(ROOT, "docs/images/components")
START = """# Components

The parts of which the pages of the admin consist, as `Templates/static/vitrine.css` defines them. Use these before you write
a style; a page needs none of its own. `vitrine dev` shows them at `/design`, in your color scheme and width.

Written by `scripts/components.py` from that page.
"""


def markdown(html):
    """The description of a part, whose only elements are `code`."""
    text = html.replace("<code>", "`").replace("</code>", "`")
    return text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    data = tempfile.mkdtemp(prefix="vitrine-components-", dir="/tmp")
    os.chmod(data, 0o755)
    daemon = Daemon(os.path.abspath(options.program), data, "--empty")
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    text = START
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
            page = browser.new_context(viewport={"width": 900, "height": 900}, color_scheme="light").new_page()
            page.goto(daemon.info["sign_in_url"])
            page.get_by_role("button", name="Sign in").click()
            page.goto(daemon.url + "/design")
            page.evaluate("document.fonts.ready")
            for part in page.locator("[data-part]").all():
                name, number = part.get_attribute("data-part"), part.get_attribute("id")
                path = os.path.join(FOLDER, number + ".webp")
                image = Image.open(io.BytesIO(part.locator("> :last-child").screenshot()))
                image.save(path, lossless=True, method=6)
                if os.path.getsize(path) > 60_000:
                    sys.exit(f"{path} is too large")
                text += f"\n## {name}\n\n{markdown(part.locator('> p').first.inner_html())}\n\n![{name}](../images/components/{number}.webp)\n"
            browser.close()
    finally:
        daemon.stop()
        shutil.rmtree(data, ignore_errors=True)
    with open(os.path.join(ROOT, "docs/reference/components.md"), "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
