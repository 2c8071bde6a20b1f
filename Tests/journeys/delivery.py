#!/usr/bin/env python3
"""The delivery API as others see it: feed readers, the OpenAPI description and its fuzzer, and a process on a standby.

    delivery.py --program .build/debug/vitrine [--all]

With --all the fuzzer sends requests to every endpoint of the description, too.
Prints a line per check; ends with "N passed, N failed".
"""
import argparse
import base64
import glob
import json
import os
import pwd
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zlib
from urllib.parse import parse_qs, urlsplit

import feedparser
from openapi_spec_validator import validate

from checks import check, finish, step
from patience import seconds, wait
from run import Daemon
from workspace import ROOT, folder, listening, start


def fetch(url, client=None, headers=None, method="GET", body=None):
    headers = dict(headers or {})
    if client:
        headers["Authorization"] = "Basic " + base64.b64encode(f"{client['id']}:{client['secret']}".encode()).decode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=body, headers=headers, method=method), timeout=seconds(20)) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def feed_readers(daemon):
    client = daemon.info["client"]
    feeds = daemon.get("/v1/feeds")[1]["data"]
    free = next(feed for feed in feeds if feed["tier"] == "free" and feed["count"] > 0)
    premium = next((feed for feed in feeds if feed["tier"] == "premium"), None)
    for form, version in (("rss", "rss20"), ("atom", "atom10")):
        code, headers, body = fetch(f"{daemon.url}/v1/feeds/{free['id']}/{form}")
        parsed = feedparser.parse(body, response_headers={"content-type": headers["Content-Type"]})
        check(code == 200 and not parsed.bozo and parsed.version == version, f"{form}: feedparser finds nothing wrong")
        check(parsed.feed.title == free["title"] and len(parsed.entries) == min(50, free["count"]),
              f"{form}: the feed and its items are read back")
        check(all(entry.id.startswith("urn:uuid:") and entry.title for entry in parsed.entries), f"{form}: ids and titles")
        check(fetch(f"{daemon.url}/v1/feeds/{free['id']}/{form}", headers={"If-None-Match": headers["ETag"]})[0] == 304,
              f"{form}: 304 for what is known")
    code, headers, body = fetch(f"{daemon.url}/v1/feeds/{free['id']}/json")
    feed = json.loads(body)
    needed = {"id", "date_published", "date_modified"}
    check(headers["Content-Type"] == "application/feed+json" and feed["version"] == "https://jsonfeed.org/version/1.1"
          and all(needed <= set(item) and ("content_html" in item or "content_text" in item) for item in feed["items"]),
          "JSON Feed 1.1: what it must hold is there")
    if premium:
        check(fetch(f"{daemon.url}/v1/feeds/{premium['id']}/rss")[0] == 403, "a premium feed is closed")
        signed = daemon.get(f"/v1/feeds/{premium['id']}/syndication")[1]["signed"]["rss"]
        # A daemon on any free port does not know its own address.
        parts = urlsplit(signed)
        code, headers, body = fetch(f"{daemon.url}{parts.path}?{parts.query}")
        check(code == 200 and feedparser.parse(body).feed.title == premium["title"], "and opens by its signed address")
    check(fetch(f"{daemon.url}/v1/feeds/{free['id']}/syndication", client)[0] == 200, "an app is told the addresses")


