#!/usr/bin/env python3
"""Types random words into forms, is interrupted at random, and finds every word again.

    autosave.py --program .build/debug/vitrine [--count 100] [--seed 7]

The words go in turn into the title, summary, rich text and Markdown of an article, and into the note and the rejection of a submission.
The interruptions: no network, a session deleted in the database, a daemon killed (SIGKILL) and restarted, a reload, a closed tab, a crashed
tab, saving the form, and saving it without network, session or daemon. After a crash every word that was typed at least 3 seconds before is
there; after everything else every word is. Then checks what surrounds it: signing in again as somebody else, with a second tab, and without
JavaScript; several forms on a page; long texts; and that an open form that nobody types into sends nothing.
Prints a line per check; ends with "N passed, N failed".
"""
import argparse
import json
import os
import random
import shutil
import signal
import sys
import time
import urllib.request

import checks
import run
from checks import check, finish, step, timed
from layout import decision
from patience import browser, pause, seconds, wait
from run import Daemon
from workspace import ROOT, folder, port, start

EMAIL, PASSWORD = "writer@example.org", "nine velvet otters sing"
OTHER, INTERRUPTED = "other@example.org", "interrupted@example.org"
NEW = "/entries/new?type=article"
TITLE, SUMMARY, BODY, ASIDE = (f"[name='field.{name}']" for name in ("title", "summary", "body", "aside"))


class Server:
    """`vitrine serve` on the database of `vitrine dev`, which can be killed."""

    def __init__(self, program, daemon, data, folder):
        # Reserved, because the daemon comes back at the same URL.
        self.port = port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.program, self.log, self.daemon = program, os.path.join(folder, "serve.log"), daemon
        # Of the last session of each account.
        self.cookies = {}
        self.environment = {**os.environ, "DATABASE_URL": daemon.info["database_url"], "VITRINE_DATA_DIR": data}
        self.start()

    def start(self):
        with timed("starts of vitrine serve"):
            with open(self.log, "a") as log:
                self.process = start([self.program, "serve", "--port", str(self.port)], env=self.environment, stdout=log, stderr=log)
            is_ready = wait(lambda: urllib.request.urlopen(self.url + "/readyz", timeout=seconds(2)).close() is None, "the daemon is ready")
        if not is_ready:
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
    enter(page, email)
    page.wait_for_url(server.url + "/")
    server.cookies[email] = page.context.cookies()


def signed_in(server, browser, email=EMAIL, **options):
    """A context of this account, with its last session unless that one has ended."""
    context = browser.new_context(**options)
    context.add_cookies(server.cookies.get(email, []))
    session = context.request.get(server.url + "/session", headers={"Accept": "application/json"}, max_redirects=0)
    if session.status != 200:
        page = context.new_page()
        sign_in(page, server, email)
        page.close()
    return context


def opened(server, browser, path=NEW):
    page = signed_in(server, browser).new_page()
    page.goto(server.url + path)
    return page


def type_title(page, text):
    page.locator(TITLE).click()
    page.keyboard.type(text)


def discard(page):
    page.get_by_role("button", name="Discard unsaved text").click()
    page.get_by_text("Unsaved text discarded.").wait_for()


def enter(page, email):
    page.locator("#username").fill(email)
    page.locator("#password").fill(PASSWORD)
    page.locator("button.primary").click()


# MARK: The forms

class Article:
    """A new article, and the next versions of it."""

    # Where words go, and up to how many characters; six more words, of 13 characters each, fit then. The text of the editor is in
    # a hidden box.
    fields = {TITLE: 120, SUMMARY: 420, f"textarea{BODY}": 100_000, ASIDE: 60_000}
    ready = "document.querySelector('.rich-text-body')"

    def __init__(self, server):
        self.server, self.url, self.number = server, NEW, 0

    def prepare(self, page):
        """What a new form needs to be saved, unless it is there."""
        if page.locator(TITLE).input_value():
            return
        self.number += 1
        type_title(page, f"Draft {self.number}")
        self.focus(page, f"textarea{BODY}")
        page.keyboard.type("Begun.")
        page.locator("[name='field.categories']").first.check()

    def focus(self, page, field):
        if field.endswith(BODY):
            page.locator(".rich-text-body").focus()
            pause(page)
        else:
            page.locator(field).focus()
        page.keyboard.press("End" if field == TITLE else "Control+End")
        pause(page)

    def shows(self, page, field, word):
        if field.endswith(BODY):
            return page.evaluate("(word) => document.querySelector('.ProseMirror').innerText.includes(word)", word)
        return word in page.locator(field).input_value()

    def press(self, page):
        page.locator("[name='field.categories']").first.check()
        page.get_by_role("button", name="Save draft").last.click()

    def saved(self, page, words):
        """Waits until the form is saved; then the next version is written."""
        try:
            page.wait_for_url(lambda url: url.rstrip("/").split("/")[-2] == "entries" and "new" not in url)
        except Exception:
            alerts = page.locator(".alert, [data-autosave]").all_inner_texts()
            sys.exit(f"the form was not saved: {page.url} {alerts}")
        saved, self.url = self.url, f"/entries/{page.url.split('/entries/')[1].split('?')[0]}/revisions"
        return saved

    def is_stored(self, word):
        return self.server.sql(f"select count(*) from curation.revision where content::text like '%{word}%'") != "0"

    def go_on(self, words):
        """After a form that was saved although nobody was told: the next version."""
        entry = self.server.sql("select entry_id from curation.revision where content::text like "
                                f"'%{words[-1]}%' order by id desc limit 1")
        self.url = f"/entries/{entry}/revisions"

    def is_long(self, typed):
        if len(typed) > 150:
            self.url = NEW
            return True
        return False


