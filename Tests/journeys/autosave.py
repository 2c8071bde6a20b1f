#!/usr/bin/env python3
"""Types random words into the form of an article, is interrupted at random, and finds every word again.

    autosave.py --program .build/debug/vitrine [--count 100] [--seed 7]

The interruptions: no network, a session deleted in the database, a daemon killed (SIGKILL) and restarted, a reload, a closed tab,
a crashed tab, and saving the form. After a crash every word that was typed at least 3 seconds before is there; after everything
else every word is. Then checks what surrounds it: signing in again as somebody else, with a second tab, and without JavaScript.
Prints a line per check; ends with "N passed, N failed".
"""
import argparse
import os
import random
import signal
import sys
import time
import urllib.request

import checks
import run
from checks import check, finish
from patience import browser, pause, seconds, wait
from run import Daemon
from workspace import folder, port, start

EMAIL, PASSWORD = "writer@example.org", "nine velvet otters sing"
OTHER, INTERRUPTED = "other@example.org", "interrupted@example.org"
NEW = "/entries/new?type=article"


class Server:
    """`vitrine serve` on the database of `vitrine dev`, which can be killed."""

    def __init__(self, program, daemon, data, folder):
        # Reserved, because the daemon comes back at the same URL.
        self.port = port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.program, self.log, self.daemon = program, os.path.join(folder, "serve.log"), daemon
        self.environment = {**os.environ, "DATABASE_URL": daemon.info["database_url"], "VITRINE_DATA_DIR": data}
        self.start()

    def start(self):
        with open(self.log, "a") as log:
            self.process = start([self.program, "serve", "--port", str(self.port)], env=self.environment, stdout=log, stderr=log)
        if not wait(lambda: urllib.request.urlopen(self.url + "/readyz", timeout=seconds(2)).close() is None, "the daemon is ready"):
            with open(self.log) as log:
                sys.exit(log.read()[-2000:])

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def sql(self, statement):
        """The first value of the first row, if there is one, as text."""
        rows = self.daemon.sql(statement)
        return str(rows[0][0]) if rows else ""

    def has_saved(self, text):
        return self.sql(f"select count(*) from ops.autosave where fields::text like '%{text}%'") != "0"


def sign_in(page, server, email=EMAIL):
    page.goto(server.url + "/login")
    page.locator("#username").fill(email)
    page.locator("#password").fill(PASSWORD)
    page.locator("button.primary").click()
    page.wait_for_url(server.url + "/")