def png():
    """A red square."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"\xff\0\0" * 40 for _ in range(40))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 40, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def images(daemon):
    """S37: whatever a file of an image holds, a browser that opens it runs nothing; and no other file is served."""
    client = daemon.info["client"]
    body = b"--a-long-boundary\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n" + png() + b"\r\n--a-long-boundary--\r\n"
    code, _, response = fetch(daemon.url + "/v1/media", client, {"Content-Type": "multipart/form-data; boundary=a-long-boundary"}, "POST", body)
    check(code == 201, "an image is taken")
    image = json.loads(response)
    code, headers, _ = fetch(f"{daemon.url}/media/{image['path']}")
    check(code == 200 and headers["Content-Type"] == image["mime"], "an image has the type of its content")
    check(headers["X-Content-Type-Options"] == "nosniff", "and no other can be guessed")
    check("sandbox" in headers["Content-Security-Policy"] and "default-src 'none'" in headers["Content-Security-Policy"],
          "and it could run nothing")
    for place in ["../webhooks.key", "..%2fwebhooks.key", "%2e%2e/webhooks.key", image["path"] + "/../../webhooks.key",
                  image["path"].replace("/", "/./"), image["path"] + "%00.html"]:
        check(fetch(f"{daemon.url}/media/{place}")[0] in (400, 404), f"{place} is no file of an image")


def description(daemon):
    client = daemon.info["client"]
    document = json.loads(fetch(daemon.url + "/openapi.json")[2])
    validate(document)
    check(True, "the description is valid OpenAPI 3.1")
    shown = [operation for path in document["paths"].values() for operation in path.values()
             if "example" in json.dumps(operation["responses"].get("200", {}))]
    check(len(shown) >= 35, f"{len(shown)} operations have an example")
    code, headers, body = fetch(daemon.url + "/openapi")
    check(code == 200 and b"<script" not in body and "script-src" not in headers["Content-Security-Policy"],
          "the page for people needs no script")
    # An example that was written down is still what is returned.
    with open(os.path.join(ROOT, "Templates/openapi/examples.json")) as file:
        for path, example in json.load(file).items():
            target = path
            for name, value in example["parameters"].items():
                target = target.replace("{%s}" % name, value)
            if "{" in target:
                continue
            response = daemon.get(target + ("?" + example["query"] if example["query"] else ""))[1]
            check(set(example["response"]) == set(response), f"the example of {path} has the members of the response")


def fuzz(daemon):
    """S30: as many requests as there are endpoints times examples: minutes, which grow with every endpoint."""
    client = daemon.info["client"]
    done = subprocess.run(
        [os.path.join(os.path.dirname(sys.executable), "st"), "--config-file",
         os.path.join(ROOT, "Tests/journeys/schemathesis.toml"), "run", daemon.url + "/openapi.json", "--auth",
         f"{client['id']}:{client['secret']}", "--max-examples", "10", "--phases", "examples,fuzzing", "--workers", "2",
         "--seed", "7", "--no-color"],
        capture_output=True, text=True, timeout=seconds(1800))
    if done.returncode:
        print(done.stdout[-6000:], done.stderr[-2000:])
    check(done.returncode == 0, "S30: schemathesis finds no failure")


def readiness(url):
    """The status of /readyz and its members; 0 without a response."""
    try:
        code, _, body = fetch(url + "/readyz")
    except OSError:
        return 0, {}
    return code, json.loads(body)


def newer_schema(daemon):
    """A database that a newer program migrated: the daemon is not ready, and its program leaves the schema alone."""
    daemon.sql("insert into vitrine.migration (name, checksum, applied_by) values ('core/later', 'x', '9.1.0')")
    wait(lambda: readiness(daemon.url)[0] == 503, "R24: on the schema of a newer program the daemon is not ready")
    reason = readiness(daemon.url)[1]["reason"]
    check("9.1.0" in reason, f"R24: and says so: {reason}")
    for command in ("migrate", "doctor"):
        code, out, error = daemon.command(command)
        check(code != 0 and "9.1.0" in out + error, f"R24: {command} says it, too: {error.strip()}")
    daemon.sql("delete from vitrine.migration where name = 'core/later'")
    wait(lambda: readiness(daemon.url)[0] == 200, "R24: without it, the daemon is ready again")
    check(daemon.command("migrate")[0] == 0, "R24: and everything goes on")


class Standby:
    """A second PostgreSQL that follows the daemon's, as pg_basebackup makes it."""

    def __init__(self, info, folder):
        parts = urlsplit(info["database_url"])
        query = parse_qs(parts.query)
        self.user, self.host = parts.username, query["host"][0]
        self.port = query.get("port", [str(parts.port or 5432)])[0]
        self.database = parts.path[1:]
        self.bin = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.data = os.path.join(folder, "standby")
        account = pwd.getpwuid(os.stat(self.host).st_uid).pw_name
        self.account = {"user": account, "group": account, "extra_groups": []} if os.geteuid() == 0 and account != "root" else {}

    def run(self, *words):
        return subprocess.run(words, capture_output=True, text=True, cwd="/", stdin=subprocess.DEVNULL, **self.account)

    def start(self):
        os.makedirs(self.data, mode=0o700)
        if self.account:
            shutil.chown(self.data, self.account["user"], self.account["group"])
        log = os.path.join(primary_data(self), "server.log")
        if os.path.exists(log):
            os.chmod(log, 0o644)
        made = self.run(f"{self.bin}/pg_basebackup", "-h", self.host, "-p", self.port, "-U", self.user, "-D", self.data,
                        "-R", "-X", "stream", "-c", "fast")
        check(made.returncode == 0, "a standby is made " + made.stderr)
        # Not with pg_ctl, so that it ends with the test.
        with open(os.path.join(os.path.dirname(self.data), "standby.log"), "w") as log:
            start([f"{self.bin}/postgres", "-D", self.data, "-k", self.data, "-p", self.port, "-c", "listen_addresses="],
                  stdout=log, stderr=log, cwd="/", **self.account)
        wait(lambda: self.sql("select pg_is_in_recovery()") == "t", "and follows the database")

    def sql(self, statement):
        return self.run(f"{self.bin}/psql", "-h", self.data, "-p", self.port, "-U", self.user, "-d", self.database,
                        "-qAtXc", statement).stdout.strip()

    def url(self, login):
        return f"postgresql://{login}@/{self.database}?host={self.data}&port={self.port}"