class Review:
    """The note and the rejection of a submission, which are two forms of a page. Only the note is saved."""

    fields = {"#note-text": 1_800, "#reject-message": 900}
    ready = "document.querySelector('#note-text')"

    def __init__(self, server):
        self.server = server
        self.url = "/queue/" + server.sql("select submission_id from curation.queue_item order by submission_id limit 1")

    def prepare(self, page):
        page.evaluate("document.querySelector('details:has(#reject-form)').open = true")

    def focus(self, page, field):
        page.locator(field).focus()
        page.keyboard.press("Control+End")
        pause(page)

    def shows(self, page, field, word):
        return word in page.locator(field).input_value()

    def press(self, page):
        page.get_by_role("button", name="Add note").click()

    def saved(self, page, words):
        page.locator(".list").get_by_text(words["#note-text"][-1]).wait_for()
        return self.url + "#note"

    def is_stored(self, word):
        return self.server.sql(f"select count(*) from curation.note where text like '%{word}%'") != "0"

    def go_on(self, words):
        pass

    def is_long(self, typed):
        return False


class Writer:
    """Types words into forms and remembers them."""

    def __init__(self, server, browser, numbers):
        self.server, self.numbers = server, numbers
        self.context = browser.new_context()
        self.messages = []
        self.context.on("console", lambda message: self.messages.append(message.text))
        self.page = self.context.new_page()
        self.forms = [Article(server), Review(server)]
        self.typed = {form: [] for form in self.forms}  # fields, words and when they were typed
        self.interruptions = self.checked = self.lost_after_crash = self.number = 0
        self.form = self.forms[0]
        sign_in(self.page, server, INTERRUPTED)
        self.open()

    # MARK: Typing

    def open(self):
        self.page.goto(self.server.url + self.form.url)
        self.ready()

    def ready(self):
        """The script runs for all forms of the page. It may have sent text of the tab and be opening the form again."""
        try:
            self.page.wait_for_function(
                f"() => document.querySelector('[data-autosave]') && !document.querySelector('[data-autosave]:not(:has([data-sign-in]))')"
                f" && {self.form.ready} && !document.querySelector('form > [inert]')"
                " && [...document.querySelectorAll('[data-autosave] [role=status]')].every((status) => status.textContent"
                " !== document.querySelector('#autosave-texts [data-text=restoring]').textContent)")
        except Exception:
            print("the page:", self.page.url, self.page.evaluate(
                "[document.title, document.querySelector('[data-autosave] [role=status]')?.textContent,"
                " document.querySelector('.rich-text-body') !== null, document.querySelectorAll('[inert]').length]"), self.messages[-5:])
            raise
        self.form.prepare(self.page)

    def choose(self):
        """A field with room; if there is none, the form is saved."""
        room = {field for field, most in self.form.fields.items() if len(self.page.locator(field).input_value()) < most}
        if not room:
            self.save()
            return self.choose()
        return self.numbers.choice(sorted(room))

    def word(self):
        self.number += 1
        return f"w{self.number}x{self.numbers.randrange(10 ** 6)}"

    def type(self, count):
        """Words in turn into the fields."""
        while count > 0:
            field, some = self.choose(), min(count, self.numbers.randint(1, 3))
            self.form.focus(self.page, field)
            for _ in range(some):
                word = self.word()
                # Space at the end of a paragraph means nothing, and isn't kept.
                self.page.keyboard.type(" " + word, delay=self.numbers.choice([0, 0, 5, 20]))
                self.typed[self.form].append((field, word, time.monotonic()))
            count -= some

    def insert(self, count):
        """Types words at once. The dialog of an ended session takes the keyboard, and between two keys a busy machine may be slow."""
        field, words = self.choose(), [self.word() for _ in range(count)]
        self.form.focus(self.page, field)
        self.page.keyboard.insert_text(" " + " ".join(words))
        if self.form.shows(self.page, field, words[-1]):
            self.typed[self.form] += [(field, word, time.monotonic()) for word in words]
        else:
            check(self.page.locator("dialog#autosave").is_visible(), "only the dialog of an ended session takes the keyboard")

    def saved(self):
        """Waits until the page knows that the server has everything. While there was no server, it waits longer and longer."""
        self.page.wait_for_function(
            "([form, word]) => Object.entries(sessionStorage).some(([name, value]) => name.startsWith('autosave:')"
            " && name.includes(form) && value.includes(word) && JSON.parse(value).isSent)",
            arg=[self.form.url, self.typed[self.form][-1][1]], timeout=1000 * seconds(60))

    # MARK: What is found

    def missing(self):
        values = {field: self.page.locator(field).input_value() for field in self.form.fields}
        found = {field: set(text.replace("<", " ").replace(">", " ").split()) for field, text in values.items()}
        typed = self.typed[self.form]
        self.checked += len(typed)
        return [entry for entry in typed if entry[1] not in found[entry[0]]]

    def expect_all(self, what):
        missing = self.missing()
        if missing:
            typed = self.typed[self.form]
            check(False, f"{what}: {len(missing)} of {len(typed)} words are missing: {missing[:3]}")
            self.typed[self.form] = [entry for entry in typed if entry not in missing]

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

    def sign_in_beside(self):
        """By the dialog of an ended session."""
        self.page.locator("dialog#autosave").wait_for(state="visible")
        with self.context.expect_page() as opened:
            self.page.get_by_role("link", name="Sign in in a new tab").click()
        other = opened.value
        enter(other, INTERRUPTED)
        other.get_by_role("heading", name="You're signed in").wait_for()
        other.close()
        self.page.bring_to_front()
        self.page.locator("dialog#autosave").wait_for(state="hidden")

    def signed_out(self):
        self.server.sql("delete from ops.session")
        self.insert(self.numbers.randint(1, 6))
        self.sign_in_beside()
        self.saved()
        self.type(2)
        self.reload()
        self.expect_all("ended session")

    def closed(self):
        old, self.page = self.page, self.context.new_page()
        old.close(run_before_unload=True)
        wait(lambda: self.page.title() is not None and old.is_closed(), "the browser doesn't ask about text that is saved")
        wait(lambda: self.server.has_saved(self.typed[self.form][-1][1]), "the last text arrives")
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
        old = [word for _, word, at in missing if at < now - limit]
        if old:
            check(False, f"crashed tab: words of more than {limit} s before are missing: {old[:3]}")
        self.lost_after_crash += len(missing)
        self.typed[self.form] = [entry for entry in self.typed[self.form] if entry not in missing]

    # MARK: Saving the form

    def words(self):
        return {field: [word for each, word, _ in self.typed[self.form] if each == field] for field in self.form.fields}

    def needs_text(self):
        """An empty note isn't saved."""
        field = next(iter(self.form.fields))
        if not self.words()[field]:
            self.form.focus(self.page, field)
            self.page.keyboard.type(" " + (word := self.word()))
            self.typed[self.form].append((field, word, time.monotonic()))

    def finish_saving(self, what):
        """Waits for the response to the submitted form, and reads what was saved."""
        words = self.words()
        saved = self.form.saved(self.page, words)
        left = self.server.sql(f"select count(*) from ops.autosave where fields is not null and form = '{saved}'")
        if left != "0":
            check(False, f"{what}: a saved form leaves text")
        self.read_saved(what, is_restored=isinstance(self.form, Review))

    def read_saved(self, what, is_restored=True):
        """What a saved form still shows is expected there; the rest is stored."""
        self.open()
        if not is_restored and self.page.get_by_text("Restored your unsaved text").is_visible():
            check(False, f"{what}: a saved form is not restored")
        gone = self.missing()
        lost = [word for _, word, _ in gone if not self.form.is_stored(word)]
        if lost:
            check(False, f"{what}: {len(lost)} words are neither saved nor shown: {lost[:3]}")
        self.typed[self.form] = [entry for entry in self.typed[self.form] if entry not in gone]
        if self.form.is_long(self.typed[self.form]):
            self.typed[self.form] = []
            self.open()

    def save(self):
        """Submits the form and reads what was saved."""
        self.needs_text()
        if self.numbers.random() < 0.5:
            self.page.wait_for_timeout(self.numbers.choice([0, 300, 1200]))
        self.form.press(self.page)
        self.finish_saving("saved form")

    def try_to_save(self):
        """Presses the button when nothing can be saved: the browser may show an error page of its own."""
        try:
            self.form.press(self.page)
        except Exception:
            pass

    def save_signed_out(self):
        """Submits the form after its session has ended, which the page knows or not."""
        self.needs_text()
        self.server.sql("delete from ops.session")
        if self.numbers.random() < 0.5:
            self.insert(2)
            self.page.locator("dialog#autosave").wait_for(state="visible")
            self.page.locator("dialog#autosave [data-close]").click()
        self.form.press(self.page)
        self.page.wait_for_function("() => document.querySelector('#username') || document.querySelector('dialog#autosave[open]')")
        # A form may be on its way while another one of the page finds out.
        self.page.wait_for_timeout(1500)
        if self.page.locator("#username").count():
            # The response is the sign-in page, which has the text.
            enter(self.page, INTERRUPTED)
            self.ready()
            self.expect_all("submitted without a session")
            self.form.press(self.page)
        else:
            # The form is submitted by itself afterwards.
            self.sign_in_beside()
        self.finish_saving("saved after the session had ended")

    def save_killed(self):
        """Submits the form to a daemon that is killed before, or meanwhile."""
        self.needs_text()
        way = self.numbers.choice(["before", "noticed", "meanwhile"])
        if way == "meanwhile":
            # The form may be saved although there is no response.
            button = "[name=action][value=draft]" if isinstance(self.form, Article) else "form:has(#note-text) button:not([type])"
            self.page.evaluate("(button) => { const all = document.querySelectorAll(button); all[all.length - 1].click() }", button)
            self.page.wait_for_timeout(self.numbers.choice([0, 5, 20, 50]))
            self.server.kill()
            self.page.wait_for_timeout(300)
            self.server.start()
            words = [word for _, word, _ in self.typed[self.form]]
            if self.form.is_stored(words[-1]):
                self.form.go_on(words)
            return self.read_saved("daemon killed while the form was saved")
        self.server.kill()
        if way == "noticed":
            self.insert(2)
            self.page.locator("[data-autosave]").get_by_text("no connection").first.wait_for()
            self.try_to_save()
            self.page.wait_for_timeout(500)
            check(self.page.locator("[data-autosave]").count() > 0, "a form stays while nothing can be saved")
            self.server.start()
            self.saved()
        else:
            self.try_to_save()
            self.server.start()
            self.open()
        self.expect_all("submitted to a killed daemon")
        self.save()

    def save_offline(self):
        """Submits the form without a network."""
        self.needs_text()
        self.context.set_offline(True)
        if self.numbers.random() < 0.5:
            self.insert(2)
            self.page.locator("[data-autosave]").get_by_text("no connection").first.wait_for()
            self.try_to_save()
            self.page.wait_for_timeout(500)
            check(self.page.locator("[data-autosave]").count() > 0, "a form stays while there is no network")
            self.context.set_offline(False)
            self.saved()
        else:
            self.try_to_save()
            self.context.set_offline(False)
            self.open()
        self.expect_all("submitted without network")
        self.save()

    def interrupt(self):
        # Two of three times the article.
        form = self.forms[0] if self.numbers.random() < 0.67 else self.forms[1]
        if form != self.form:
            self.form = form
            self.open()
            self.expect_all("another page")
        self.type(self.numbers.randint(1, 8))
        if self.numbers.random() < 0.3:
            self.page.wait_for_timeout(self.numbers.randint(0, 4000))
        kinds = [self.save, self.save_signed_out, self.save_killed, self.save_offline, self.reload, self.offline, self.killed,
                 self.signed_out, self.closed, self.crashed]
        # All of them, then at random.
        kind = kinds[self.interruptions] if self.interruptions < len(kinds) else self.numbers.choice(kinds)
        self.interruptions += 1
        started = time.monotonic()
        kind()
        print(f"     {self.interruptions}: {type(self.form).__name__} {kind.__name__}, {len(self.typed[self.form])} words, "
              f"{time.monotonic() - started:.1f} s", flush=True)