class Writer:
    """Types words into the text of an article and remembers them."""

    def __init__(self, server, browser, numbers):
        self.server, self.numbers = server, numbers
        self.context = browser.new_context()
        self.messages = []
        self.context.on("console", lambda message: self.messages.append(message.text))
        self.page = self.context.new_page()
        self.form = NEW
        self.typed = []  # words and when they were typed
        self.number = self.interruptions = self.checked = 0
        self.lost_after_crash = 0
        sign_in(self.page, server, INTERRUPTED)
        self.open()
        self.title()

    # MARK: Typing

    def open(self):
        self.page.goto(self.server.url + self.form)
        self.ready()

    def ready(self):
        """The script may have sent text of the tab and be opening the form again."""
        try:
            self.page.wait_for_function(
                "() => document.querySelector('[data-autosave]') && document.querySelector('.rich-text-body')"
                " && !document.querySelector('#edit > [inert]')"
                " && document.querySelector('#autosave-texts [data-text=restoring]').textContent"
                " !== document.querySelector('[data-autosave] [role=status]').textContent")
        except Exception:
            print("the page:", self.page.url, self.page.evaluate(
                "[document.title, document.querySelector('[data-autosave] [role=status]')?.textContent,"
                " document.querySelector('.rich-text-body') !== null, document.querySelectorAll('[inert]').length]"), self.messages[-5:])
            raise

    def title(self):
        self.number += 1
        self.page.locator("[name='field.title']").click()
        self.page.keyboard.type(f"Draft {self.number}")
        self.page.locator("[name='field.categories']").first.check()
        self.titled_at = time.monotonic()
        self.focus()

    def focus(self):
        self.page.locator(".rich-text-body").focus()
        pause(self.page)
        self.page.keyboard.press("Control+End")
        pause(self.page)

    def type(self, count):
        self.focus()
        for _ in range(count):
            word = f"w{len(self.typed)}x{self.numbers.randrange(10 ** 6)}"
            # Space at the end of a paragraph means nothing, and isn't kept.
            self.page.keyboard.type(" " + word, delay=self.numbers.choice([0, 0, 5, 20]))
            self.typed.append((word, time.monotonic()))

    def insert(self, count):
        """Types words at once. The dialog of an ended session takes the keyboard, and between two keys a busy machine may be slow."""
        self.focus()
        words = [f"w{len(self.typed) + number}x{self.numbers.randrange(10 ** 6)}" for number in range(count)]
        self.page.keyboard.insert_text(" " + " ".join(words))
        if self.page.evaluate("(word) => document.querySelector('.ProseMirror').innerText.includes(word)", words[-1]):
            self.typed += [(word, time.monotonic()) for word in words]
        else:
            check(self.page.locator("dialog#autosave").is_visible(), "only the dialog of an ended session takes the keyboard")

    def saved(self):
        """Waits until the page knows that the server has everything. While there was no server, it waits longer and longer."""
        self.page.wait_for_function(
            "(word) => Object.entries(sessionStorage).some(([name, value]) =>"
            " name.startsWith('autosave:') && value.includes(word) && JSON.parse(value).isSent)",
            arg=self.typed[-1][0], timeout=1000 * seconds(60))

    # MARK: What is found

    def missing(self):
        text = self.page.locator("textarea[name='field.body']").input_value()
        found = set(text.replace("<", " ").replace(">", " ").split())
        self.checked += len(self.typed)
        return [(word, at) for word, at in self.typed if word not in found]

    def expect_all(self, what):
        missing = self.missing()
        if missing:
            check(False, f"{what}: {len(missing)} of {len(self.typed)} words are missing: {missing[:3]}")
            self.typed = [pair for pair in self.typed if pair not in missing]
        return not missing

    # MARK: Interruptions

    def reload(self):
        self.page.reload()
        self.ready()
        self.expect_all("reload")

    def offline(self):
        self.context.set_offline(True)
        self.type(self.numbers.randint(1, 6))
        self.page.wait_for_timeout(self.numbers.choice([0, 500, 3000]))
        if self.numbers.random() < 0.5:
            try:
                self.page.reload()  # the browser's own error page
            except Exception:
                pass
            self.context.set_offline(False)
            self.open()
        else:
            self.context.set_offline(False)
            self.type(1)
            self.saved()
            self.reload()
        self.expect_all("no network")

    def killed(self):
        self.server.kill()
        self.type(self.numbers.randint(1, 6))
        self.page.wait_for_timeout(self.numbers.choice([0, 500, 2500]))
        if self.numbers.random() < 0.5:
            try:
                self.page.reload()
            except Exception:
                pass
            self.server.start()
            self.open()
        else:
            self.server.start()
            self.saved()
            self.open()
        self.expect_all("killed daemon")

    def signed_out(self):
        self.server.sql("delete from ops.session")
        self.insert(self.numbers.randint(1, 6))
        self.page.locator("dialog#autosave").wait_for(state="visible")
        with self.context.expect_page() as opened:
            self.page.get_by_role("link", name="Sign in in a new tab").click()
        other = opened.value
        other.locator("#username").fill(INTERRUPTED)
        other.locator("#password").fill(PASSWORD)
        other.locator("button.primary").click()
        other.get_by_role("heading", name="You're signed in").wait_for()
        other.close()
        self.page.bring_to_front()
        self.page.locator("dialog#autosave").wait_for(state="hidden")
        self.saved()
        self.type(2)
        self.reload()
        self.expect_all("ended session")

    def closed(self):
        old, self.page = self.page, self.context.new_page()
        old.close(run_before_unload=True)
        wait(lambda: self.page.title() is not None and old.is_closed(), "the browser doesn't ask about text that is saved")
        wait(lambda: self.server.has_saved(self.typed[-1][0]), "the last text arrives")
        self.open()
        self.expect_all("closed tab")

    def crashed(self):
        self.page.wait_for_timeout(self.numbers.choice([0, 1000, 3000]))
        now = time.monotonic()
        try:
            self.page.goto("chrome://crash")
        except Exception:
            pass
        self.page.close()
        self.page = self.context.new_page()
        self.open()
        missing = self.missing()
        limit = seconds(3)
        old = [word for word, at in missing if at < now - limit]
        check(not old, f"crashed tab: words of more than {limit} s before are missing: {old[:3]}") if old else None
        self.lost_after_crash += len(missing)
        self.typed = [pair for pair in self.typed if pair not in missing]
        # A form that was opened just before the crash may have lost its title, too.
        if not self.page.locator("[name='field.title']").input_value():
            check(False, f"crashed tab: a title of more than {limit} s before is missing") if self.titled_at < now - limit else None
            self.title()

    def save(self):
        """Submits the form and reads the entry."""
        if self.numbers.random() < 0.5:
            self.page.wait_for_timeout(self.numbers.choice([0, 300, 1200]))
        self.page.get_by_role("button", name="Save draft").last.click()
        try:
            self.page.wait_for_url(lambda url: url.rstrip("/").split("/")[-2] == "entries" and "new" not in url)
        except Exception:
            alerts = self.page.locator(".alert, [data-autosave]").all_inner_texts()
            sys.exit(f"the form was not saved: {self.page.url} {alerts}")
        left = self.server.sql("select count(*) from ops.autosave where fields is not null")
        check(left == "0", f"a saved form leaves no text: {left}") if left != "0" else None
        entry = self.page.url.split("/entries/")[1]
        self.form = f"/entries/{entry}/revisions"
        self.open()
        if self.page.get_by_text("Restored what you entered").is_visible():
            check(False, "a saved form is not restored")
        self.expect_all("saved form")
        if len(self.typed) > 150:
            self.typed = []
            self.form = NEW
            self.open()
            check(self.page.locator("textarea[name='field.body']").input_value() == "", "a new form is empty") \
                if self.page.locator("textarea[name='field.body']").input_value() else None
            self.title()

    def interrupt(self):
        self.type(self.numbers.randint(1, 8))
        if self.numbers.random() < 0.3:
            self.page.wait_for_timeout(self.numbers.randint(0, 4000))
        kinds = [self.reload, self.offline, self.killed, self.signed_out, self.closed, self.crashed, self.save]
        # All of them, then at random.
        kind = kinds[self.interruptions] if self.interruptions < len(kinds) else self.numbers.choice(kinds)
        self.interruptions += 1
        started = time.monotonic()
        kind()
        print(f"     {self.interruptions}: {kind.__name__}, {len(self.typed)} words, {time.monotonic() - started:.1f} s", flush=True)


