"""One database of the run with a daemon on it, an API client, and an administrator who is signed in."""
import base64
import http.client
import json
import re
import subprocess
import urllib.parse

from processes import Daemon, RunFailed, postgres_tool


class Database:
    """A database of the cluster, used as its superuser by way of psql."""

    def __init__(self, cluster, name, create=True):
        self.url = cluster.url_of(name)
        self.psql = postgres_tool("psql", cluster.version)
        if create:
            Database(cluster, "postgres", create=False).run(f"create database {name}")

    def _call(self, arguments, text=None, timeout=1800):
        done = subprocess.run(
            [self.psql, self.url, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *arguments], input=text,
            capture_output=True, text=True, timeout=timeout)
        if done.returncode != 0:
            raise RunFailed(f"psql: {done.stderr.strip()[:2000]}")
        return done.stdout

    def run(self, sql):
        return self._call(["-f", "-"], sql)

    def value(self, sql):
        return self.run(sql).strip()

    def rows(self, sql):
        """Each row as a list of texts."""
        text = self._call(["-F", "\x1f", "-f", "-"], sql)
        return [line.split("\x1f") for line in text.splitlines()]

    def timed(self, sql):
        """Milliseconds that one statement took, as psql saw it."""
        return float(re.search(r"Time: ([\d.]+) ms", self._call(["-c", r"\timing on", "-c", sql])).group(1))


class Deployment:
    """Makes the database `name`, migrates it, and prepares a daemon; `start` serves it."""

    def __init__(self, cluster, name, folder, **settings):
        program = cluster.program
        self.cluster = cluster
        self.name = name
        self.database = Database(cluster, name)
        program.run("migrate", database_url=self.database.url)
        self.daemon = Daemon(program, self.database.url, folder, **settings)
        made = program.run(
            "client", "add", "bench", "--scopes", "submit,review,read-guest,read-full", "--json",
            database_url=self.database.url)
        client = json.loads(made)
        self.client_id = client["id"]
        login = base64.b64encode(f"{client['id']}:{client['secret']}".encode()).decode()
        self.authorization = "Basic " + login
        self.administrator = None

    def start(self):
        return self.daemon.start()

    def stop(self):
        return self.daemon.stop()

    def get(self, path):
        """Body of a GET as the API client; anything but 200 ends the run."""
        status, _, body = Visitor(self.daemon.port).ask("GET", path, {"Authorization": self.authorization})
        if status != 200:
            raise RunFailed(f"GET {path}: {status} {body[:300]!r}")
        return body

    def sign_in(self):
        """Signs an administrator in by a one-time link, as a browser would."""
        made = self.cluster.program.run(
            "account", "add", "bench@vitrine.example", "--name", "Bench", "--role", "administrator", "--json",
            database_url=self.database.url)
        path = urllib.parse.urlsplit(json.loads(made)["sign_in_url"]).path
        visitor = Visitor(self.daemon.port)
        _, _, page = visitor.ask("GET", path)
        status, _, body = visitor.ask("POST", path, form={"csrf": csrf(page)})
        if status != 303:
            raise RunFailed(f"the sign-in link answered {status}: {body[:300]!r}")
        visitor.csrf = csrf(visitor.ask("GET", "/queue")[2])
        self.administrator = visitor
        return visitor


def csrf(page):
    found = re.search(rb'name="csrf" value="([^"]+)"', page)
    if not found:
        raise RunFailed("a page of the admin has no form token")
    return found.group(1).decode()


class Visitor:
    """A browser's connection: keeps it open, and keeps cookies."""

    def __init__(self, port):
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.cookies = {}
        self.csrf = None

    @property
    def cookie_header(self):
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def ask(self, method, path, headers=None, form=None, body=None):
        """Status, headers and body of the answer."""
        headers = dict(headers or {})
        if self.cookies:
            headers["Cookie"] = self.cookie_header
        if form is not None:
            body = urllib.parse.urlencode(form, doseq=True)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self.connection.request(method, path, body=body, headers=headers)
        answer = self.connection.getresponse()
        data = answer.read()
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, answer.headers, data