# MARK: What surrounds it

def other_account(server, browser):
    context = signed_in(server, browser)
    page = context.new_page()
    page.goto(server.url + NEW)
    type_title(page, "Mine")
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
    context = signed_in(server, browser)
    one, two = context.new_page(), context.new_page()
    for page in (one, two):
        page.goto(server.url + NEW)
    for page, word in ((one, "First"), (two, "Second")):
        page.bring_to_front()
        type_title(page, word)
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


def duplicated_tab(server, browser):
    """A duplicated tab has a copy of the storage of its original, and so its name."""
    context = signed_in(server, browser)
    one, two = context.new_page(), context.new_page()
    one.goto(server.url + NEW)
    name = "() => sessionStorage.getItem('autosave-tab')"
    one.wait_for_function(name)
    known = one.evaluate(name)
    two.goto(server.url + "/queue")
    two.evaluate("(name) => sessionStorage.setItem('autosave-tab', name)", known)
    two.goto(server.url + NEW)
    two.wait_for_function("(name) => sessionStorage.getItem('autosave-tab') !== name", arg=known)
    check(one.evaluate(name) == known, "a duplicated tab takes another name")
    for page, word in ((one, "Original"), (two, "Duplicate")):
        page.bring_to_front()
        type_title(page, word)
        if page == one:
            wait(lambda: server.has_saved(word), "the text of the original is saved")
    two.locator("[data-autosave]").get_by_text("other unsaved text").wait_for()
    check(server.has_saved("Original"), "and that of the duplicate doesn't replace it")
    one.reload()
    one.locator("[data-autosave] [data-sign-in]").first.wait_for(state="attached")
    check(one.evaluate(name) == known, "a reload keeps the name")
    # Now nothing keeps the text of the duplicate from being saved when its page is left.
    two.on("dialog", lambda dialog: dialog.accept())
    for page in (one, two):
        page.bring_to_front()
        if page == two:
            page.reload()
        discard(page)
    context.close()