# MARK: What surrounds it

def other_account(server, browser):
    context = browser.new_context()
    page = context.new_page()
    sign_in(page, server)
    page.goto(server.url + NEW)
    page.locator("[name='field.title']").click()
    page.keyboard.type("Mine")
    server.sql("delete from ops.session")
    page.keyboard.type(" alone")
    page.locator("dialog#autosave").wait_for(state="visible")
    other = context.new_page()
    sign_in(other, server, OTHER)
    page.locator("dialog#autosave").get_by_text("You're signed in to another account").wait_for()
    check(True, "signing in to another account is refused with a message")
    stored = server.sql("select count(*) from ops.autosave a join ops.account o on o.id = a.account_id "
                        f"where o.email = '{OTHER}' and a.fields is not null")
    check(stored == "0", "and nothing is saved there")
    other.goto(server.url + NEW)
    check(other.locator("[name='field.title']").input_value() == "", "S14: nor shown there")
    run.sign_out(other)
    sign_in(other, server)
    page.locator("dialog#autosave").wait_for(state="hidden")
    wait(lambda: server.has_saved("Mine alone"), "signed in again, the text is saved")
    other.goto(server.url + "/queue")
    other.locator("summary[aria-label='Your account']").click()
    other.get_by_role("link", name="Unfinished: 1").click()
    other.get_by_role("link", name="New article").click()
    value = other.locator("[name='field.title']").input_value()
    check(value == "Mine alone", f"the right account gets its text: {value}")
    other.get_by_role("button", name="Discard unsaved text").click()
    check(other.locator("[name='field.title']").input_value() == "", "and can discard it")
    context.close()


