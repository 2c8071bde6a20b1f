#!/usr/bin/env python3
"""Follows a contributor's submission with a real daemon, a mail server (aiosmtpd) and a browser without JavaScript.

    contributors.py --program .build/debug/vitrine [--shots FOLDER]

Prints a line per check; ends with "N passed, N failed".
"""
import base64
import json
import os
import urllib.request
from functools import partial

import run
import submission_forms
from checks import check, finish, read_options, step
from layout import decision
from mail import Daemon, Sink, link
from patience import browser, seconds, wait
from workspace import folder

TEXTS = {
    "mail.outcome_approved": ("Good news about {title}", "Dear {name},\n{title} was approved.\n{link}\n"),
    "mail.outcome_rejected": ("About {title}", "Dear {name},\n{title} was rejected: {reason}.\n{message}\n{link}\n"),
    "mail.outcome_changes_requested": ("About {title}", "Dear {name},\n{message}\nChange it here: {link}\n"),
}


def publish(daemon):
    daemon.publish([("text", {
        "title": name, "key": name, "section": "mail", "format": "plain",
        "placeholders": [{"name": n, "required": False} for n in ("name", "title", "reason", "message", "link") if "{%s}" % n in text],
        "values": [{"locale": "en", "value": text}]})
        for key, pair in TEXTS.items() for name, text in zip((key + ".subject", key), pair)])


