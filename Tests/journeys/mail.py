#!/usr/bin/env python3
"""Tests invitations and password resets with a real daemon, a real mail server (aiosmtpd, STARTTLS, authentication) and browser.

    mail.py --program .build/debug/vitrine

Prints a line per check; ends with "N passed, N failed".
"""
import argparse
import email
import email.policy
import json
import os
import re
import ssl
import subprocess

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

import run
from checks import check, finish, step
from patience import browser, seconds, wait
from workspace import folder, port

USER, PASSWORD = "vitrine", "correct-horse-battery-7f3a"
CHOSEN, NEXT = "nine velvet otters sing", "seven quiet herons wade"


class Sink:
    """A mail server that keeps accepted mails, rejects some, and requires TLS and the password."""

    def __init__(self, folder):
        # Reserved, because it stops and comes back.
        self.port, self.messages, self.refused, self.is_locked = port(), [], [], False
        self.certificate, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", self.certificate],
            check=True, capture_output=True)
        os.chmod(self.certificate, 0o644)
        self.context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.context.load_cert_chain(self.certificate, key)

    def start(self):
        def authenticate(server, session, envelope, mechanism, data):
            right = not self.is_locked and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
            return AuthResult(success=right, handled=False)

        self.listen(tls_context=self.context, require_starttls=True, authenticator=authenticate, auth_required=True,
                    auth_require_tls=True)

    def start_plain(self):
        """Simulates a man in the middle: without TLS, accepting any password."""
        self.listen(auth_require_tls=False, authenticator=lambda *_: AuthResult(success=True))

    def listen(self, **options):
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port, ready_timeout=seconds(5), **options)
        self.controller.start()

    def stop(self):
        self.controller.stop()

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            self.refused.append(address)
            return "550 5.1.1 No such user here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        message.envelope = (envelope.mail_from, envelope.rcpt_tos)
        self.messages.append(message)
        return "250 Accepted"

    def to(self, address):
        return [m for m in self.messages if m.envelope[1] == [address]]


class Daemon(run.Daemon):
    """A daemon that sends to the mail server."""

    def __init__(self, program, folder, sink):
        self.log = os.path.join(folder, "log")
        super().__init__(program, os.path.join(folder, "data"), log=self.log, environment={
            "VITRINE_MAIL_URL": f"smtp://localhost:{sink.port}", "VITRINE_MAIL_FROM": "no-reply@example.org",
            "VITRINE_MAIL_FROM_NAME": "Grüße, Vitrine", "VITRINE_MAIL_USER": USER, "VITRINE_MAIL_PASSWORD": PASSWORD,
            "VITRINE_MAIL_CA_FILE": sink.certificate, "VITRINE_LOG_LEVEL": "debug"})

    def mails(self):
        return [json.loads(line) for line in self.command("task", "list", "--kind", "mail", "--json")[1].splitlines()]

    def logged(self):
        with open(self.log) as file:
            return file.read()


def link(message):
    return re.search(r"http://\S+", message.get_content()).group(0)


def invitation(daemon, sink, page):
    code, _, error = daemon.command("account", "invite", "ann@example.org", "--name", "Ann Ödegård", "--role", "editor")
    check(code == 0, "B60: a person is invited " + error.strip())
    wait(lambda: daemon.mails()[0].get("last_error"), "sending is attempted")
    first = daemon.mails()[0]
    check(first["result"] == "waiting" and "onnect" in first["last_error"],
          f"an unreachable mail server keeps the mail queued, with the reason: {first['last_error']}")
    code, _, error = daemon.command("account", "invite", "ANN@example.org", "--name", "Ann", "--role", "editor")
    check(code != 0 and "already" in error and len(daemon.mails()) == 1, "B60: an email address in use gets no second mail")

    sink.start()
    wait(lambda: daemon.retry_messages() or daemon.mails()[0]["result"] == "sent", "B60: once the server is up the mail is sent")
    check(len(sink.messages) == 1, "over STARTTLS, authenticated, and once")
    message = sink.messages[0]
    check(message.envelope == ("no-reply@example.org", ["ann@example.org"]), "the envelope has the right sender and recipient")
    check(str(message["subject"]) == "You've been invited" and message["message-id"] == f"<{first['id']}@example.org>",
          "the subject is the published text, the Message-ID is derived from the row's id")
    check("Grüße, Vitrine" in str(message["from"]) and "Hello Ann Ödegård," in message.get_content(), "UTF-8 arrives unchanged")

    page.goto(link(message))
    page.goto(link(message))
    check(page.locator("h1").inner_text() == "Welcome", "S43: opening the link doesn't use it")
    page.get_by_label("Your name").fill("Ann of the sea")
    page.get_by_label("Password", exact=True).fill("short")
    page.get_by_role("button", name="Set password and continue").click()
    check("at least 12" in page.content() and page.get_by_label("Your name").input_value() == "Ann of the sea",
          "W4: a short password is refused, and the input is kept")
    page.get_by_label("Password", exact=True).fill(CHOSEN)
    page.get_by_role("button", name="Show password").click()
    field = page.get_by_label("Password", exact=True)
    check(field.get_attribute("type") == "text" and field.input_value() == CHOSEN, "B19: the password is shown on demand, without JavaScript")
    page.get_by_role("button", name="Hide password").click()
    field = page.get_by_label("Password", exact=True)
    check(field.get_attribute("type") == "password" and field.input_value() == CHOSEN, "B19: and hidden again")
    page.get_by_role("button", name="Set password and continue").click()
    check(page.url == daemon.url + "/" and "Ann of the sea" in page.content(), "B60: the invited person is signed in")
    page.goto(link(message))
    check("already used" in page.content(), "S43: the link works once")