def standby(daemon, folder):
    client = daemon.info["client"]
    second = Standby(daemon.info, folder)
    daemon.sql("create role app_reader login in role vitrine_reader, vitrine_guest, vitrine_delivery")
    second.start()
    environment = {**os.environ, "DATABASE_URL": second.url("app_reader"), "VITRINE_DATA_DIR": os.path.join(folder, "own"),
                   "VITRINE_API_MAX_LAG_S": "15"}
    log = os.path.join(folder, "deliver.log")
    with open(log, "w") as file:
        process = start([daemon.program, "deliver", "--port", "0"], env=environment, stdout=subprocess.DEVNULL, stderr=file)
    if not wait(lambda: listening(log) and readiness(listening(log))[0] == 200, "a process that only delivers is ready"):
        return
    url = listening(log)

    def is_near():
        code, ready = readiness(url)
        return code == 200 and ready["replica"] is True and ready["lag_seconds"] < 15

    wait(is_near, lambda: f"R22: it reports that it is a replica, with its lag: {readiness(url)}")
    for path in ("/v1/items", "/v1/feeds", "/v1/categories", "/v1/changes?since=0"):
        wait(lambda: fetch(url + path, client)[2] == fetch(daemon.url + path, client)[2], f"{path} matches the response of the daemon")
    check(fetch(url + "/v1/queue", client)[0] == 404 and fetch(url + "/sign-in")[0] == 404,
          "it has no queue and no sign-in page")
    code, out, error = daemon.command("entry", "create", "-", "--type", "feed", "--publish", "--json",
                                      stdin=json.dumps({"title": "Only now", "tier": "free"}))
    check(code == 0, "something is published " + error)
    wait(lambda: b"Only now" in fetch(url + "/v1/feeds", client)[2], "and arrives there")
    with open(log) as file:
        check("trouble" not in file.read(), "and its log complains of nothing")
    stopped_daemon(daemon, url)
    broken_replication(daemon, second, url, client)
    killed_primary(daemon, second, url, client)
    process.terminate()
    check(process.wait(seconds(60)) == 0, "SIGTERM ends it with 0")