def submit(daemon, title, email="carl@example.org"):
    client = daemon.info["client"]
    login = base64.b64encode(f"{client['id']}:{client['secret']}".encode()).decode()
    body = {"type": "article", "contributor": "Carl Ödegård", "contributor_email": email,
            "fields": {"title": title, "body": "<p>By the harbour.</p>", "author": "Carl"}}
    request = urllib.request.Request(
        daemon.url + "/v1/submissions", json.dumps(body).encode(),
        {"Authorization": f"Basic {login}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=seconds(20)) as response:
        return json.load(response)


def end_undo_window(daemon):
    """Ends the undo window of all decisions."""
    daemon.sql("update ops.outcome set decided_at = decided_at - interval '1 hour' where state = 'waiting'")


class Screenshots:
    """Takes screenshots of pages in light, dark and phone width, and runs axe on them."""

    def __init__(self, browser, folder):
        self.browser, self.folder = browser, folder

    def take(self, label, page):
        if not self.folder:
            return
        from axe_playwright_python.sync_playwright import Axe

        os.makedirs(self.folder, exist_ok=True)
        state = page.context.storage_state()
        for name, options in {
            "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 900}},
            "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 900}},
            "phone": {"color_scheme": "light", "viewport": {"width": 375, "height": 800}},
        }.items():
            context = self.browser.new_context(bypass_csp=True, storage_state=state, **options)
            copy = context.new_page()
            copy.goto(page.url)
            run.shoot(copy, self.folder, label, name, Axe)
            context.close()


def sign_in(daemon, browser):
    """The cookies of an administrator, for all pages."""
    page = browser.new_context(java_script_enabled=False).new_page()
    daemon.sign_in(page, daemon.info)
    page.wait_for_url(daemon.url + "/")
    return page.context.cookies()


def journey(daemon, sink, browser, admin, screenshots):
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(admin)
    curator = context.new_page()
    visitor = browser.new_context(java_script_enabled=False).new_page()

    sent = submit(daemon, "Ten cafés")
    review = f"{daemon.url}/queue/{sent['id']}"
    visitor.goto(sent["status_page"])
    check(visitor.locator("h1").inner_text() == "Ten cafés" and visitor.get_by_text("Pending", exact=True).count() == 1,
          "the status page opens without an account and shows the state Pending")
    screenshots.take("status-pending", visitor)

    def decide(summary, button, fill):
        curator.goto(review)
        decision(curator, summary).click()
        fill()
        curator.get_by_role("button", name=button, exact=True).click()

    decide("Request changes", "Request changes",
           lambda: curator.get_by_label("Changes needed").fill("Name the cafés, please."))
    curator.goto(review)
    check(curator.get_by_text("unless undone").count() == 1, "the review page says when the email will be sent")
    screenshots.take("review-pending", curator)
    check(not sink.messages, "within the undo window nothing is sent")
    curator.get_by_role("button", name="Undo decision").click()
    end_undo_window(daemon)
    decide("Request changes", "Request changes",
           lambda: curator.get_by_label("Changes needed").fill("Name the cafés, please."))
    end_undo_window(daemon)
    wait(lambda: sink.messages, "after it the email is sent")
    message = sink.messages[-1]
    check(str(message["subject"]) == "About Ten cafés" and "Dear Carl Ödegård," in message.get_content()
          and "Name the cafés, please." in message.get_content(), "it is rendered from the published text")
    check(link(message) == sent["status_page"], "and links to the status page")

    visitor.goto(link(message))
    screenshots.take("status-changes-requested", visitor)
    visitor.get_by_role("textbox", name="Title").fill("Ten cafés with names")
    visitor.get_by_role("button", name="Resubmit").click()
    check(visitor.get_by_text("Your changes were submitted.").count() == 1, "the contributor edits and resubmits it")
    curator.goto(review)
    check(curator.locator("ins", has_text="names").count() > 0, "the curator sees the changes in the resubmission")
    screenshots.take("review-resubmitted", curator)

    def reason():
        curator.get_by_label("Reason").select_option(label="Off topic")

    decide("Reject", "Reject", reason)
    end_undo_window(daemon)
    wait(lambda: len(sink.messages) == 2, "the contributor is notified of the rejection")
    check("was rejected: Off topic." in sink.messages[-1].get_content(), "with the label of its reason")
    visitor.goto(sent["status_page"])
    screenshots.take("status-rejected", visitor)
    visitor.get_by_label("Reason for your appeal").fill("It is about a city: ours.")
    visitor.get_by_role("button", name="Send appeal").click()
    check(visitor.get_by_text("We received your appeal.").count() == 1, "the contributor appeals")
    screenshots.take("status-appealed", visitor)
    curator.goto(review)
    check(curator.get_by_text("It is about a city: ours.").count() > 0, "the curator sees the appeal")
    screenshots.take("review-appeal", curator)
    curator.goto(daemon.url + "/queue")
    check(curator.get_by_text("Appealed", exact=True).locator("visible=true").count() > 0, "and the queue marks it")
    code, out, _ = daemon.command("queue", "show", sent["id"])
    check(code == 0 and "c…@example.org" in out and "appeal: It is about a city" in out and "carl@" not in out,
          "queue show prints the appeal and masks the email address")
    decide("Reject", "Reject", reason)
    end_undo_window(daemon)
    wait(lambda: len(sink.messages) == 3, "the contributor is notified of the decision on the appeal")
    visitor.goto(sent["status_page"])
    check(visitor.get_by_role("button", name="Send appeal").count() == 0, "there is no second appeal")

    curator.goto(review)
    curator.get_by_role("button", name="Send a new status link").click()
    wait(lambda: len(sink.messages) == 4, "the contributor gets a new link by email")
    check("/s/" not in curator.content(), "and the curator does not see it")
    check(visitor.goto(sent["status_page"]).status == 404 and visitor.goto(link(sink.messages[-1])).status == 200,
          "the old link no longer opens, the new one does")
    check(len(sink.messages) == len({m["message-id"] for m in sink.messages}) == 4, "each email was sent once")
    check(daemon.sql("select count(*) from ops.outbox_message where body like '%/s/%'") == [(0,)], "the database contains no link")


def notes(daemon, browser, admin, folder, screenshots):
    """Notes at fields: from the reviewer's form to the contributor's, to the resubmission and the next reviewer."""
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(admin)
    curator = context.new_page()
    sent = submit(daemon, "Night ferry")
    review = f"{daemon.url}/queue/{sent['id']}"
    curator.goto(review)
    decision(curator, "Request changes").click()
    curator.get_by_label("Changes needed").fill("Nearly there.")
    curator.locator("summary", has_text="Notes at fields").click()
    curator.locator("#field-note-title").fill("Say which ferry.")
    curator.locator("#field-note-body").fill("When does it run?\nAnd from where?")
    curator.get_by_role("button", name="Request changes", exact=True).click()
    visitor = browser.new_context(java_script_enabled=False).new_page()
    visitor.goto(sent["status_page"])
    check(visitor.locator("#field-title-note").inner_text().endswith("Say which ferry.")
          and "When does it run?" in visitor.locator("#field-body-note").inner_text(),
          "the reviewer's notes stand at their fields")
    check(visitor.get_by_text("Media library ID").count() == 0 and visitor.get_by_label("Feeds").count() == 0,
          "the form has no words of the team")
    screenshots.take("status-notes", visitor)
    check(visitor.locator("#field-body").input_value() == "By the harbour.", "without script, nobody edits HTML")
    visitor.locator("#field-body").fill("At *eight*, from the harbour.")
    visitor.get_by_role("button", name="Preview: Text").click()
    check(visitor.locator("section.paper em").inner_text() == "eight"
          and visitor.locator("#field-body").input_value() == "At *eight*, from the harbour.",
          "without script, a preview shows the text as readers see it, and keeps it")
    visitor.get_by_role("textbox", name="Title").fill("")
    visitor.get_by_role("textbox", name="Summary").fill("Kept")
    visitor.get_by_role("button", name="Resubmit").click()
    check(visitor.locator("#field-title-error").count() == 1
          and visitor.get_by_role("textbox", name="Summary").input_value() == "Kept", "an error keeps what was typed")
    visitor.get_by_role("textbox", name="Title").fill("Night ferry to the island")
    visitor.get_by_label("Choose an image").set_input_files(submission_forms.png(folder))
    visitor.get_by_label("What the image shows").fill("A ferry")
    visitor.get_by_role("button", name="Resubmit").click()
    check(visitor.locator("dd img").count() == 1, "the contributor resubmits it with an image, which the page shows")
    screenshots.take("status-resubmitted", visitor)
    curator.goto(review)
    check(curator.get_by_text("Say which ferry.").count() > 0, "the next reviewer sees the notes")
    screenshots.take("review-notes", curator)


def main():
    options = read_options(__doc__)
    path = folder()
    sink = Sink(path)
    sink.start()
    daemon = Daemon(os.path.abspath(options.program), path, sink)
    step(publish, daemon)
    with browser() as chromium:
        run_step = partial(step, browser=chromium)
        admin = run_step(sign_in, daemon, chromium)
        run_step(journey, daemon, sink, chromium, admin, Screenshots(chromium, options.shots))
        run_step(notes, daemon, chromium, admin, path, Screenshots(chromium, options.shots))
        submission_forms.journey(daemon, sink, chromium, admin, path, options.shots)
    log = daemon.logged()
    check("carl@example.org" not in log and "mo@example.org" not in log and "Okafor" not in log and "/s/" not in log, "S44: the log contains neither the email address nor a link")
    finish()


if __name__ == "__main__":
    main()