def hold(page, *names):
    """Holds the scripts with these names back; the list gets their requests."""
    held = []

    def handle(route):
        if route.request.url.endswith(names):
            held.append(route)
        else:
            route.continue_()

    page.route("**/static/**", handle)
    return held


def before_script(server, browser):
    """What is typed before the scripts are loaded is saved without another key, and comes into the editor."""
    context = signed_in(server, browser)
    page = context.new_page()
    held = hold(page, "/autosave.js", "/rich-text-editor.js")
    page.goto(server.url + NEW, wait_until="commit")
    type_title(page, "Early title")
    page.locator(f"textarea{BODY}").click()
    page.keyboard.type("Early text")
    wait(lambda: page.title() is not None and len(held) == 2, "the scripts are not loaded yet")
    check(not server.has_saved("Early"), "and nothing is saved")
    for route in list(held):
        route.continue_()
    # The scripts import others, whose requests come through `hold` only while this program talks to the browser.
    wait(lambda: page.title() is not None and server.has_saved("Early title") and server.has_saved("Early text"),
         "what was typed before is saved")
    check(page.locator(f"textarea{BODY}").input_value() == "Early text", "and stays in its box")
    page.keyboard.type(" *goes* on")
    page.locator(TITLE).click()
    editor = page.locator(".rich-text-body")
    editor.wait_for()
    check(editor.inner_text().strip() == "Early text goes on" and editor.locator("em").inner_text() == "goes"
          and page.locator(f"textarea{BODY}").input_value() == "Early text *goes* on",
          f"until somebody leaves it; then the editor has all of it: {editor.inner_text()!r}")
    wait(lambda: page.title() is not None and server.has_saved("goes"), "and it is saved")
    page.unroute("**/static/**")
    page.reload()
    page.locator(".rich-text-body").wait_for()
    title = page.locator(TITLE).input_value()
    check(title == "Early title", f"after a reload it is in the form: {title!r}")
    discard(page)
    context.close()


def begin_before(page, words):
    """Reloads the form and types into it before its script is loaded."""
    held = hold(page, "/autosave.js")
    page.reload(wait_until="commit")
    type_title(page, words)
    wait(lambda: page.title() is not None and held, "the script is not loaded yet")
    for route in list(held):
        route.continue_()
    page.unroute("**/static/**")


# What a page sends while it is left reaches the server past the routes of the browser; this doesn't.
BLOCKED = """{
    const send = window.fetch
    window.fetch = (url, options) => sessionStorage.getItem("blocked") && String(url).endsWith("/autosaves")
        ? Promise.reject(new TypeError("blocked")) : send(url, options)
}"""


