#!/usr/bin/env python3
"""Asks the external classifier of docs/how-to/screen-submissions.md about submissions, and one that is slow, wrong and gone.

    classifiers.py --program .build/debug/vitrine [--shots FOLDER]

A real daemon asks a real service, which verifies signatures with the reference library; pages are read in a browser without
JavaScript. With --shots it also takes screenshots in light, dark and phone width, and runs axe on them. Prints a line per check;
ends with "N passed, N failed".
"""
import base64
import http.server
import json
import os
import re
import subprocess
import sys
import threading

from standardwebhooks import Webhook

from checks import check, finish, read_options, step
from moderation import shot_page
from patience import browser, seconds, wait
from policies import World
from submission_forms import shoot
from workspace import ROOT, folder, port, responds, start

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
MEMBERS = {"submission", "type", "language", "title", "text", "is_cut", "hosts", "contributor"}


class Example:
    """The example service of the guide."""

    def __init__(self, folder, port):
        with open(os.path.join(ROOT, "docs/how-to/screen-submissions.md")) as document:
            program = re.search(r"```python\n(.*?)```", document.read(), re.S).group(1)
        path = os.path.join(folder, "classifier.py")
        with open(path, "w") as file:
            file.write(program)
        self.process = start([sys.executable, path], env={**os.environ, "SECRET": SECRET, "PORT": str(port)},
                             stderr=subprocess.DEVNULL)
        wait(lambda: responds(port), "the service of the guide listens")

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Service:
    """Records what it is asked, if the reference library accepts the signature, and answers what it is told to."""

    def __init__(self, port):
        self.questions, self.refused, self.answer = [], 0, lambda: (200, b"{}")
        service, webhook = self, Webhook(SECRET)

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                try:
                    service.questions.append(webhook.verify(body, dict(self.headers)))
                except Exception:
                    service.refused += 1
                status, answer = service.answer()
                self.send_response(status)
                self.end_headers()
                try:
                    self.wfile.write(answer)
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def settings(port):
    return {"ENVIRONMENT": "development", "CLASSIFIER_URL": f"http://127.0.0.1:{port}/", "CLASSIFIER_SECRET": SECRET,
            "CLASSIFIER_TIMEOUT_MS": str(min(30_000, 1000 * seconds(1))), "METRICS_TOKEN": "metrics-of-the-journey"}


def shown(world, submission):
    return world.command("queue", "show", submission)


def answered(world, submission):
    wait(lambda: (shown(world, submission)["classifier"] or {}).get("state") not in (None, "waiting"), "there is an answer")
    return shown(world, submission)["classifier"]


def screened(world, submission):
    wait(lambda: shown(world, submission)["score"] is not None, "a submission is screened")


def right(world, folder, port, browser, shots):
    service = Example(folder, port)
    quiet, loud = world.submit("A quiet walk"), world.submit("BUY NOW")
    found = answered(world, loud)
    check(found["state"] == "scored" and found["score"] == 80 and found["reasons"] == ["The title is in capitals"],
          f"S41: the example service of the guide accepts the signature and answers: {found}")
    check(answered(world, quiet)["score"] == 5, "and answers about others")
    page = world.page
    page.goto(f"{world.daemon.url}/queue/{loud}")
    check("External classifier: 80" in world.main() and "The title is in capitals" in world.main()
          and "capitals 1, answered" in world.main(), "the review page shows score, reasons and service")
    listed = world.daemon.get("/v1/queue")[1]["data"]
    check({line["title"]: line["classifier"]["score"] for line in listed} == {"A quiet walk": 5, "BUY NOW": 80},
          "the API returns it")
    page.goto(world.daemon.url + "/queue")
    check(page.locator(".tags").get_by_text("External 80", exact=True).count() == 1, "the queue says it beside the risk")
    scripted = shot_page(world, browser)
    scripted.goto(f"{world.daemon.url}/queue/{loud}")
    shoot(scripted, shots, "classifier-review")
    service.stop()


