"""One caller does its worst in each of ten ways; everybody else must not notice."""
import base64
import http.client
import json
import multiprocessing
import os
import secrets
import socket
import threading
import time
import urllib.parse
import zlib

import content
from deployment import Browser, Deployment
from processes import note
from shortages import Probe

# Any address of the loopback network is a client of its own.
HOSTILE = "127.0.0.9"
# Python has it from version 3.12 on.
IP_BIND_ADDRESS_NO_PORT = 24
ENTRIES = 20000
CONNECTIONS = 400
SECONDS = 8
P99_LIMIT = 50
MEMORY_LIMIT = 200


def hostile(faults):
    """Each way for some seconds: p99 of a health check and of an item below 50 ms, and less than 200 MB of memory."""
    # Fewer connections than a hostile caller opens.
    deployment = Deployment(faults.cluster, "hostile", faults.folder, http_max_connections=CONNECTIONS - 100)
    content.load_live(deployment.database, ENTRIES)
    # What autovacuum would do about this load in the middle of a way.
    deployment.database.run("vacuum analyze;")
    mine, theirs = (Caller(faults, deployment, name) for name in ("everybody", "hostile"))
    checks, slowest, largest = [], 0, 0
    deployment.start()
    try:
        item = json.loads(deployment.get("/v1/items"))["data"][0]["id"]
        note(f"  {'way':<12} {'requests':>8} {'health p99':>11} {'item p99':>9} {'failed':>7} {'memory':>8}")
        ways = [way for way in WAYS if not faults.options.ways or way.__name__ in faults.options.ways.split(",")]
        for way in [nothing] + ways:
            if not deployment.daemon.process.poll() is None:
                checks.append((f"{way.__name__}: the daemon exited", False))
                break
            count, health, read, memory = during(way, deployment.daemon, theirs, mine, f"/v1/items/{item}")
            note(f"  {way.__name__:<12} {count:>8} {health.p99:>8.1f} ms {read.p99:>6.1f} ms {health.failed + read.failed:>7} "
                 f"{memory:>5.0f} MB")
            if way is nothing:
                checks.append((f"inconclusive: p99 is {max(health.p99, read.p99):.0f} ms without a hostile caller",
                               max(health.p99, read.p99) < P99_LIMIT / 2))
                continue
            slowest, largest = max(slowest, health.p99, read.p99), max(largest, memory)
            checks += [
                (f"{way.__name__}: inconclusive: the hostile caller did nothing", count > 0),
                (f"{way.__name__}: p99 is {P99_LIMIT} ms or more", max(health.p99, read.p99) < P99_LIMIT),
                (f"{way.__name__}: {health.failed + read.failed} requests of others failed", health.failed + read.failed == 0),
                (f"{way.__name__}: the daemon used {memory:.0f} MB", memory < MEMORY_LIMIT)]
            # Each way begins with a daemon that has forgotten the last.
            deployment.stop()
            deployment.start()
        return {"ways": len(ways), "p99_max": f"{slowest:.0f}ms", "memory_max": f"{largest:.0f}MB"}, checks
    finally:
        deployment.stop()


class Caller:
    """An API client of its own."""

    def __init__(self, faults, deployment, name):
        client = json.loads(faults.program.run(
            "client", "create", name, "--scopes", "submit,review,read-guest,read-full", "--json",
            database_url=deployment.database.url))
        login = base64.b64encode(f"{client['id']}:{client['secret']}".encode()).decode()
        self.headers = {"Authorization": "Basic " + login}


def during(way, daemon, theirs, mine, item):
    """Runs one way in a process of its own, with low priority: its work is not the daemon's."""
    stopping, count = multiprocessing.Event(), multiprocessing.Value("q", 0)
    process = multiprocessing.Process(target=attack, args=(way, daemon.port, theirs.headers, stopping, count), daemon=True)
    memory = 0
    process.start()
    try:
        time.sleep(1)
        with Probe(daemon) as health, Probe(daemon, item, mine.headers) as read:
            until = time.monotonic() + SECONDS
            while time.monotonic() < until:
                memory = max(memory, daemon.memory())
                time.sleep(0.05)
    finally:
        stopping.set()
        process.join(10)
        process.kill()
    return count.value, health, read, max(memory, daemon.memory("VmHWM"))


def attack(way, port, headers, stopping, count):
    os.nice(15)
    way(Target(port, headers, stopping, count))