def several_texts_in_a_tab(server, browser):
    """Somebody types again and again into a page that is about to show other text of the tab: each text is kept and can be shown."""
    context = signed_in(server, browser)
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    page.add_init_script(BLOCKED)
    page.goto(server.url + NEW)
    page.locator("[data-autosave] [data-keep]").wait_for(state="attached")
    page.evaluate("sessionStorage.setItem('blocked', 'yes')")
    type_title(page, "First words")
    panel, title, offer = page.locator("[data-autosave]"), page.locator(TITLE), page.locator("[data-others]")
    for words in ("Second words", "Third words", "Fourth words"):
        panel.get_by_text("no connection").wait_for()
        begin_before(page, words)
        page.get_by_role("button", name="Show it").wait_for()
    page.evaluate("sessionStorage.removeItem('blocked')")
    wait(lambda: page.title() is not None and server.has_saved("Fourth words"), "what was typed last is saved at once")
    check(title.input_value() == "Fourth words" and "3 other unsaved texts" in offer.inner_text() and "First words" in offer.inner_text(),
          f"the page offers all others, and says which is next: {offer.inner_text()!r}")
    for words in ("First words", "Second words", "Third words", "Fourth words", "First words"):
        page.get_by_role("button", name="Show it").click()
        wait(lambda words=words: title.input_value() == words and server.has_saved(words), f"shown and saved: {words}")
        page.get_by_text("Restored your unsaved text").wait_for()
    check("3 other" in offer.inner_text() and "Second words" in offer.inner_text(), "showing one keeps the one before")
    title.press("End")
    page.keyboard.type(" and more")
    page.wait_for_function("() => document.querySelector('[data-autosave] [role=status]').textContent.startsWith('Saved ')")
    check(server.has_saved("First words and more"), "a shown text is continued")
    page.get_by_role("button", name="Discard it").click()
    check("2 other" in offer.inner_text() and "Third words" in offer.inner_text(), "one is discarded")
    discard(page)
    check(title.input_value() == "" and "Third words" in offer.inner_text(), "discarding the shown text leaves the others")
    for words in ("Third words", "Fourth words"):
        page.get_by_role("button", name="Show it").click()
        wait(lambda words=words: title.input_value() == words, f"which can be shown: {words}")
        page.get_by_text("Restored your unsaved text").wait_for()
    page.get_by_role("button", name="Discard it").click()
    check(offer.is_hidden() and page.evaluate("document.activeElement.closest('form')?.id") == "edit", "after the last one the form has the keyboard")
    discard(page)
    context.close()


def text_elsewhere(server, browser):
    """Text of another tab and text of this one: neither replaces the other without being asked to, also after a reload."""
    context = signed_in(server, browser)
    one, two = context.new_page(), context.new_page()
    for page in (one, two):
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(server.url + NEW)
    for page, words in ((one, "Of one"), (two, "Of two")):
        page.bring_to_front()
        type_title(page, words)
        if page == one:
            wait(lambda: server.has_saved("Of one"), "the text of one tab is saved")
    two.get_by_role("button", name="Show the other text").click()
    shown = lambda words: wait(lambda: two.locator(TITLE).input_value() == words, f"the second tab shows: {words}")
    shown("Of one")
    check("Of two" in two.locator("[data-others]").inner_text(), "showing the other text keeps this one")
    two.get_by_role("button", name="Show it").click()
    shown("Of two")
    check("Of one" in two.locator("[data-others]").inner_text(), "and the other one")
    one.bring_to_front()
    type_title(one, " again")
    one.get_by_role("button", name="Keep this text").click()
    wait(lambda: one.title() is not None and server.has_saved("Of one again"), "the first tab keeps its own")
    two.bring_to_front()
    two.locator(TITLE).click()
    two.keyboard.press("End")
    two.keyboard.type(" again")
    two.get_by_role("button", name="Keep this text").wait_for()
    two.reload()
    shown("Of one again")
    offer = two.locator("[data-others]")
    wait(lambda: "2 other" in offer.inner_text() and two.locator("form > [inert]").count() == 0,
         lambda: f"reloaded, it shows what the server has, can be written in, and offers its own texts: {offer.inner_text()!r}")
    for words in ("Of one", "Of two again"):
        two.get_by_role("button", name="Show it").click()
        shown(words)
        two.get_by_text("Restored your unsaved text").wait_for()
    two.get_by_role("button", name="Discard it").click()
    two.get_by_role("button", name="Discard it").click()
    discard(two)
    context.close()


def sent_late(server, browser):
    """A text that arrives between the making of the next page and its display is shown there."""
    context = signed_in(server, browser, OTHER)
    page = context.new_page()
    url, held = server.url + Review(server).url, []
    page.goto(url)
    context.route("**/autosaves", lambda route: held.append(route) if "arrives" in (route.request.post_data or "") else route.continue_())
    decision(page, "Reject").click()
    page.locator("#reject-message").click()
    page.keyboard.type("What arrives late")
    wait(lambda: page.title() is not None and held, "the text is on its way")

    def next_page(route):
        response = route.fetch()
        held.pop().continue_()
        context.unroute("**/autosaves")
        check(wait(lambda: server.has_saved("What arrives late"), "it arrives when the next page is made"), "and is saved")
        # The response arrives in the page that is left.
        time.sleep(seconds(1))
        route.fulfill(response=response)

    page.route(url, next_page, times=1)
    page.goto(url)
    check(wait(lambda: page.locator("#reject-message").input_value() == "What arrives late", "the next page shows it"), "no word is lost")
    context.close()


