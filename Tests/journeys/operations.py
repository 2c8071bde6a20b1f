#!/usr/bin/env python3
"""Tests what operators get wrong, with real programs: commands and a daemon before the database is ready, another data folder or
key, another user, an empty or misspelt variable, SIGHUP, missing grants after a restore, a copy of a database, a full server, and a
pooler in transaction mode.

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
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from urllib.parse import parse_qs, quote, urlsplit

from checks import check, finish, step
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


def status(url):
    """The status of a response."""
    try:
        with urllib.request.urlopen(url, timeout=seconds(20)) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def first_start(operator, tools, folder):
    """The first daemon of a database that can't be reached yet, and is not migrated then."""
    tools.psql("postgres", "create database first_start")
    data, sockets = os.path.join(folder, "first", "data"), os.path.join(folder, "sockets")
    first = Operator(operator.program, tools.url("postgres", "first_start"), folder)
    check(first.command(data, "migrate", "--dry-run")[1].startswith("-- roles"), "migrate --dry-run prints what it would run")
    os.makedirs(sockets)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(os.path.join(folder, "notify"))
        systemd.settimeout(seconds(60))
        process, log = first.serve(
            data, tools.url("postgres", "first_start", sockets), NOTIFY_SOCKET=os.path.join(folder, "notify"),
            VITRINE_DATABASE_IDLE_TIMEOUT_MS="1000", VITRINE_INTAKE_RATE_PER_MINUTE="0")
        wait(lambda: listening(log), "a daemon without a key listens while its database can't be reached")
        url = listening(log)
        check(systemd.recv(100) == b"READY=1" and systemd.recv(100).startswith(b"STATUS=Waiting"), "systemd is told")
    check(status(url + "/healthz") == 200 and status(url + "/queue") == 503, "it is healthy, and pages are 503")
    check(readiness(url)[0] == 503 and "can't be reached" in reason(url), f"/readyz says why: {reason(url)}")
    os.symlink(tools.socket, os.path.join(sockets, os.path.basename(tools.socket)))
    wait(lambda: "run vitrine migrate" in reason(url), lambda: f"then that the database is not migrated: {reason(url)}")
    check(not os.path.exists(data), "meanwhile it has created no key")
    check(first.command(data, "migrate")[0] == 0, "the database is migrated")
    wait(lambda: readiness(url)[0] == 200, lambda: f"and the daemon starts {reason(url)}")
    check(os.path.exists(os.path.join(data, "webhooks.key")) and os.path.exists(os.path.join(data, "media/store-id")),
          "with a key and a media store")
    code, out, error = first.command(
        data, "account", "create", "ann@example.org", "--name", "Ann", "--role", "administrator")
    check(code == 0 and url + "/login/" in out, f"a link has the port of a daemon on any free port: {out}{error}")
    connections(first, tools, data, url)
    process.terminate()
    check(process.wait(seconds(60)) == 0, "SIGTERM ends it")


def before_start(operator, tools, folder):
    """Commands before the first daemon create nothing that it could not use."""
    tools.psql("postgres", "create database before_start")
    early, data = Operator(operator.program, tools.url("postgres", "before_start"), folder), os.path.join(folder, "early")
    image = os.path.join(folder, "early.png")
    with open(image, "wb") as file:
        file.write(png())
    early.command(data, "migrate")
    for command in (["media", "create", image], ["webhook", "create", "https://example.org/hook"]):
        code, _, error = early.command(data, *command)
        check(code == 2 and "start that first" in error and not os.path.exists(data),
              f"{' '.join(command[:2])} before the first daemon is refused: {error.strip()}")


def own_logins(operator, tools, folder):
    """The first daemon of a database whose logins are separate, as the guide to deployment creates them."""
    tools.psql("postgres", "create database own_logins")
    data = os.path.join(folder, "own")
    Operator(operator.program, tools.url("postgres", "own_logins"), folder).command(data, "migrate")
    tools.psql("postgres", """
        create role own_requests login in role vitrine_daemon, vitrine_delivery, vitrine_reader, vitrine_guest;
        create role own_signing_in login in role vitrine_sign_in;
        create role own_background login""")
    process, log = operator.serve(
        data, tools.url("own_requests", "own_logins"), VITRINE_DATABASE_SIGN_IN_URL=tools.url("own_signing_in", "own_logins"),
        VITRINE_DATABASE_SCHEDULE_URL=tools.url("own_background", "own_logins"))
    wait(lambda: listening(log), "a daemon with logins of their own listens")
    url = listening(log)
    wait(lambda: "the login of database.schedule_url may not use vitrine_schedule" in reason(url),
         lambda: f"it names the login that lacks a role: {reason(url)}")
    tools.psql("postgres", "grant vitrine_schedule to own_background")
    wait(lambda: readiness(url)[0] == 200, lambda: f"S46: it is ready when each login has its own roles {reason(url)}")
    check(os.path.exists(os.path.join(data, "webhooks.key")), "and has created its key")
    process.terminate()
    process.wait(seconds(60))


def open_connections(tools):
    return int(tools.psql("postgres", "select count(*) from pg_stat_activity where datname = 'first_start'"))