class Target:
    """The daemon as the hostile caller sees it."""

    def __init__(self, port, headers, stopping, count):
        self.port = port
        self.headers = headers
        self.stopping = stopping
        self.count = count

    def did(self):
        with self.count.get_lock():
            self.count.value += 1

    def parallel(self, number, work):
        """`work` in many threads, each again and again."""
        threads = [threading.Thread(target=self._repeat, args=(work, index), daemon=True) for index in range(number)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _repeat(self, work, index):
        while not self.stopping.is_set():
            try:
                work(index)
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)
            self.did()

    def connect(self, timeout):
        line = socket.socket()
        line.settimeout(timeout)
        try:
            # Otherwise, after some ten thousand connections, the kernel tries half of all ports for each new one: with its
            # locks, while the daemon waits.
            line.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
            line.bind((HOSTILE, 0))
            line.connect(("127.0.0.1", self.port))
            return line
        except OSError:
            line.close()
            raise

    def request(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        try:
            connection.sock = self.connect(20)
            connection.request(method, path, body, {**self.headers, **headers})
            response = connection.getresponse()
            response.read()
            return response.status
        finally:
            connection.close()

    def hold(self, number, first, more=b""):
        """Keeps connections that have sent `first`, sends `more` on each now and then, and opens them again when they end."""
        lines = []
        while not self.stopping.is_set():
            while len(lines) < number:
                try:
                    line = self.connect(1)
                    line.sendall(first)
                    line.setblocking(False)
                    lines.append(line)
                    self.did()
                except OSError:
                    break
            for line in list(lines):
                try:
                    if more:
                        line.send(more)
                    if line.recv(65536) == b"":
                        raise ConnectionError
                except BlockingIOError:
                    pass
                except OSError:
                    line.close()
                    lines.remove(line)
            time.sleep(0.3)


def nothing(target):
    """To compare with."""
    target.stopping.wait()


def searches(target):
    """64 searches at once for what is in nearly every text."""
    queries = ("-zz", '"the a" or -x', "a", "the or a or of or and or is", "item -zz", "article or feed or item", "1 or 2 or 3 or 4")
    target.parallel(64, lambda index: target.request(
        "GET", "/v1/search?q=" + urllib.parse.quote(queries[index % len(queries)])))


def slow_bodies(target):
    target.hold(CONNECTIONS, b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n", b"x")


def slow_heads(target):
    target.hold(CONNECTIONS, b"GET /v1/items HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"X: y\r\n")


def idle(target):
    target.hold(CONNECTIONS, b"")


def passwords(target):
    """Guesses from 32 forms at once."""
    def guess(index):
        browser = Browser(target.port)
        _, _, page = browser.request("GET", "/login")
        token = page.split(b'name="csrf" value="')[1].split(b'"')[0].decode()
        browser.request("POST", "/login", form={
            "csrf": token, "email": f"person{index}-{secrets.token_hex(4)}@example.org", "password": secrets.token_hex(8)})
    target.parallel(32, guess)


def big_bodies(target):
    """Forms of a megabyte without their last byte: one that strangers may send, and two that are refused unread."""
    size = 1 << 20
    paths = ("/submit/stories", "/login", "/entries")

    def send(index):
        head = f"POST {paths[index % len(paths)]} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: {size}\r\n\r\n"
        with target.connect(5) as line:
            line.sendall(head.encode() + b"x" * (size - 1))
            line.settimeout(3)
            line.recv(1000)
    target.parallel(200, send)


def pages(target):
    """The largest pages of the API, over and over."""
    paths = ("/v1/tables/item_full", "/v1/tables/search_full", "/v1/changes?since=0&rows=true", "/v1/feeds", "/v1/queue")
    target.parallel(32, lambda index: target.request("GET", paths[index % len(paths)]))


def previews(target):
    """Approvals of previews whose links are guessed."""
    def approve(_):
        token = secrets.token_urlsafe(32)
        target.request("GET", f"/preview/{token}")
        target.request("POST", f"/preview/{token}/approve", "name=x&note=y", **{
            "Content-Type": "application/x-www-form-urlencoded"})
    target.parallel(32, approve)


def texts(target):
    """Submissions whose HTML and Markdown take long to read."""
    bodies = ("<p><b>" * 20000, "<a href='x'>" * 20000, "<table><tr><td>" * 8000, "<p>" + "&lt;<i>x</i>" * 15000)

    def submit(index):
        document = {"type": "article", "contributor": "hostile", "fields": {
            "title": secrets.token_hex(8), "summary": "x", "body": bodies[index % len(bodies)]}}
        target.request("POST", "/v1/submissions", json.dumps(document), **{"Content-Type": "application/json"})
    target.parallel(32, submit)


def images(target):
    """60 uploads of 10 MB at once."""
    image = png(1800, 1800)

    def upload(_):
        boundary = secrets.token_hex(8)
        parts = (f'--{boundary}\r\nContent-Disposition: form-data; name="alt"\r\n\r\nx\r\n--{boundary}\r\nContent-Disposition: '
                 'form-data; name="file"; filename="x.png"\r\nContent-Type: image/png\r\n\r\n').encode()
        target.request("POST", "/v1/media", parts + image + f"\r\n--{boundary}--\r\n".encode(), **{
            "Content-Type": f"multipart/form-data; boundary={boundary}"})
    target.parallel(60, upload)


def png(width, height):
    """Noise, which can't be compressed."""
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    rows = b"".join(b"\0" + os.urandom(3 * width) for _ in range(height))
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\x00\x00\x00"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


WAYS = (searches, slow_bodies, slow_heads, idle, passwords, big_bodies, pages, previews, texts, images)