def discarded_while_sent(server, browser):
    """A text that is discarded while it is being sent doesn't come back."""
    page, held = opened(server, browser), []
    type_title(page, "Unwanted")
    wait(lambda: page.title() is not None and server.has_saved("Unwanted"), "a text is saved")
    page.reload()
    page.context.route("**/autosaves", lambda route: held.append(route) if "late" in (route.request.post_data or "") else route.continue_())
    page.locator(TITLE).click()
    page.keyboard.press("End")
    page.keyboard.type(" and late")
    wait(lambda: page.title() is not None and held, "more of it is on its way")
    sent = held[0].request
    page.get_by_role("button", name="Discard unsaved text").click()
    page.get_by_text("Unsaved text discarded.").wait_for()
    check(not server.has_saved("Unwanted"), "nothing is saved")
    # As it would arrive late: with the session and the token of the page.
    headers = {"content-type": sent.headers["content-type"], "origin": server.url}
    late = page.context.request.post(server.url + "/autosaves", data=sent.post_data_buffer, headers=headers)
    check(late.ok and not server.has_saved("Unwanted"), f"what was on its way restores nothing: {late.status}")
    page.goto(server.url + NEW)
    check(page.locator(TITLE).input_value() == "", "and nothing comes back")
    page.context.close()


def gone_back(server, browser):
    """Who goes back to a form finds the newest text, in the editor, too, and what was typed before there was a script."""
    context = signed_in(server, browser)
    one, two = context.new_page(), context.new_page()
    one.goto(server.url + NEW)
    type_title(one, "Old")
    one.locator(".rich-text-body").click()
    one.keyboard.type("Old text")
    wait(lambda: one.title() is not None and server.has_saved("Old text"), "a text is saved")
    one.goto(server.url + "/queue")
    two.goto(server.url + NEW)
    two.locator(TITLE).click()
    two.keyboard.press("End")
    two.keyboard.type(" and new")
    two.locator(".rich-text-body").click()
    two.keyboard.press("Control+End")
    two.keyboard.type(" and new")
    wait(lambda: two.title() is not None and server.has_saved("Old text and new"), "and continued in another tab")
    one.bring_to_front()
    one.go_back()
    one.locator(".rich-text-body").wait_for()
    pause(one)
    shown = [one.locator(TITLE).input_value(), one.locator(".rich-text-body").inner_text().strip(),
             one.locator(f"textarea{BODY}").input_value()]
    check(shown == ["Old and new", "Old text and new", "<p>Old text and new</p>"], f"going back shows the newest text: {shown}")
    discard(one)

    three = context.new_page()
    three.route("**/static/**/*.js", lambda route: route.abort())
    three.route("**/static/*.js", lambda route: route.abort())
    three.goto(server.url + NEW)
    three.locator(f"textarea{BODY}").click()
    three.keyboard.type("Left *early*")
    three.goto(server.url + "/queue")
    for pattern in ("**/static/**/*.js", "**/static/*.js"):
        three.unroute(pattern)
    three.go_back()
    editor = three.locator(".rich-text-body")
    editor.wait_for()
    check(editor.inner_text().strip() == "Left early" and editor.locator("em").count() == 1
          and three.locator(f"textarea{BODY}").input_value() == "Left *early*",
          f"and a text that was typed without a script is in the editor: {editor.inner_text()!r}")
    context.close()


def save_key(server, browser):
    """Ctrl+S saves a draft from every field, and the text of a form without drafts."""
    context = signed_in(server, browser)
    page = context.new_page()
    for number, field in enumerate((TITLE, ".rich-text-body"), 1):
        page.goto(server.url + NEW)
        page.locator(TITLE).fill(f"By key {number}")
        page.locator(".rich-text-body").click()
        page.keyboard.type("Text.")
        page.locator("[name='field.categories']").first.check()
        page.locator(field).press("Control+s")
        page.wait_for_url(lambda url: "new" not in url)
        check(page.locator("h1").inner_text() == f"By key {number}", f"Ctrl+S in {field} saves a draft")
    page.goto(server.url + "/queue/" + server.sql("select submission_id from curation.queue_item order by submission_id limit 1"))
    note = page.locator("#note-text")
    note.click()
    page.keyboard.type("Keyed note")
    note.press("Control+s")
    wait(lambda: page.title() is not None and server.has_saved("Keyed note"), "in a form without drafts, it saves the text")
    check(server.sql("select count(*) from curation.note where text = 'Keyed note'") == "0", "and doesn't send the form")
    server.sql("delete from ops.autosave where fields::text like '%Keyed note%'")
    context.close()


def full(server, browser):
    """With as many unsaved texts as an account may have, the page says that nothing is saved, until there is room."""
    context = signed_in(server, browser)
    page = context.new_page()
    server.sql("insert into ops.autosave (account_id, form, tab, sequence, fields) select id, '/full/' || n, 'one', 1, '[]'::json "
               f"from ops.account cross join generate_series(1, 50) n where email = '{EMAIL}'")
    page.goto(server.url + NEW)
    type_title(page, "One more")
    page.locator("[data-autosave]").get_by_text("Not saved: too many unsaved texts").wait_for()
    check(not server.has_saved("One more"), "with 50 unsaved texts another one is not saved, and the page says so")
    kept = server.sql("select count(*) from ops.autosave where form like '/full/%' and fields is not null")
    check(kept == "50", f"and all others stay: {kept}")
    server.sql("delete from ops.autosave where form like '/full/%'")
    wait(lambda: server.has_saved("One more"), "it is saved when there is room")
    page.reload()
    discard(page)
    context.close()


