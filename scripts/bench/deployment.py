"""A deployment for a run: database, daemon, API client, and a signed-in administrator."""
import base64
import http.client
import json
import re
import subprocess
import urllib.parse

from processes import Daemon, RunFailed, postgres_tool


class Database:
    """A database of the cluster, or of another server at `url`, accessed as superuser with psql."""

    def __init__(self, cluster, name, create=True, url=None):
        self.url = url or cluster.url_of(name)
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
        """Rows as lists of strings."""
        text = self._call(["-F", "\x1f", "-f", "-"], sql)
        return [line.split("\x1f") for line in text.splitlines()]

    def timed(self, sql):
        """Milliseconds of one statement, as reported by psql."""
        return float(re.search(r"Time: ([\d.]+) ms", self._call(["-c", r"\timing on", "-c", sql])).group(1))


class Deployment:
    """Creates and migrates the database `name` and prepares a daemon; `start` runs it."""

    def __init__(self, cluster, name, folder, **settings):
        program = cluster.program
        self.cluster = cluster
        self.name = name
        self.database = Database(cluster, name)
        program.run("migrate", database_url=self.database.url)
        self.daemon = Daemon(program, self.database.url, folder, **settings)
        created = program.run(
            "client", "create", "bench", "--scopes", "submit,review,read-guest,read-full", "--json",
            database_url=self.database.url)
        client = json.loads(created)
        self.client_id = client["id"]
        self.credentials = f"{client['id']}:{client['secret']}"
        login = base64.b64encode(self.credentials.encode()).decode()
        self.authorization = "Basic " + login
        self.administrator = None

    def start(self):
        return self.daemon.start()

    def stop(self):
        return self.daemon.stop()

    def get(self, path):
        """The body of a GET as the API client; fails unless the status is 200."""
        return self._get(path, {"Authorization": self.authorization})

    def page(self, path, **headers):
        """The same as the signed-in administrator."""
        return self._get(path, {"Cookie": self.administrator.cookie_header, **headers})

    def _get(self, path, headers):
        status, _, body = Browser(self.daemon.port).request("GET", path, headers)
        if status != 200:
            raise RunFailed(f"GET {path}: {status} {body[:300]!r}")
        return body

    def sign_in(self):
        """Signs an administrator in with a one-time link, like a browser."""
        created = self.cluster.program.run(
            "account", "create", "bench@vitrine.example", "--name", "Bench", "--role", "administrator", "--json",
            database_url=self.database.url)
        path = urllib.parse.urlsplit(json.loads(created)["sign_in_url"]).path
        browser = Browser(self.daemon.port)
        _, _, page = browser.request("GET", path)
        status, _, body = browser.request("POST", path, form={"csrf": csrf(page)})
        if status != 303:
            raise RunFailed(f"the sign-in link returned {status}: {body[:300]!r}")
        browser.csrf = csrf(browser.request("GET", "/queue")[2])
        self.administrator = browser
        return browser


def csrf(page):
    found = re.search(rb'name="csrf" value="([^"]+)"', page)
    if not found:
        raise RunFailed("the page has no form token")
    return found.group(1).decode()


class Browser:
    """A persistent connection with cookies."""

    def __init__(self, port):
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.cookies = {}
        self.csrf = None

    @property
    def cookie_header(self):
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def request(self, method, path, headers=None, form=None, body=None):
        """Status, headers and body of the response."""
        headers = dict(headers or {})
        if self.cookies:
            headers["Cookie"] = self.cookie_header
        if form is not None:
            body = urllib.parse.urlencode(form, doseq=True)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self.connection.request(method, path, body=body, headers=headers)
        response = self.connection.getresponse()
        data = response.read()
        for line in response.headers.get_all("Set-Cookie") or []:
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return response.status, response.headers, data