def stopped_daemon(daemon, url):
    """A standby that has everything stays ready without a daemon, though nobody writes the heartbeat."""
    os.kill(daemon.process.pid, signal.SIGSTOP)
    try:
        def is_late():
            code, ready = readiness(url)
            if (ready.get("lag_seconds") or 0) <= 16:
                # As if the daemon had stopped a minute ago. Its last statement may still be running.
                daemon.sql("update delivery.heartbeat set beat_at = clock_timestamp() - interval '1 minute'")
                return False
            return code == 200 and ready["streaming"] is True

        wait(is_late, lambda: f"R22: the lag grows while no daemon runs; a standby that streams stays ready: {readiness(url)}")
    finally:
        os.kill(daemon.process.pid, signal.SIGCONT)


def broken_replication(daemon, second, url, client):
    """A replica that gets nothing more notices by the daemon's heartbeat, and tells clients that have seen more."""
    connection = second.sql("show primary_conninfo")
    second.sql("alter system set primary_conninfo = ''")
    second.sql("select pg_reload_conf()")
    wait(lambda: second.sql("select count(*) from pg_stat_wal_receiver") == "0", "the replication is broken")
    daemon.command("entry", "create", "-", "--type", "feed", "--publish", stdin=json.dumps({"title": "Not there", "tier": "free"}))
    newest = json.loads(fetch(daemon.url + "/v1/changes?since=0", client)[2])["next"]
    for path in (f"/v1/changes?since={newest}", f"/v1/tables/feed?since={newest}"):
        code, headers, body = fetch(url + path, client)
        check(code == 503 and json.loads(body)["code"] == "replica_behind" and headers["Retry-After"] == "1",
              f"R32: {path} is 503 on a replica that is behind")

    def is_behind():
        code, ready = readiness(url)
        # Without the lag, it could not ask its database.
        return code == 503 and (ready.get("lag_seconds") or 0) >= 15 and "replication" in ready["reason"]

    wait(is_behind, lambda: f"R22: a replica whose replication is broken is not ready, and reports its lag: {readiness(url)}")
    second.sql(f"alter system set primary_conninfo = $${connection}$$")
    second.sql("select pg_reload_conf()")
    wait(lambda: readiness(url)[0] == 200, "R22: it is ready when replication works again")
    wait(lambda: fetch(url + f"/v1/changes?since={newest}", client)[0] == 200, "R32: then the position is part of its history")


def killed_primary(daemon, second, url, client):
    """The daemon and its database are killed; readers do not notice."""
    known = fetch(url + "/v1/items", client)[2]
    os.killpg(daemon.process.pid, signal.SIGKILL)
    daemon.process.wait()
    # A standby without its primary is ready until the heartbeat is too old.
    wait(lambda: daemon.sql("update delivery.heartbeat set beat_at = clock_timestamp() + interval '1 day'")
         or second.sql("select beat_at > clock_timestamp() from delivery.heartbeat") == "t", "the standby gets the last heartbeat")
    second.run(f"{second.bin}/pg_ctl", "-D", primary_data(second), "-m", "immediate", "stop")
    responses = []
    end = time.monotonic() + 8
    while time.monotonic() < end:
        responses.append(fetch(url + "/v1/items", client))
        time.sleep(0.1)
    check(all(code == 200 and body == known for code, _, body in responses),
          f"{len(responses)} identical responses arrived while daemon and primary were down")
    check(readiness(url)[0] == 200, "and it stays ready")


def primary_data(second):
    """The folder of the server whose socket is there."""
    with open(os.path.join(second.host, f".s.PGSQL.{second.port}.lock")) as lock:
        return lock.read().split("\n")[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    path = folder()
    daemon = Daemon(program, os.path.join(path, "data"))
    step(daemon.load_demo)
    step(feed_readers, daemon)
    step(images, daemon)
    step(description, daemon)
    if arguments.all:
        step(fuzz, daemon)
    step(newer_schema, daemon)
    step(standby, daemon, path)
    finish()


if __name__ == "__main__":
    main()