def wrong(world, service):
    slow = threading.Event()
    for title, answer, problem in (
            ("Redirected", lambda: (302, b""), "status 302"), ("Broken", lambda: (500, b""), "status 500"),
            ("Garbage", lambda: (200, b"<html>"), "not valid JSON"), ("Too high", lambda: (200, b'{"score": 101}'), "whole number"),
            ("Slow", lambda: (slow.wait(), (200, b'{"score": 1}'))[1], "did not respond")):
        service.answer = answer
        submission = world.submit(title)

        def has_failed():
            # A second attempt would count as another failure.
            found = world.daemon.sql("update curation.classification set next_at = clock_timestamp() + interval '1 day' "
                                     "where submission_id = %s and problem is not null returning problem", [submission])
            return found and problem in found[0][0]

        wait(has_failed, f"{title}: a failure with its reason")
        screened(world, submission)
        found = shown(world, submission)
        check(problem in found["classifier"]["problem"] and found["state"] == "pending", f"{title}: shown, and screened as ever")
    slow.set()
    check(service.refused == 0 and all(set(question["data"]) == MEMBERS for question in service.questions),
          "S41: each question was signed, and had the documented members only")
    sent = json.dumps(service.questions)
    check("u-1" not in sent and "reader.example" not in sent, "and neither the contributor's reference nor an email address")


def stopped(world, service, browser, shots):
    """Five failures in a row have opened the breaker."""
    service.answer = lambda: (200, b'{"score": 7}')
    world.daemon.sql("update ops.classifier set open_until = clock_timestamp() + interval '1 day' where open_until is not null")
    code, out, _ = world.run("doctor")
    check(code == 1 and "FAIL  classifier calls" in out, "doctor reports the open breaker")
    page = world.page
    page.goto(world.daemon.url + "/screening")
    check("Paused after failures" in world.main() and "Failures today" in world.main(), "the screening page says so")
    scripted = shot_page(world, browser)
    scripted.goto(page.url)
    shoot(scripted, shots, "classifier-status")
    asked = len(service.questions)
    submission = world.submit("While it is paused")
    screened(world, submission)
    page.goto(f"{world.daemon.url}/queue/{submission}")
    check("No answer yet" in world.main(), "and shown meanwhile")
    page.locator("button[name=verdict][value=approve]").click()
    check(world.state(submission) == "approved" and len(service.questions) == asked, "and approved, and nothing was asked")
    world.daemon.sql("update ops.classifier set open_until = clock_timestamp();"
                     "update curation.classification set next_at = clock_timestamp() where state = 'waiting'")
    wait(lambda: len(service.questions) > asked, "after the pause the service is asked again")
    wait(lambda: world.run("doctor")[1].count("ok    classifier calls") == 1, "its answer closes the breaker")
    metrics = subprocess.run(["curl", "-s", "-H", "Authorization: Bearer metrics-of-the-journey", world.daemon.url + "/metrics"],
                             capture_output=True, text=True).stdout
    check('vitrine_classifier_breaker{state="closed"} 1' in metrics
          and 'vitrine_classifier_submissions_total{result="failed"} 5' in metrics, "metrics count it")
    _, out, _ = world.run("config", "show")
    check(SECRET not in out and "classifier.secret" in out, "the configuration shows no secret")


def off(program, browser):
    with World(program, browser, {}, "--empty") as world:
        submission = world.submit("Alone")
        screened(world, submission)
        check(shown(world, submission)["classifier"] is None, "without a classifier there is no answer")
        world.page.goto(f"{world.daemon.url}/queue/{submission}")
        check("External classifier" not in world.main(), "and no trace of one on the review page")
        world.page.goto(world.daemon.url + "/screening")
        check("External classifier Off" in world.main(), "the screening page says that it is off")


def main():
    options = read_options(__doc__)
    program = os.path.abspath(options.program)
    with browser() as chromium:
        # Of two services, one after the other.
        own = port()
        with World(program, chromium, settings(own), "--empty") as world:
            step(right, world, folder(), own, chromium, options.shots)
            service = Service(own)
            step(wrong, world, service)
            step(stopped, world, service, chromium, options.shots)
            service.stop()
        step(off, program, chromium)
    finish()


if __name__ == "__main__":
    main()
