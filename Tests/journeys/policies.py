#!/usr/bin/env python3
"""Settings mean the same at every interface: in the browser, in bulk, in the API and on the command line.

    policies.py --program .build/debug/vitrine

Starts a daemon with other settings than the defaults, lets each interface do the same, and compares what happened. Prints a
line per check; ends with "N passed, N failed".
"""
import argparse
import json
import os
import struct
import sys
import zlib

import contributors
from checks import check, finish, step
from delivery import fetch
from layout import decision
from patience import browser, wait
from run import Daemon
from workspace import folder

INTERFACES = ("browser", "bulk", "API", "command line")


class World:
    """A daemon with these settings, a curator in a browser, and one submission for each interface."""

    def __init__(self, program, browser, settings, *options, role="publisher"):
        self.folder = folder()
        self.daemon = Daemon(program, os.path.join(self.folder, "data"), *options,
                             environment={f"VITRINE_{name}": value for name, value in settings.items()})
        self.client = self.daemon.info["client"]
        self.email = f"{role}@vitrine.example"
        self.page = browser.new_context(java_script_enabled=False).new_page()
        self.daemon.sign_in(self.page, self.command("account", "create", self.email, "--name", "Robin", "--role", role))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.page.context.close()
        check(self.daemon.stop() == 0, "the daemon ends when it is told to")

    def run(self, *words):
        """The exit status, and what was printed, of a command with the settings of the daemon."""
        return self.daemon.command(*words)

    def command(self, *words):
        code, out, error = self.run(*words, "--json")
        if code:
            sys.exit(f"vitrine {' '.join(words)}: {error}")
        return json.loads(out)

    def list(self, *words):
        """What a command lists: a JSON document on each line."""
        return [json.loads(line) for line in self.run(*words, "--json")[1].splitlines()]

    def api(self, method, path, document):
        code, _, body = fetch(self.daemon.url + path, self.client, {"Content-Type": "application/json"}, method,
                              json.dumps(document).encode())
        return code, json.loads(body)

    def submit(self, title):
        code, body = self.api("POST", "/v1/submissions", {
            "type": "article", "contributor": "u-1", "contributor_email": "u-1@reader.example",
            "fields": {"title": title, "body": "<p>Text.</p>"}})
        if code != 201:
            sys.exit(f"submission: {body}")
        return body["id"]

    def submissions(self):
        return {name: self.submit(f"By {name}") for name in INTERFACES}

    def state(self, submission):
        return json.loads(fetch(self.daemon.url + f"/v1/submissions/{submission}", self.client)[2])["state"]

    def publication(self):
        return json.loads(fetch(self.daemon.url + "/v1/publication", self.client)[2])["number"]

    def main(self):
        return " ".join(self.page.locator("main").inner_text().split())

    # One decision at each interface. Each returns what the interface says.

    def approve(self, name, submission):
        page = self.page
        if name == "browser":
            page.goto(f"{self.daemon.url}/queue/{submission}")
            if page.get_by_label("Now").count():
                page.get_by_label("Now").check()
            page.locator("button[name=verdict][value=approve]").click()
            return self.main()
        if name == "bulk":
            page.goto(f"{self.daemon.url}/queue?q=By+bulk")
            page.locator("[data-select]").first.check()
            page.locator("[data-all]").check()
            page.get_by_role("button", name="Approve…").click()
            if page.get_by_label("Now").count():
                page.get_by_label("Now").check()
            page.get_by_role("button", name="Approve 1 submission").click()
            return self.main()
        if name == "API":
            return json.dumps(self.api("POST", f"/v1/submissions/{submission}/decision", {"verdict": "approve"}))
        return str(self.run("queue", "approve", submission))

    def reject(self, name, submission):
        page = self.page
        if name == "browser":
            self.open_rejection(submission)
            return self.send_rejection()
        if name == "bulk":
            page.goto(f"{self.daemon.url}/queue?q=By+bulk")
            page.locator("[data-select]").first.check()
            page.locator("[data-all]").check()
            page.get_by_role("button", name="Reject…").click()
            page.get_by_label("Reason").select_option("off_topic")
            page.get_by_role("button", name="Reject 1 submission").click()
            return self.main()
        if name == "API":
            return json.dumps(self.api("POST", f"/v1/submissions/{submission}/decision",
                                       {"verdict": "reject", "reason": "off_topic"}))
        return str(self.run("queue", "reject", submission, "--reason", "off_topic"))

    def open_rejection(self, submission):
        self.page.goto(f"{self.daemon.url}/queue/{submission}")
        decision(self.page, "Reject").click()
        self.page.get_by_label("Reason").select_option("off_topic")

    def send_rejection(self):
        self.page.get_by_role("button", name="Reject", exact=True).click()
        return self.main()


