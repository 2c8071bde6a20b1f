#!/usr/bin/env python3
"""Tests what operators get wrong, with real programs: another data folder or key, another user, an empty or misspelt variable,
SIGHUP, missing grants after a restore, and a pooler in transaction mode.

    operations.py --program .build/debug/vitrine

Prints a line per check; ends with "N passed, N failed". The checks of other users need root.
"""
import argparse
import base64
import json
import os
import pwd
import shutil
import signal
import subprocess
from urllib.parse import parse_qs, urlsplit

from checks import check, finish
from delivery import png, readiness
from patience import DATABASE, seconds, wait
from run import Daemon
from workspace import folder, listening, port, start


class Operator:
    """Runs commands and daemons on one database, each with a data folder of its own choice."""

    def __init__(self, program, url, folder):
        self.program = program
        self.url = url
        self.folder = folder
        self.served = 0

    def environment(self, data, **variables):
        own = {name: value for name, value in os.environ.items() if not name.startswith("VITRINE_")}
        return {**own, **DATABASE, "VITRINE_PACKS": os.environ["VITRINE_PACKS"], "DATABASE_URL": self.url, "VITRINE_DATA_DIR": data,
                **variables}

    def command(self, data, *arguments, prefix=(), stdin=None, **variables):
        done = subprocess.run(
            [*prefix, self.program, *arguments], capture_output=True, text=True, input=stdin, timeout=seconds(120),
            env=self.environment(data, **variables))
        return done.returncode, done.stdout, done.stderr

    def serve(self, data, url=None, **variables):
        """A daemon and its log, which is in the folder."""
        environment = self.environment(data, **variables)
        environment["DATABASE_URL"] = url or self.url
        self.served += 1
        with open(os.path.join(self.folder, f"serve-{self.served}.log"), "w") as log:
            return start([self.program, "serve", "--port", "0"], env=environment, stderr=log, stdout=log), log.name

    def refuses(self, text, what, *arguments, **variables):
        """Checks that a daemon ends with status 2 and this message."""
        process, log = self.serve(*arguments, **variables)
        code = process.wait(seconds(30))
        with open(log) as file:
            check(code == 2 and text in file.read(), what)


def reason(url):
    """Why a daemon is not ready."""
    return readiness(url)[1].get("reason", "")


def other_store(operator, daemon, data, folder):
    """A command or daemon with another data folder changes nothing and says why."""
    other = os.path.join(folder, "other")
    image = os.path.join(folder, "image.png")
    with open(image, "wb") as file:
        file.write(png())
    code, out, error = operator.command(data, "media", "create", image, "--alt", "A dot", "--json")
    check(code == 0, "an image is added with the daemon's data folder " + error)
    for command in (["media", "create", image], ["media", "verify", "--sweep"], ["export", "--file", os.path.join(folder, "all"), "--files"]):
        code, _, error = operator.command(other, *command)
        check(code == 2 and "is not the media store of this database" in error and "vitrine media adopt" in error,
              f"{' '.join(command[:2])} with another data folder is refused: {code} {error.strip()}")
    code, out, _ = operator.command(data, "media", "list", "--json")
    check(json.loads(out.splitlines()[0])["state"] != "missing", "and no image is marked as missing")
    code, _, error = operator.command(other, "webhook", "create", "https://example.org/hook")
    check(code == 2 and "webhooks.key doesn't exist" in error, f"a webhook without the daemon's key is refused: {error.strip()}")
    check(not os.path.exists(other), "and nothing was written there")
    operator.refuses("webhooks.key doesn't exist", "a daemon with another data folder refuses to start, and says why", other)
    key = base64.b64encode(os.urandom(32)).decode()
    operator.refuses("is not the one of this database", "and so does one with another key", data, VITRINE_WEBHOOKS_KEY=key)
    code, out, _ = operator.command(data, "doctor", VITRINE_PUBLIC_URL=daemon.url)
    check("ok    encryption key" in out and "ok    media store" in out, "doctor finds key and store of the daemon")
    code, out, _ = operator.command(other, "doctor")
    check(code == 1 and "FAIL  encryption key" in out and "FAIL  media store" in out, "doctor sees another folder")


def other_user(operator, data, folder):
    """Another user can't add files that the daemon could not read."""
    if os.geteuid() != 0:
        return print("     (not root: other users are not tried)")
    account = pwd.getpwnam("nobody")
    image = os.path.join(folder, "image.png")
    owned = os.path.join(folder, "owned")
    shutil.copytree(os.path.join(data, "media"), os.path.join(owned, "media"))
    shutil.copy(os.path.join(data, "webhooks.key"), owned)
    for path, folders, files in os.walk(owned):
        for name in [path] + [os.path.join(path, file) for file in files]:
            os.chown(name, account.pw_uid, account.pw_gid)
    code, _, error = operator.command(owned, "media", "create", image)
    check(code == 2 and "belongs to user nobody, but this process runs as user root" in error,
          f"root adds nothing to a folder of another user: {error.strip()}")
    code, out, _ = operator.command(owned, "doctor")
    check(code == 1 and "FAIL  media store" in out and "belongs to user nobody" in out, "doctor sees it")
    operator.refuses("belongs to user nobody", "and a daemon as root does not start there", owned)


