#!/usr/bin/env python3
"""Takes the screenshots of README.md and the tutorial, following the tutorial in a browser with the demo content.

    screenshots.py --program .build/debug/vitrine

Writes docs/images/*.png, in the size of a small laptop.
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

FOLDER = os.path.join(ROOT, "docs/images")


def take(page, name):
    page.evaluate("document.fonts.ready")
    page.wait_for_load_state("networkidle")
    path = os.path.join(FOLDER, name + ".png")
    Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(path, optimize=True)
    if os.path.getsize(path) > 150_000:
        sys.exit(f"{path} is too large")


def tutorial(page, daemon):
    """The steps of docs/tutorial/first-entry.md that happen in the browser."""
    page.goto(daemon.info["sign_in_url"])
    page.get_by_role("button", name="Sign in").click()
    take(page, "home")
    page.locator("#navigation").get_by_role("link", name="Pending").click()
    take(page, "queue")
    page.get_by_role("link", name="A towpath in four seasons").click()
    page.get_by_label("City guides").first.check()
    page.locator("h1").click()
    take(page, "review")
    page.locator("button[name=verdict][value=approve]").click()
    page.locator(".flash").wait_for()
    take(page, "approved")
    page.goto(daemon.url + "/entries?type=article")
    page.get_by_role("link", name="A towpath in four seasons").click()
    page.get_by_role("link", name="Edit", exact=True).click()
    page.locator(".ProseMirror").wait_for()
    take(page, "editor")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    data = tempfile.mkdtemp(prefix="vitrine-screenshots-", dir="/tmp")
    os.chmod(data, 0o755)
    daemon = Daemon(os.path.abspath(options.program), data)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
            page = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light").new_page()
            tutorial(page, daemon)
            browser.close()
    finally:
        daemon.stop()
        shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    main()