def delay(program, browser):
    """review.publish_delay_seconds, and review.undo_window_minutes with its default."""
    with World(program, browser, {"REVIEW_PUBLISH_DELAY_SECONDS": "3600", "TASKS_POLL_MS": "200"}) as world:
        contributors.publish(world.daemon)
        before = world.publication()
        submissions = world.submissions()
        for name, submission in submissions.items():
            said = world.approve(name, submission)
            check(world.state(submission) == "approved", f"{name}: the submission is approved: {said[:200]}")
        scheduled = [release for release in world.list("release", "list") if release["state"] == "scheduled"]
        check(len(scheduled) == len(INTERFACES), f"an approval at each interface waits for the delay: {len(scheduled)}")
        check(world.publication() == before, "and none is published before")
        world.daemon.sql("update ops.outcome set decided_at = decided_at - interval '10 minutes' where submission_id = %s",
                         [submissions["API"]])
        wait(lambda: world.list("task", "list", "--kind", "mail"), "a contributor is notified when the undo window has ended")
        check(len(world.list("task", "list", "--kind", "mail")) == 1, "and no contributor before")


def assigned(program, browser):
    """review.assigned_only: operators count as administrators."""
    with World(program, browser, {"REVIEW_ASSIGNED_ONLY": "true"}, role="curator") as world:
        submissions = world.submissions()
        world.run("account", "create", "ann@vitrine.example", "--name", "Ann", "--role", "editor")
        # The page of an assigned submission has no form, so the browser sends one that was open before.
        world.open_rejection(submissions["browser"])
        for submission in submissions.values():
            world.command("queue", "assign", submission, "--to", "ann@vitrine.example")
        for name, submission in submissions.items():
            said = world.send_rejection() if name == "browser" else world.reject(name, submission)
            if name == "command line":
                check(world.state(submission) == "rejected", f"{name}: an operator may decide it: {said[:200]}")
            else:
                check(world.state(submission) == "pending" and any(
                    text in said for text in ("is assigned to Ann", "Assigned to someone else")),
                      f"{name}: others may not decide an assigned submission: {said[-200:]}")
                if name == "browser":
                    world.page.goto(f"{world.daemon.url}/queue/{submission}")
                    check("is assigned to Ann" in world.main() and world.page.locator("[name=verdict]").count() == 0,
                          f"{name}: and its page says so instead of forms")
                world.command("queue", "assign", submission)
                world.reject(name, submission)
                check(world.state(submission) == "rejected", f"{name}: but one that is not assigned")


def undo_window(program, browser):
    """review.undo_window_minutes, in the background for all interfaces."""
    with World(program, browser, {"REVIEW_UNDO_WINDOW_MINUTES": "0"}) as world:
        contributors.publish(world.daemon)
        for name, submission in world.submissions().items():
            world.reject(name, submission)
        wait(lambda: len(world.list("task", "list", "--kind", "mail")) == len(INTERFACES),
             lambda: f"without an undo window, the contributor of each decision gets a mail: {world.list('task', 'list', '--kind', 'mail')}")