def sign_out(server, browser):
    page = opened(server, browser)
    type_title(page, "Last words")
    run.sign_out(page)
    page.wait_for_url("**/login**")
    check(page.evaluate("Object.keys(sessionStorage).length") == 0, "signing out leaves no text in the tab")
    sign_in(page, server)
    page.goto(server.url + NEW)
    check(page.locator("[name='field.title']").input_value() == "Last words", "and saves what was typed just before")
    discard(page)
    page.context.close()


def stay_at_sign_out(server, browser):
    """Somebody stays at the browser's question, twice, and leaves by another link: they are not signed out, and the text is in the tab."""
    context = browser.new_context()
    page = context.new_page()
    stays = [True, True]
    page.on("dialog", lambda dialog: dialog.dismiss() if stays and stays.pop() else dialog.accept())
    page.add_init_script(BLOCKED)
    sign_in(page, server)
    page.goto(server.url + NEW)
    page.locator("[data-autosave] [data-keep]").wait_for(state="attached")
    page.evaluate("sessionStorage.setItem('blocked', 'yes')")
    type_title(page, "Only here")
    page.locator("[data-autosave]").get_by_text("no connection").wait_for()
    run.sign_out(page)
    wait(lambda: page.title() is not None and len(stays) == 1, "signing out asks before text is lost that can't be saved")
    wait(lambda: page.locator("button[aria-busy]").count() == 0, "the button waits no longer when somebody stayed")
    page.get_by_role("button", name="Sign out").click()
    wait(lambda: page.title() is not None and not stays, "and takes the next press, which asks again")
    check(page.url == server.url + NEW, f"staying keeps the page: {page.url}")
    page.goto(server.url + "/queue")
    check("/queue" in page.url, f"and the session: {page.url}")
    page.evaluate("sessionStorage.removeItem('blocked')")
    page.goto(server.url + NEW)
    wait(lambda: page.title() is not None and server.has_saved("Only here"), "the text was still in the tab, and is saved now")
    discard(page)
    context.close()


def stay_at_save(server, browser):
    """Somebody stays at a question of the browser while a form is sent: what they type then is saved, also when they leave at once."""
    context = signed_in(server, browser)
    page = context.new_page()
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.goto(server.url + NEW)
    page.locator("[data-autosave] [data-keep]").wait_for(state="attached")
    page.locator(TITLE).click()
    page.keyboard.type("Stayed")
    page.evaluate("addEventListener('beforeunload', (event) => event.preventDefault(), { once: true })")
    page.get_by_role("button", name="Save draft").last.click()
    wait(lambda: page.title() is not None and asked, "something else of the page has the browser ask")
    page.wait_for_function("!document.querySelector('button[aria-busy]')")
    page.evaluate("""([name, next]) => {
        const box = document.querySelector(name)
        box.value = "Stayed and left"
        box.dispatchEvent(new Event("input", { bubbles: true }))
        location.href = next
    }""", [TITLE, server.url + "/queue"])
    page.wait_for_url("**/queue**")
    wait(lambda: page.title() is not None and server.has_saved("Stayed and left"), "what is typed after staying is saved when the page is left")
    check(len(asked) == 1, f"without another question: {asked}")
    page.goto(server.url + NEW)
    page.get_by_role("button", name="Discard unsaved text").click()
    page.get_by_text("Unsaved text discarded.").wait_for()
    context.close()


def without_script(server, browser):
    context = signed_in(server, browser, java_script_enabled=False)
    page = context.new_page()
    page.goto(server.url + NEW)
    page.locator(TITLE).fill("Without script")
    # 600 KB, which are 1.8 MB when a browser encodes them for a URL.
    page.locator(f"textarea{BODY}").fill("हिन्दी " * 33_000)
    page.locator(f"select{BODY}").select_option("html")
    page.locator("[name='field.categories']").first.check()
    server.sql("delete from ops.session")
    page.get_by_role("button", name="Save draft").last.click()
    check("You were signed out" in page.content(), "without JavaScript: an ended session asks to sign in")
    enter(page, EMAIL)
    check(page.locator(TITLE).input_value() == "Without script"
          and page.locator(f"textarea{BODY}").input_value().count("हिन्दी") == 33_000, "and the form comes back with every word of a long text")
    page.get_by_role("button", name="Save draft").last.click()
    check(page.locator("h1").inner_text() == "Without script", "and one button saves it")
    context.close()


def long_text(server, browser):
    """A text that is as long as an article may be is saved while it is typed."""
    page = opened(server, browser)
    page.locator(".rich-text-body").click()
    page.evaluate("""(html) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData("text/html", html)
        document.querySelector(".rich-text-body").dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData }))
    }""", f"<p>{'жизнь ' * 100}</p>" * 300)
    page.keyboard.type(" lastword")
    wait(lambda: server.has_saved("lastword"), "a text of 330 KB is saved while it is typed")
    check(int(server.sql("select max(bytes) from ops.autosave")) > 300_000, "as a whole")
    page.reload()
    page.locator(".rich-text-body").wait_for()
    wait(lambda: page.locator("form > [inert]").count() == 0, "the page of a long text can be used")
    check(page.locator(f"textarea{BODY}").input_value().count("жизнь") == 30_000, "and comes back with every word")
    link = page.locator("[name='field.url']")
    link.click()
    page.keyboard.type("https://ordinary.example")
    wait(lambda: server.has_saved("ordinary.example"), "something else is typed")
    page.locator("[data-autosave]").get_by_text("Saved ").wait_for()
    requests = []
    page.on("request", lambda request: requests.append(request.url) if request.url.endswith("/autosaves") else None)
    link.evaluate("(box) => { box.value = 'x'.repeat(4 << 20); box.dispatchEvent(new Event('input', { bubbles: true })) }")
    page.locator("[data-autosave]").get_by_text("Too long to be saved while you type.").wait_for()
    check(not requests, "what is longer than the server takes is not sent, and the page says so")
    link.fill("https://short.example")
    page.locator("[data-autosave]").get_by_text("Saved ").wait_for()
    wait(lambda: server.has_saved("short.example"), "until it is short enough")
    discard(page)
    page.context.close()


