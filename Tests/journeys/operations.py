#!/usr/bin/env python3
"""Tests what operators get wrong, with real programs: another data folder or key, another user, an empty or misspelt variable,
missing grants after a restore, and a pooler in transaction mode.

    operations.py --program .build/debug/vitrine

Prints a line per check; ends with "N passed, N failed". The checks of other users need root.
"""
import argparse
import base64
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlsplit

import run
from delivery import free_port, png
from run import Daemon, check


def wait(condition, seconds=20):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.1)
    return False


class Operator:
    """Runs commands and daemons on one database, each with a data folder of its own choice."""

    def __init__(self, program, url, folder):
        self.program = program
        self.url = url
        self.folder = folder

    def environment(self, data, **variables):
        own = {name: value for name, value in os.environ.items() if not name.startswith("VITRINE_")}
        return {**own, "VITRINE_PACKS": os.environ["VITRINE_PACKS"], "DATABASE_URL": self.url, "VITRINE_DATA_DIR": data, **variables}

    def command(self, data, *arguments, prefix=(), stdin=None, **variables):
        done = subprocess.run(
            [*prefix, self.program, *arguments], capture_output=True, text=True, input=stdin, timeout=120,
            env=self.environment(data, **variables))
        return done.returncode, done.stdout, done.stderr

    def serve(self, data, url=None, **variables):
        """A daemon and its URL; its log is in the folder."""
        port = free_port()
        environment = self.environment(data, **variables)
        environment["DATABASE_URL"] = url or self.url
        with open(os.path.join(self.folder, f"serve-{port}.log"), "w") as log:
            process = subprocess.Popen([self.program, "serve", "--port", str(port)], env=environment, stderr=log, stdout=log)
        return process, f"http://127.0.0.1:{port}", log.name


def readiness(url):
    try:
        with urllib.request.urlopen(url + "/readyz", timeout=5) as response:
            return response.status, json.load(response).get("reason", "")
    except urllib.error.HTTPError as error:
        return error.code, json.load(error).get("reason", "")
    except OSError:
        return 0, ""


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
    process, _, log = operator.serve(other)
    check(process.wait(30) == 2, "a daemon with another data folder refuses to start")
    check("webhooks.key doesn't exist" in open(log).read(), "and says why")
    key = base64.b64encode(os.urandom(32)).decode()
    process, _, log = operator.serve(data, VITRINE_WEBHOOKS_KEY=key)
    check(process.wait(30) == 2 and "is not the one of this database" in open(log).read(), "and so does one with another key")
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
    process, _, log = operator.serve(owned)
    check(process.wait(30) == 2 and "belongs to user nobody" in open(log).read(), "and a daemon as root does not start there")


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
    check(wait(lambda: readiness(daemon.url)[0] == 503), "a daemon with the old key is not ready")
    check("another encryption key" in readiness(daemon.url)[1], "and says why")
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
    check(wait(lambda: readiness(daemon.url)[0] == 200), "with its own key the daemon is ready again")


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
    process, url, _ = operator.serve(data, tools.url("new_login", "restored"))
    try:
        check(wait(lambda: readiness(url)[0] == 503), "R30: a daemon whose login has no grants starts and is not ready")
        reason = readiness(url)[1]
        check("run vitrine migrate, then: grant vitrine_daemon" in reason, f"and names the cause: {reason}")
        tools.psql("restored", "grant vitrine_daemon to new_login")
        check(wait(lambda: readiness(url)[1].endswith("grant vitrine_sign_in, vitrine_schedule, vitrine_delivery, vitrine_reader, vitrine_guest to LOGIN")),
              f"and then the grants that are still missing: {readiness(url)[1]}")
        tools.psql("restored", f"grant {roles} to new_login")
        check(wait(lambda: readiness(url)[0] == 200), f"with all grants it is ready {readiness(url)[1]}")
    finally:
        process.terminate()
        process.wait(40)
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
    port = free_port()
    with open(os.path.join(home, "pgbouncer.ini"), "w") as file:
        file.write(f"""[databases]
* = host={tools.host} port=5432 user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
""")
    user = ["-u", "postgres"] if os.geteuid() == 0 else []
    process = subprocess.Popen(
        ["/usr/sbin/pgbouncer", *user, os.path.join(home, "pgbouncer.ini")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"postgresql://postgres@127.0.0.1:{port}/vitrine"
    try:
        wait(lambda: subprocess.run(["psql", url, "-qAtc", "select 1"], capture_output=True).returncode == 0)
        for prepare in ("true", "false"):
            daemon, _, log = operator.serve(data, url, VITRINE_DATABASE_PREPARE=prepare)
            text = lambda: open(log).read()
            check(daemon.wait(30) == 2 and "pool_mode to session" in text(),
                  f"behind PgBouncer in transaction mode (prepare={prepare}) a daemon refuses to start")
        code, out, _ = operator.command(data, "doctor", DATABASE_URL=url)
        check(code == 1 and "pool_mode to session" in out, "doctor says why")
        users = {subprocess.run(["psql", url, "-qAtc", "select current_user"], capture_output=True, text=True).stdout.strip()
                 for _ in range(10)}
        check(users == {"postgres"}, f"and no role leaked to another client: {users}")
    finally:
        process.terminate()
        process.wait(20)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    folder = tempfile.mkdtemp(prefix="vitrine-operations-", dir="/tmp")
    os.chmod(folder, 0o755)
    data = os.path.join(folder, "data")
    daemon = Daemon(program, data)
    try:
        operator = Operator(program, daemon.info["database_url"], folder)
        tools = Tools(daemon.info["database_url"])
        other_store(operator, daemon, data, folder)
        other_user(operator, data, folder)
        variables(operator, data)
        adoption(operator, daemon, data, folder)
        restore(operator, tools, data, folder)
        pooler(operator, tools, data, folder)
    finally:
        daemon.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{run.passed} passed, {len(run.failed)} failed")
    sys.exit(1 if run.failed else 0)


if __name__ == "__main__":
    main()