def forgotten(daemon, sink, page):
    other = page.context.browser.new_context(java_script_enabled=False).new_page()
    responses = []
    for address in ("nowhere@example.org", "ann@example.org"):
        other.goto(daemon.url + "/login")
        other.get_by_role("link", name="Forgot password?").click()
        other.get_by_label("Email").fill(address)
        other.get_by_role("button", name="Send reset link").click()
        responses.append(other.locator("main").inner_text().replace(address, "…"))
    check(responses[0] == responses[1] and "is on its way" in responses[0], "B21: known and unknown email addresses get the same page")
    wait(lambda: len(sink.to("ann@example.org")) == 2, "B21: an account gets a mail")
    check(not sink.to("nowhere@example.org"), "B21: an unknown email address gets none")
    message = sink.to("ann@example.org")[1]
    other.goto(link(message))
    other.get_by_label("Password", exact=True).fill(NEXT)
    other.get_by_role("button", name="Set password").click()
    check(other.url == daemon.url + "/", "B21: setting it signs in")
    page.goto(daemon.url + "/queue")
    check("/login" in page.url, "S14: the other session is ended")
    page.get_by_label("Email").fill("ann@example.org")
    page.get_by_label("Password", exact=True).fill(CHOSEN)
    page.get_by_role("button", name="Sign in").click()
    check("Wrong email or password" in page.content(), "B21: the old password no longer works")
    page.get_by_label("Password", exact=True).fill(NEXT)
    page.get_by_role("button", name="Sign in").click()
    check(page.url == daemon.url + "/queue", "B21: the new one does")
    other.context.close()
    return [link(message)]


def trouble(daemon, sink):
    """Errors of the server or connection, not of the mail, are retried."""
    def invite(address):
        daemon.command("account", "invite", address, "--name", "Later", "--role", "curator")
        wait(lambda: daemon.mails()[0].get("last_error"), f"the mail to {address} is attempted")
        return daemon.mails()[0]

    sink.is_locked = True
    mail = invite("locked@example.org")
    check(mail["result"] == "waiting" and "535" in mail.get("last_error", ""), f"a failed authentication is retried: {mail['last_error']}")
    sink.stop()
    sink.start_plain()
    mail = invite("plain@example.org")
    check(mail["result"] == "waiting" and "SSL" in mail.get("last_error", ""), f"a server without TLS gets nothing: {mail['last_error']}")
    check(not sink.to("plain@example.org"), "neither the mail nor the password")
    sink.stop()
    sink.is_locked = False
    sink.start()
    wait(lambda: daemon.retry_messages() or all(m["result"] == "sent" for m in daemon.mails()), "after the server is fixed all are sent")
    check(sink.to("locked@example.org") and sink.to("plain@example.org"), "and both mails arrive")
    check(len(sink.messages) == len({m["message-id"] for m in sink.messages}), "each of them once")


def refused(daemon, sink, page):
    daemon.command("account", "invite", "nobody@example.org", "--name", "Nobody", "--role", "curator")
    wait(lambda: daemon.mails()[0]["result"] == "failed", "a mail rejected by the server has failed")
    check(sink.refused == ["nobody@example.org"], "after one attempt")
    code, out, _ = daemon.command("sign-in-link", "create", "admin@vitrine.example", "--json")
    page.context.clear_cookies()
    page.goto(daemon.url + "/login/" + json.loads(out)["sign_in_url"].rsplit("/", 1)[1])
    page.get_by_role("button", name="Sign in").click()
    page.goto(daemon.url + "/tasks?kind=mail&state=failed")
    check(page.get_by_text("550 5.1.1 No such user here").count() == 1, "the page shows it with the server's response")
    page.goto(daemon.url + "/accounts")
    check(page.locator("main").get_by_text("Invitation failed").count() == 1, "and so does the list of accounts")
    code, out, _ = daemon.command("doctor", "--json")
    check(code == 1 and '"1 failed' in out.replace("0 queued, ", '"'), "and vitrine doctor")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    path = folder()
    sink = Sink(path)
    daemon = Daemon(os.path.abspath(options.program), path, sink)
    with browser() as chromium:
        page = chromium.new_context(java_script_enabled=False).new_page()
        step(invitation, daemon, sink, page)
        secrets = [PASSWORD, CHOSEN, NEXT] + forgotten(daemon, sink, page)
        secrets += [link(m).rsplit("/", 1)[1] for m in sink.messages]
        step(trouble, daemon, sink)
        step(refused, daemon, sink, page)
    log = daemon.logged()
    check("mail sent" in log and not [s for s in secrets if s in log], "S44: the log contains the mails but no secret")
    finish()


if __name__ == "__main__":
    main()