def several_forms(server, browser):
    """A page with a form for each text: saving one keeps what is typed into another."""
    page = opened(server, browser, "/texts?locale=en")
    for number, word in enumerate(("Firstword", "Otherword")):
        cell = page.locator("td details").nth(number)
        cell.locator("summary").click()
        cell.locator("textarea").click()
        page.keyboard.press("Control+End")
        page.keyboard.type(" " + word)
    page.locator("td details").nth(0).get_by_role("button", name="Save draft").click()
    page.get_by_text("Restored your unsaved text").wait_for()
    open_cell = page.locator("td details[open] textarea")
    check(open_cell.count() == 1 and "Otherword" in open_cell.input_value(), "a page of several forms: saving one keeps the text of another")
    page.goto(server.url)
    panel = page.locator("section[aria-labelledby=unfinished]")
    check(panel.get_by_role("listitem").count() == 1 and "Text:" in panel.inner_text(), "the home page lists it")
    panel.get_by_role("listitem").get_by_role("link").click()
    check("Otherword" in page.locator("td details[open] textarea").input_value(), "and leads to it")
    discard(page)
    check("Otherword" not in page.locator("td details[open] textarea").input_value(), "where it can be discarded")
    page.context.close()


def idle(server, browser):
    """An open form keeps no session alive: nothing is sent unless somebody types, and typing doesn't move the end of the session."""
    # With the newest session of the account.
    context = browser.new_context()
    page = context.new_page()
    sign_in(page, server)
    end = ("select s.expires_at from ops.session s join ops.account a on a.id = s.account_id "
           f"where a.email = '{EMAIL}' order by s.created_at desc limit 1")
    before = server.sql(end)
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.goto(server.url + NEW)
    page.locator(".rich-text-body").wait_for()
    page.wait_for_timeout(4000)
    check(not sent, f"an open form sends nothing: {sent}")
    page.locator(SUMMARY).evaluate("(box) => { box.value = 'By a script'; box.dispatchEvent(new Event('input', { bubbles: true })) }")
    page.wait_for_timeout(4000)
    check(not sent and not server.has_saved("By a script"), f"nor what only a script changed: {sent}")
    page.locator(SUMMARY).click()
    page.keyboard.type(" and a person")
    wait(lambda: server.has_saved("and a person"), "what somebody types is sent")
    page.locator("[data-autosave]").get_by_text("Saved ").wait_for()
    count = len(sent)
    page.wait_for_timeout(4000)
    check(len(sent) == count, "and after a pause nothing more")
    check(all(url.endswith("/autosaves") for url in sent), f"to the autosaves only: {set(sent)}")
    check(before and server.sql(end) == before, "the session ends when it would have ended")
    page.reload()
    discard(page)
    context.close()


def content_types(path):
    """Those of the product; articles have a Markdown field, too."""
    types = os.path.join(path, "content-types")
    shutil.copytree(os.path.join(ROOT, "Config/content-types"), types)
    file = os.path.join(types, "article.json")
    with open(file, encoding="utf-8") as source:
        article = json.load(source)
    article["fields"].append({"name": "aside", "label": "Aside", "type": "markdown", "help": "Beside the text."})
    with open(file, "w", encoding="utf-8") as target:
        json.dump(article, target)
    return types


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    path = folder(on_disk=True)
    data = os.path.join(path, "data")
    os.environ["VITRINE_CONTENT_TYPES_DIR"] = content_types(path)
    daemon = Daemon(program, data)
    code, _, error = daemon.command("import", "feed", "-", "--origin", "journey", stdin=run.FEED)
    if code:
        sys.exit(error)
    server = Server(program, daemon, data, path)
    for email in (EMAIL, OTHER, INTERRUPTED):
        code, _, error = daemon.command("account", "create", email, "--name", email.split("@")[0].title(), "--role", "editor",
                                        "--password-file", "-", stdin=PASSWORD + "\n")
        if code:
            sys.exit(error)
    with browser() as chromium:
        wrong = []
        print(f"     seed {options.seed}")
        writer = Writer(server, chromium, random.Random(options.seed))
        writer.context.on("weberror", lambda error: wrong.append(str(error.error)))
        failures = len(checks.failed)
        with timed("interruptions"):
            while writer.interruptions < options.count:
                writer.interrupt()
        check(len(checks.failed) == failures and writer.checked > 0,
              f"{writer.interruptions} interruptions: every word was found, {writer.checked} times one; "
              f"{writer.lost_after_crash} of the last {seconds(3)} s before a crash were not")
        check(not wrong, f"no script fails: {wrong[:3]}")
        writer.context.close()
        for function in (other_account, two_tabs, duplicated_tab, before_script, several_texts_in_a_tab, text_elsewhere, sent_late,
                         discarded_while_sent, gone_back, save_key, full, sign_out, stay_at_sign_out, stay_at_save, without_script,
                         long_text, several_forms, idle):
            step(function, server, chromium)
        stored = server.sql(f"select count(*) from ops.autosave where fields::text ~ '{PASSWORD}|csrf'")
        check(stored == "0", "S44: no password or token was saved")
    finish()


if __name__ == "__main__":
    main()