def two_tabs(server, browser):
    context = browser.new_context()
    one, two = context.new_page(), context.new_page()
    sign_in(one, server)
    for page in (one, two):
        page.goto(server.url + NEW)
    for page, word in ((one, "First"), (two, "Second")):
        page.bring_to_front()
        page.locator("[name='field.title']").click()
        page.keyboard.type(word)
        if page == one:
            wait(lambda: server.has_saved(word), "two tabs: the text of the first one is saved")
    two.locator("[data-autosave]").get_by_text("other unsaved text").wait_for()
    check(True, "the second one says that there is other text")
    two.get_by_role("button", name="Keep this text").click()
    two.locator("[data-autosave]").get_by_text("Saved ").wait_for()
    three = context.new_page()
    three.goto(server.url + NEW)
    check(three.locator("[name='field.title']").input_value() == "Second", "and is kept when its person says so")
    three.get_by_role("button", name="Discard unsaved text").click()
    context.close()


def sign_out(server, browser):
    context = browser.new_context()
    page = context.new_page()
    sign_in(page, server)
    page.goto(server.url + NEW)
    page.locator("[name='field.title']").click()
    page.keyboard.type("Last words")
    run.sign_out(page)
    page.wait_for_url("**/login**")
    check(page.evaluate("Object.keys(sessionStorage).length") == 0, "signing out leaves no text in the tab")
    sign_in(page, server)
    page.goto(server.url + NEW)
    check(page.locator("[name='field.title']").input_value() == "Last words", "and saves what was typed just before")
    page.get_by_role("button", name="Discard unsaved text").click()
    context.close()


def without_script(server, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, server)
    page.goto(server.url + NEW)
    page.locator("[name='field.title']").fill("Without script")
    page.locator("textarea[name='field.body']").fill("A long text. " * 500)
    page.locator("[name='field.categories']").first.check()
    server.sql("delete from ops.session")
    page.get_by_role("button", name="Save draft").last.click()
    check("You were signed out" in page.content(), "without JavaScript: an ended session asks to sign in")
    page.locator("#username").fill(EMAIL)
    page.locator("#password").fill(PASSWORD)
    page.locator("button.primary").click()
    check(page.locator("[name='field.title']").input_value() == "Without script"
          and len(page.locator("textarea[name='field.body']").input_value()) >= 6499, "and the form comes back with every word")
    page.get_by_role("button", name="Save draft").last.click()
    check(page.locator("h1").inner_text() == "Without script", "and one button saves it")
    context.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    path = folder(on_disk=True)
    data = os.path.join(path, "data")
    daemon = Daemon(program, data)
    server = Server(program, daemon, data, path)
    for email in (EMAIL, OTHER, INTERRUPTED):
        daemon.command("account", "create", email, "--name", email.split("@")[0].title(), "--role", "editor")
        code, _, error = daemon.command("password", "update", email, "--password-file", "-", stdin=PASSWORD + "\n")
        if code:
            sys.exit(error)
    with browser() as chromium:
        wrong = []
        print(f"     seed {options.seed}")
        writer = Writer(server, chromium, random.Random(options.seed))
        writer.context.on("weberror", lambda error: wrong.append(str(error.error)))
        failures = len(checks.failed)
        while writer.interruptions < options.count:
            writer.interrupt()
        check(len(checks.failed) == failures,
              f"{writer.interruptions} interruptions: every word was found, {writer.checked} times one; "
              f"{writer.lost_after_crash} of the last {seconds(3)} s before a crash were not")
        check(not wrong, f"no script fails: {wrong[:3]}")
        writer.context.close()
        for step in (other_account, two_tabs, sign_out, without_script):
            step(server, chromium)
        stored = server.sql(f"select count(*) from ops.autosave where fields::text ~ '{PASSWORD}|csrf'")
        check(stored == "0", "S44: no password or token was saved")
    finish()


if __name__ == "__main__":
    main()
