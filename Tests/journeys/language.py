#!/usr/bin/env python3
"""Every text of pages and help comes from the message catalog, and longer texts fit.

    language.py --program .build/debug/vitrine [--shots FOLDER]

Starts a daemon in a language that `scripts/messages.py --pseudo` makes: accents on every text, a third longer. Visits one
page of each kind that links lead to and looks for texts without accents that are not content, and for elements that do not
fit. Then the pages of contributors, in the language of a submission form, at a daemon whose language is English. Prints a line
per check; ends with "N passed, N failed".
"""
import os
import re
import subprocess
import sys
import time
import urllib.parse

from playwright.sync_api import Error

from checks import check, finish, read_options
from patience import browser
from run import Daemon
from submission_forms import SHORTEST
from workspace import ROOT, folder

LANGUAGE = "en-XA"

# What people wrote, names of things in programs, and times are no texts of Vitrine. Menus and lists of choices show both.
CONTENT = ("[dir=auto], [translate=no], bdi, code, kbd, pre, samp, time, script, style, textarea, option, "
           ".checkbox-list label, optgroup")

UNTRANSLATED = """content => {
    const found = []
    const isEnglish = text => /[a-z]{3}/i.test(text) && !/[áçéíłñóřšúýÁÇÉÍŁÑÓŘŠÚÝ]/.test(text)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
        const node = walker.currentNode
        if (isEnglish(node.data) && !node.parentElement.closest(content)) found.push(node.data.trim())
    }
    const written = new Set([...document.querySelectorAll("[dir=auto]")].map(element => element.textContent.trim()))
    for (const name of ["aria-label", "title", "placeholder"])
        for (const element of document.querySelectorAll(`[${name}]`))
            if (isEnglish(element.getAttribute(name)) && !element.closest(content)
                && !written.has(element.getAttribute(name)))
                found.push(`${name}: ${element.getAttribute(name)}`)
    return [...new Set(found)]
}"""

CLIPPED = """() => {
    const found = document.documentElement.scrollWidth > document.documentElement.clientWidth ? ["the page"] : []
    for (const element of document.querySelectorAll("button, .button, .tag, label, th, h1, h2"))
        if (element.offsetParent && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
            && getComputedStyle(element).display !== "inline") found.push(element.innerText.trim())
    return found
}"""


def pattern(url):
    """The kind of page: its path with * for ids and numbers."""
    path = urllib.parse.urlsplit(url).path
    return re.sub(r"(?<=/)([0-9a-f]{8}-[0-9a-f-]{27}|\d+)(?=/|$)", "*", path)


def pages(daemon, page):
    """Visits one page of each kind; yields its kind."""
    waiting, seen = [daemon.url + "/"], set()
    while waiting:
        url = waiting.pop(0)
        if pattern(url) in seen:
            continue
        seen.add(pattern(url))
        try:
            response = page.goto(url)
        except Error as error:
            if "Download is starting" not in error.message:
                raise
            continue
        if not response or "html" not in response.headers.get("content-type", ""):
            continue
        seen.add(pattern(page.url))
        links = page.eval_on_selector_all("a[href]", "links => links.map(link => link.href)")
        waiting += [link for link in links if link.startswith(daemon.url) and "/v1/" not in link]
        yield pattern(url)


def examine(page, kind, shots):
    """The page that is shown: its language, its texts, and whether they fit."""
    language = page.evaluate("document.documentElement.lang")
    check(language == LANGUAGE, f"{kind} says its language: {language}")
    missing = page.evaluate(UNTRANSLATED, CONTENT)
    check(not missing, f"{kind} is translated {missing[:12]}")
    clipped = page.evaluate(CLIPPED)
    check(not clipped, f"{kind} fits a phone with longer texts {clipped[:4]}")
    if shots:
        name = kind.strip("/").replace("/", "-").replace("*", "x") or "home"
        page.screenshot(path=os.path.join(shots, f"language-{name}.png"), full_page=True)


def contributors(program, messages, page, shots):
    """The pages of a submission form, and the status page of what was sent with it."""
    daemon = Daemon(program, os.path.join(folder(), "data"), environment={"VITRINE_MESSAGES_DIR": messages})
    page.goto(daemon.url + "/login")
    check(page.evaluate("document.documentElement.lang") == "en", "pages of the team are in the language of the daemon")
    code, _, error = daemon.command("submission-form", "create", "stories", "--type", "article", "--title", "Hístóříéš",
                                    "--locale", LANGUAGE, "--on")
    check(code == 0, f"a submission form has a language {error.strip()}")
    page.goto(daemon.url + "/submit/stories")
    examine(page, "/submit/stories", shots)
    time.sleep(SHORTEST)
    page.locator("main form > .actions .primary").click()
    page.locator("main > .alert").wait_for()
    examine(page, "/submit/stories with errors", shots)
    page.locator("#field-title").fill("Ñíght")
    page.locator(".ProseMirror").click()
    page.keyboard.type("Ñíght")
    page.locator("#contributor").fill("Máx")
    page.locator("main form > .actions .primary").click()
    link = page.locator(".private-link")
    link.wait_for()
    examine(page, "/submit/stories when sent", shots)
    page.goto(link.inner_text())
    examine(page, "/s/*", shots)


def help_texts(program, environment):
    """Each command's help in the language, without placeholders and examples."""
    overview = subprocess.run([program, "help"], capture_output=True, text=True, env=environment, check=True).stdout
    names = re.findall(r"^  ([a-z][a-z -]*[a-z])  ", overview, re.MULTILINE)
    check(len(names) > 100, f"help lists {len(names)} commands")
    missing = []
    for name in names:
        text = subprocess.run([program, "help", *name.split()], capture_output=True, text=True, env=environment).stdout
        for line in text.splitlines():
            words = re.sub(r"^  \S.*?(  |$)", "", line).strip()
            words = re.sub(r"\[?https?://\S+.*", "", words)
            if re.search("[a-z]{3}", words) and not re.search("[áçéíłñóřšúýÁÇÉÍŁÑÓŘŠÚÝ]", words):
                missing.append(f"{name}: {words}")
    check(not missing, f"help of every command is translated {missing[:5]}")


def main():
    arguments = read_options(__doc__)
    path = folder()
    messages = os.path.join(path, "messages")
    os.makedirs(messages)
    subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "messages.py"), "--program", arguments.program,
                    "--pseudo", messages], check=True)
    settings = {"VITRINE_LANGUAGE": LANGUAGE, "VITRINE_MESSAGES_DIR": messages}
    help_texts(arguments.program, {**os.environ, **settings, "LC_ALL": "en_XA.UTF-8"})
    daemon = Daemon(arguments.program, os.path.join(path, "data"), environment=settings)
    daemon.command("demo", "categories", "places", "routes", "lists")
    with browser() as chromium:
        page = chromium.new_context(color_scheme="light", viewport={"width": 390, "height": 844}).new_page()
        page.goto(daemon.info["sign_in_url"])
        page.locator("main button").first.click()
        count = 0
        for kind in pages(daemon, page):
            count += 1
            examine(page, kind, arguments.shots)
        check(count > 40, f"{count} kinds of pages")
        contributors(arguments.program, messages, page, arguments.shots)
    finish()


if __name__ == "__main__":
    main()