def hang_up(operator, data):
    """A daemon goes on at SIGHUP, which tools send to reload it."""
    process, log = operator.serve(data)
    wait(lambda: listening(log) and readiness(listening(log))[0] == 200, "a daemon is ready")
    process.send_signal(signal.SIGHUP)

    def logged():
        with open(log) as file:
            return "SIGHUP was ignored" in file.read()
    wait(logged, "SIGHUP is logged")
    check(process.poll() is None and readiness(listening(log))[0] == 200, "and the daemon goes on")
    process.terminate()
    check(process.wait(seconds(60)) == 0, "SIGTERM still ends it")


def second_signal(operator):
    """A second Ctrl-C leaves without waiting, and the database server of `vitrine dev` stops on its own."""
    log = os.path.join(operator.folder, "left.log")
    daemon = Daemon(operator.program, os.path.join(operator.folder, "left"), "--empty", log=log)
    daemon.process.send_signal(signal.SIGINT)

    def stops():
        with open(log) as file:
            return "Stopping." in file.read()
    wait(stops, "vitrine dev stops at the first Ctrl-C")
    daemon.process.send_signal(signal.SIGINT)
    check(daemon.process.wait(seconds(60)) in (0, 130), "vitrine dev ends at a second Ctrl-C")
    wait(lambda: not os.path.exists(os.path.join(daemon.data, "postgres/postmaster.pid")), "and its database server stops")


def variables(operator, data):
    code, _, error = operator.command(data, "entry", "list", DATABASE_URL="")
    check(code == 2 and "DATABASE_URL is empty" in error, f"an empty DATABASE_URL is an error: {error.strip()}")
    code, _, error = operator.command(data, "entry", "list", VITRINE_LISTEN_PROT="1")
    check(code == 0 and "Did you mean VITRINE_LISTEN_PORT?" in error, f"a misspelt variable is reported: {error.strip()}")
    code, out, _ = operator.command(data, "doctor", VITRINE_LISTEN_PROT="1")
    check(code == 1 and "FAIL  configuration: Unknown environment variable VITRINE_LISTEN_PROT" in out, "also by doctor")
    code, _, error = operator.command(
        data, "entry", "create", "-", "--type", "article", stdin=json.dumps({"title": "T", "body": "<p>b</p>"}))
    check(code == 2 and "/fields/categories" in error, f"an article without a category fails when it is created: {error.strip()}")


def adoption(operator, daemon, data, folder):
    """A new key and store, as after the loss of the old ones."""
    fresh = os.path.join(folder, "fresh")
    os.makedirs(fresh)
    with open(os.path.join(fresh, "webhooks.key"), "w") as file:
        file.write(base64.b64encode(os.urandom(32)).decode() + "\n")
    code, out, error = operator.command(fresh, "key", "adopt", "--json")
    plan = json.loads(out)
    check(code == 2 and not plan["adopted"] and "--confirm" in error, "key adopt shows what it would do")
    code, _, _ = operator.command(fresh, "key", "adopt", "--confirm", "0" * 32)
    check(code == 4, "and needs the right fingerprint")
    code, out, error = operator.command(fresh, "key", "adopt", "--confirm", plan["fingerprint"])
    check(code == 0 and "Restart all daemons" in error, "with it the key is adopted " + error)
    wait(lambda: "another encryption key" in reason(daemon.url), "a daemon with the old key is not ready, and says why")
    code, out, _ = operator.command(fresh, "media", "adopt", "--json")
    check(code == 2 and not json.loads(out)["adopted"], "media adopt shows what it would do")
    code, _, _ = operator.command(fresh, "media", "adopt", "--confirm", json.loads(out)["id"])
    check(code == 0, "with the id the store is adopted")
    code, out, _ = operator.command(fresh, "media", "verify")
    check(code == 1 and "files missing" in out, "its images are missing until they are copied")
    code, out, _ = operator.command(fresh, "audit", "list", "--json")
    check("key.adopt" in out and "media.adopt" in out, "both are in the audit trail")
    code, out, _ = operator.command(data, "key", "adopt", "--json")
    operator.command(data, "key", "adopt", "--confirm", json.loads(out)["fingerprint"])
    wait(lambda: readiness(daemon.url)[0] == 200, "with its own key the daemon is ready again")