def png(width, height, extra=0):
    """A gray image of this size; `extra` bytes of text make the file longer."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes([40 + y % 200]) * width for y in range(height))
    text = chunk(b"tEXt", b"Comment\0" + b"x" * extra) if extra else b""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) + text
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def media(program, browser):
    """media.max_bytes, media.max_pixels and media.widths."""
    settings = {"MEDIA_MAX_BYTES": "4096", "MEDIA_MAX_PIXELS": "10000", "MEDIA_WIDTHS": "16 32"}
    # The demo's images are larger.
    with World(program, browser, settings, "--empty") as world:
        def upload(name, path):
            if name == "browser":
                world.page.goto(world.daemon.url + "/media")
                world.page.locator("#file").set_input_files(path)
                world.page.get_by_label("Alternative text").first.fill("A gray square")
                world.page.get_by_role("button", name="Add images").click()
                return "/media/" in world.page.url, world.main()
            if name == "API":
                with open(path, "rb") as file:
                    body = (b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n" + file.read()
                            + b"\r\n--b\r\nContent-Disposition: form-data; name=\"alt\"\r\n\r\nA gray square\r\n--b--\r\n")
                code, _, answer = fetch(world.daemon.url + "/v1/media", world.client,
                                        {"Content-Type": "multipart/form-data; boundary=b"}, "POST", body)
                return code in (200, 201), answer.decode()
            code, out, error = world.run("media", "create", path, "--alt", "A gray square")
            return code == 0, out + error

        sizes = {"too long": (png(20, 20, 4096), "the limit is 4096"), "with too many pixels": (png(101, 100), "the limit is 10000 pixels")}
        for problem, (image, word) in sizes.items():
            path = os.path.join(world.folder, "wrong.png")
            with open(path, "wb") as file:
                file.write(image)
            for name in ("browser", "API", "command line"):
                is_kept, said = upload(name, path)
                check(not is_kept and word in said, f"{name}: an image {problem} is refused: {said[-200:]}")
        for number, name in enumerate(("browser", "API", "command line")):
            path = os.path.join(world.folder, f"{number}.png")
            with open(path, "wb") as file:
                file.write(png(100, 90 + number))
            is_kept, said = upload(name, path)
            check(is_kept, f"{name}: an image at the limits is kept: {said[-200:]}")
        shown = [world.command("media", "show", image["id"]) for image in world.list("media", "list")]
        widths = [sorted(file["width"] for file in image["files"]) for image in shown]
        check(len(widths) == 3 and all(found == widths[0] and {16, 32} <= set(found) for found in widths),
              f"each interface makes the same renditions: {widths}")


def sign_in(program, browser):
    """login.*: people sign in to pages only."""
    with World(program, browser, {"LOGIN_ATTEMPTS_PER_ACCOUNT": "2", "LOGIN_SECOND_FACTOR_ROLES": "publisher"}) as world:
        check("/account/second-factor" in world.page.url or "second factor" in world.main().lower(),
              f"a role that needs a second factor sets it up first: {world.page.url}")
        page = browser.new_context(java_script_enabled=False).new_page()
        said = []
        for _ in range(3):
            page.goto(world.daemon.url + "/login")
            page.get_by_label("Email").fill(world.email)
            page.get_by_label("Password", exact=True).fill("not the password")
            page.get_by_role("button", name="Sign in", exact=True).click()
            said.append(page.locator("main").inner_text())
        check("oo many" in said[2] and "oo many" not in said[1], f"the third attempt has to wait: {said[2][:200]}")
        check(fetch(world.daemon.url + "/v1/items", world.client)[0] == 200, "API clients are not people, and go on")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    with browser() as chromium:
        for part in (delay, assigned, undo_window, media, sign_in):
            step(part, program, chromium)
    finish()


if __name__ == "__main__":
    main()