def connections(first, tools, data, url):
    """A daemon opens connections under load, closes them at rest, and leaves some to commands."""
    import psycopg

    client = json.loads(first.command(data, "client", "create", "reader", "--scopes", "submit,read-full", "--json")[1])
    login = base64.b64encode(f"{client['id']}:{client['secret']}".encode()).decode()
    ends = threading.Event()
    responses = []

    def load():
        number = 0
        while not ends.is_set():
            number += 1
            path, body = ("/v1/items", None) if number % 2 else ("/v1/submissions", f'{{"type":"article","contributor":"reader","fields":{{"title":"Number {number}","body":"<p>Text.</p>"}}}}'.encode())
            request = urllib.request.Request(url + path, body, {
                "Authorization": f"Basic {login}", "Content-Type": "application/json"})
            responses.append(status(request))

    def under_load(body):
        ends.clear()
        threads = [threading.Thread(target=load) for _ in range(12)]
        for thread in threads:
            thread.start()
        try:
            body()
        finally:
            ends.set()
            for thread in threads:
                thread.join()

    under_load(lambda: wait(lambda: len(responses) > 300, "a daemon is under load"))
    wait(lambda: open_connections(tools) <= 10, lambda: f"at rest it has at most 10 connections: {open_connections(tools)}")
    limit = int(tools.psql("postgres", "select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int"))
    used = int(tools.psql("postgres", "select count(*) from pg_stat_activity where backend_type = 'client backend'"))
    # So many that the daemon finds no more than two beyond those that it leaves.
    others = [psycopg.connect(tools.url("postgres", "postgres")) for _ in range(limit - used - 4)]

    def run_commands():
        for _ in range(3):
            time.sleep(0.2)
            code, _, error = first.command(data, "entry", "list")
            check(code == 0, f"a command finds a connection on a full server under load {error}")

    under_load(run_commands)
    for other in others:
        other.close()
    wait(lambda: readiness(url)[0] == 200, "and the daemon goes on")


class Tools:
    """PostgreSQL's own programs, connected like the daemon."""

    def __init__(self, url):
        parts = urlsplit(url)
        self.query = parts.query
        query = parse_qs(parts.query)
        self.host = query["host"][0]
        self.socket = f"{self.host}/.s.PGSQL.{query.get('port', ['5432'])[0]}"

    def url(self, login, database, host=None):
        query = self.query if host is None else self.query.replace(self.host, host).replace(quote(self.host, safe=""), host)
        return f"postgresql://{login}@/{database}?{query}"

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
    sweep(restored, data)


def sweep(copy, data):
    """A copy deletes nothing from the media store of its original."""
    orphan = os.path.join(data, "media/ab", "c" * 62 + ".png")
    os.makedirs(os.path.dirname(orphan), exist_ok=True)
    with open(orphan, "w") as file:
        file.write("of the original")
    os.utime(orphan, (0, 0))
    code, _, error = copy.command(data, "media", "verify", "--sweep")
    check(code == 2 and "vitrine media adopt" in error and os.path.exists(orphan), f"a copy deletes no image files: {error.strip()}")
    check("vitrine media adopt" in copy.command(data, "migrate")[2], "migrate says that it is a copy")
    code, out, _ = copy.command(data, "doctor")
    check("FAIL  media store: This database is a copy" in out, "and so does doctor")
    process, log = copy.serve(data)
    wait(lambda: listening(log), "a daemon on the copy starts")
    with open(log) as file:
        check("This database is a copy" in file.read(), "and its log says so")
    process.terminate()
    process.wait(seconds(60))
    code, out, _ = copy.command(data, "media", "adopt", "--json")
    plan = json.loads(out)
    check(code == 2 and plan["copy"] and not plan["adopted"], "media adopt shows that it is a copy")
    code, _, error = copy.command(data, "media", "adopt", "--confirm", plan["id"])
    check(code == 0, f"it adopts the store {error}")
    code, out, error = copy.command(data, "media", "verify", "--sweep")
    check(code == 0 and not os.path.exists(orphan), f"and deletes the file that belongs to no image {out}{error}")


def pooler(operator, tools, data, folder):
    home = os.path.join(folder, "pooler")
    os.makedirs(home, mode=0o777)
    os.chmod(home, 0o777)
    own = port()
    url = f"postgresql://postgres@127.0.0.1:{own}/vitrine"

    def configure(mode):
        with open(os.path.join(home, "pgbouncer.ini"), "w") as file:
            file.write(f"""[databases]
* = host={tools.host} port=5432 user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
default_pool_size = 60
""")

    def current_user():
        return subprocess.run(["psql", url, "-qAtc", "select current_user"], capture_output=True, text=True).stdout.strip()

    configure("session")
    bouncer = start(
        ["/usr/sbin/pgbouncer", os.path.join(home, "pgbouncer.ini")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        user="postgres" if os.geteuid() == 0 else None)
    wait(current_user, "PgBouncer listens")
    process, log = operator.serve(data, url)
    wait(lambda: listening(log) and readiness(listening(log))[0] == 200, "a daemon works behind PgBouncer in session mode")
    configure("transaction")
    bouncer.send_signal(signal.SIGHUP)
    wait(lambda: "pool_mode to session" in reason(listening(log)), lambda: f"it notices transaction mode: {reason(listening(log))}", 90)
    users = {current_user() for _ in range(20)}
    check(users == {"postgres"}, f"no role leaked to another client: {users}")
    configure("session")
    bouncer.send_signal(signal.SIGHUP)
    wait(lambda: readiness(listening(log))[0] == 200, "and goes on in session mode")
    configure("transaction")
    bouncer.send_signal(signal.SIGHUP)
    process.terminate()
    process.wait(seconds(60))
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
    step(before_start, operator, tools, path)
    step(own_logins, operator, tools, path)
    step(first_start, operator, tools, path)
    step(other_store, operator, daemon, data, path)
    step(other_user, operator, data, path)
    step(hang_up, operator, data)
    step(second_signal, operator)
    step(variables, operator, data)
    step(adoption, operator, daemon, data, path)
    step(restore, operator, tools, data, path)
    step(pooler, operator, tools, data, path)
    finish()


if __name__ == "__main__":
    main()