class Tools:
    """PostgreSQL's own programs, connected like the daemon."""

    def __init__(self, url):
        parts = urlsplit(url)
        self.query = parts.query
        self.host = parse_qs(parts.query)["host"][0]

    def url(self, login, database):
        return f"postgresql://{login}@/{database}?{self.query}"

    def psql(self, database, sql, login="postgres"):
        return subprocess.run(["psql", self.url(login, database), "-qAtc", sql], capture_output=True, text=True, check=True).stdout


def restore(operator, tools, data, folder):
    """The documented backup with the daemon's login, and a restore for a login without grants."""
    roles = "vitrine_daemon, vitrine_sign_in, vitrine_schedule, vitrine_delivery, vitrine_reader, vitrine_guest"
    tools.psql("vitrine", f"create role app_login login; grant {roles} to app_login; create role new_login login")
    dump = os.path.join(folder, "vitrine.dump")
    done = subprocess.run(["pg_dump", "-Fc", tools.url("app_login", "vitrine"), "-f", dump], capture_output=True, text=True)
    check(done.returncode == 0, "R25: the documented pg_dump works for the daemon's login " + done.stderr)
    tools.psql("postgres", "create database restored")
    done = subprocess.run(
        ["pg_restore", "--exit-on-error", "-d", tools.url("postgres", "restored"), dump], capture_output=True, text=True)
    check(done.returncode == 0, "and so does the restore " + done.stderr)
    process, log = operator.serve(data, tools.url("new_login", "restored"))
    wait(lambda: listening(log), "a daemon whose login has no grants starts")
    url = listening(log)
    wait(lambda: "run vitrine migrate, then: grant vitrine_daemon" in reason(url) and readiness(url)[0] == 503,
         lambda: f"R30: it is not ready, and names the cause: {reason(url)}")
    tools.psql("restored", "grant vitrine_daemon to new_login")
    wait(lambda: reason(url).endswith("grant vitrine_sign_in, vitrine_schedule, vitrine_delivery, vitrine_reader, vitrine_guest to LOGIN"),
         lambda: f"and then the grants that are still missing: {reason(url)}")
    tools.psql("restored", f"grant {roles} to new_login")
    wait(lambda: readiness(url)[0] == 200, lambda: f"with all grants it is ready {reason(url)}")
    process.terminate()
    process.wait(seconds(60))
    code, out, error = Operator(operator.program, tools.url("new_login", "restored"), folder).command(data, "publish", "verify")
    check(code != 0 and "may not use vitrine_operator" in error, f"the daemon's login can't run commands, and is told so: {error}")
    restored = Operator(operator.program, tools.url("postgres", "restored"), folder)
    for command in (["publish", "verify"], ["media", "verify"]):
        code, out, error = restored.command(data, *command)
        check(code == 0, f"{' '.join(command)} finds no difference in the copy {out}{error}")


def pooler(operator, tools, data, folder):
    home = os.path.join(folder, "pooler")
    os.makedirs(home, mode=0o777)
    os.chmod(home, 0o777)
    own = port()
    with open(os.path.join(home, "pgbouncer.ini"), "w") as file:
        file.write(f"""[databases]
* = host={tools.host} port=5432 user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
""")
    start(["/usr/sbin/pgbouncer", os.path.join(home, "pgbouncer.ini")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
          user="postgres" if os.geteuid() == 0 else None)
    url = f"postgresql://postgres@127.0.0.1:{own}/vitrine"

    def current_user():
        return subprocess.run(["psql", url, "-qAtc", "select current_user"], capture_output=True, text=True).stdout.strip()

    wait(current_user, "PgBouncer listens")
    for prepare in ("true", "false"):
        operator.refuses("pool_mode to session", f"behind PgBouncer in transaction mode (prepare={prepare}) a daemon refuses to start",
                         data, url, VITRINE_DATABASE_PREPARE=prepare)
    code, out, _ = operator.command(data, "doctor", DATABASE_URL=url)
    check(code == 1 and "pool_mode to session" in out, "doctor says why")
    users = {current_user() for _ in range(10)}
    check(users == {"postgres"}, f"and no role leaked to another client: {users}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    path = folder(on_disk=True)
    data = os.path.join(path, "data")
    daemon = Daemon(program, data)
    operator = Operator(program, daemon.info["database_url"], path)
    tools = Tools(daemon.info["database_url"])
    other_store(operator, daemon, data, path)
    other_user(operator, data, path)
    hang_up(operator, data)
    second_signal(operator)
    variables(operator, data)
    adoption(operator, daemon, data, path)
    restore(operator, tools, data, path)
    pooler(operator, tools, data, path)
    finish()


if __name__ == "__main__":
    main()
