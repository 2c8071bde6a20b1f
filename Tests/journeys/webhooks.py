#!/usr/bin/env python3
"""Tests webhook deliveries from a real daemon to the receiver of docs/how-to/receive-webhooks.md, with the reference library.

    webhooks.py --program .build/debug/vitrine

Prints a line per check; ends with "N passed, N failed".
"""
import argparse
import json
import os
import re
import subprocess
import sys
import threading

from checks import check, finish, step
from patience import wait
from run import Daemon
from workspace import ROOT, folder, port, responds, start


class Receiver:
    """The example program of the documentation."""

    def __init__(self, folder, port):
        with open(os.path.join(ROOT, "docs/how-to/receive-webhooks.md")) as document:
            program = re.search(r"```python\n(.*?)```", document.read(), re.S).group(1)
        self.path, self.port, self.lines = os.path.join(folder, "receiver.py"), port, []
        with open(self.path, "w") as file:
            file.write(program)

    def start(self, secret):
        environment = {**os.environ, "SECRET": secret, "PORT": str(self.port)}
        self.process = start([sys.executable, self.path], env=environment, stdout=subprocess.PIPE, text=True)
        threading.Thread(target=lambda pipe: [self.lines.append(line.strip()) for line in pipe],
                         args=[self.process.stdout], daemon=True).start()
        wait(lambda: responds(self.port), "the receiver listens")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def journey(daemon, receiver):
    def command(*arguments, stdin=None):
        code, out, error = daemon.command(*arguments, stdin=stdin)
        if code:
            check(False, f"{arguments}: {error}")
        return [json.loads(line) for line in out.splitlines()]

    created = command("webhook", "create", f"http://127.0.0.1:{receiver.port}/hooks", "--json")[0]
    hook = created["id"]
    receiver.start(created["secret"])
    command("webhook", "test", hook, "--json")
    wait(lambda: receiver.lines == ["webhook.test None None"], "S41: the reference library accepts the signature of a test")

    entry = command("entry", "create", "-", "--type", "category", "--publish", "--json", stdin=json.dumps(
        {"title": "Harbours", "group": "00000000-0000-7000-8000-000000000011"}))[0]["id"]
    wait(lambda: receiver.lines[1:] == ["entry.published harbours 1"], "S41: a publication is delivered")

    receiver.stop()
    for title in ("Harbours and piers", "Piers"):
        command("entry", "update", entry, "-", "--publish", "--json", stdin=json.dumps({"title": title}))
    wait(lambda: command("webhook", "show", hook, "--json")[0]["last_delivered"] is False, "a failed delivery is shown")
    receiver.start(created["secret"])
    wait(lambda: daemon.retry_messages() or len(receiver.lines) >= 4, "it gets the missed deliveries")
    check(receiver.lines[2:] == ["entry.updated harbours 2", "entry.updated harbours 3"], "R20: once each and in order")

    new = command("webhook", "rotate", hook, "--json")[0]["secret"]
    command("webhook", "test", hook, "--json")
    wait(lambda: len(receiver.lines) == 5, "S41: during a rotation the old secret is valid")
    receiver.stop()
    receiver.start(new)
    delivery = command("webhook-delivery", "list", hook, "--json")[-2]
    command("webhook", "replay", hook, "--delivery", delivery["id"], "--json")
    wait(lambda: receiver.lines[5:] == ["entry.published harbours 1"], "and so is the new one; a delivery is replayed")

    receiver.stop()
    receiver.start("whsec_" + "QUFB" * 8)
    command("webhook", "test", hook, "--json")
    wait(lambda: command("webhook", "show", hook, "--json")[0]["last_status"] == 401 and len(receiver.lines) == 6,
         "S41: a receiver with another secret rejects deliveries")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    path = folder()
    receiver = Receiver(path, port())
    daemon = Daemon(os.path.abspath(options.program), os.path.join(path, "data"), environment={
        "VITRINE_WEBHOOKS_ALLOW_HTTP": "true", "VITRINE_WEBHOOKS_ALLOW_PRIVATE": f"127.0.0.1:{receiver.port}"})
    step(journey, daemon, receiver)
    finish()


if __name__ == "__main__":
    main()
