"""One caller does its worst, one way after another; everybody else must not notice."""
import base64
import contextlib
import http.client
import json
import multiprocessing
import os
import re
import secrets
import select
import socket
import threading
import time
import urllib.parse
import uuid
import zlib

import content
from deployment import Browser, Deployment, csrf
from processes import RunFailed, note
from shortages import Probe

# Any address of the loopback network is a client of its own.
HOSTILE = "127.0.0.9"
# Python has it from version 3.12 on.
IP_BIND_ADDRESS_NO_PORT = 24
ENTRIES = 20000
# Articles of 300 KB, the newest ones of the first feed.
LARGE = 60
PENDING = 20000
LINKS = 3000
CONNECTIONS = 400
SECONDS = 8
P99_LIMIT = 50
MEMORY_LIMIT = 200


def hostile(faults):
    """Each way for some seconds: p99 of a health check and of an item below 50 ms, and less than 200 MB of memory."""
    # Fewer connections than a hostile caller opens.
    # Without the limit of syndications per minute, so that others are tried.
    deployment = Deployment(
        faults.cluster, "hostile", faults.folder, http_max_connections=CONNECTIONS - 100, api_syndication_per_minute=0)
    mine, theirs = (Caller(faults.program, deployment, name) for name in ("everybody", "hostile"))
    load(deployment.database, theirs.id)
    checks, slowest, largest = [], 0, 0
    deployment.start()
    try:
        found = prepare(deployment, theirs)
        item = content.identifier(content.ITEM, 7)
        note(f"  {'way':<14} {'requests':>8} {'health p99':>11} {'item p99':>9} {'failed':>7} {'memory':>8}")
        ways = [way for way in WAYS if not faults.options.ways or way.__name__ in faults.options.ways.split(",")]
        for way in [nothing] + ways:
            if not deployment.daemon.process.poll() is None:
                checks.append((f"{way.__name__}: the daemon exited", False))
                break
            health = Probe(deployment.daemon)
            read = Probe(deployment.daemon, f"/v1/items/{item}", mine.headers)
            count, memory = during(way, deployment.daemon, theirs.headers, found, (health, read))
            p99, failed = max(health.p99, read.p99), health.failed + read.failed
            if way is nothing:
                own = [(f"inconclusive: p99 is {p99:.0f} ms without a hostile caller", p99 < P99_LIMIT / 2)]
            else:
                slowest, largest = max(slowest, p99), max(largest, memory)
                own = [
                    (f"{way.__name__}: inconclusive: the hostile caller did nothing", count > 0),
                    (f"{way.__name__}: p99 is {P99_LIMIT} ms or more", p99 < P99_LIMIT),
                    (f"{way.__name__}: {failed} requests of others failed", failed == 0),
                    (f"{way.__name__}: the daemon used {memory:.0f} MB", memory < MEMORY_LIMIT)]
            note(f"  {way.__name__:<14} {count:>8} {health.p99:>8.1f} ms {read.p99:>6.1f} ms {failed:>7} {memory:>5.0f} MB  "
                 + ("PASS" if all(is_met for _, is_met in own) else "FAIL"))
            checks += own
            # Each way begins with a daemon that has forgotten the last, and the preparation.
            deployment.stop()
            deployment.start()
        return {"ways": len(ways), "p99_max": f"{slowest:.0f}ms", "memory_max": f"{largest:.0f}MB"}, checks
    finally:
        deployment.stop()


class Caller:
    """An API client of its own."""

    def __init__(self, program, deployment, name):
        client = json.loads(program.run(
            "client", "create", name, "--scopes", "submit,review,read-guest,read-full", "--json",
            database_url=deployment.database.url))
        self.id = client["id"]
        login = base64.b64encode(f"{client['id']}:{client['secret']}".encode()).decode()
        self.headers = {"Authorization": "Basic " + login}


def load(database, client_id):
    """Published content, long articles, two long versions of one of them, a queue, and its audit events."""
    content.load_live(database, ENTRIES)
    body, feed = f"'body', '{content.BODY}'", f"i % {content.FEEDS} + 1"
    articles = content.articles(ENTRIES + 1, ENTRIES + LARGE)
    if body not in articles or feed not in articles:
        raise RunFailed("content.articles has changed")
    articles = articles.replace(body, f"'body', repeat('{content.BODY}', 400)").replace(feed, "1")
    database.run(content.BEGIN + content.NEW_ENTRIES + articles + content.WRITE + content.REPAIR)
    database.run(f"""
{content.BEGIN}
insert into curation.revision (id, entry_id, number, content, preview, plain, content_hash, author_id, created_at)
select gen_random_uuid(), r.entry_id, n, r.content || jsonb_build_object('body', b.body), r.preview, r.plain,
    sha256(convert_to(b.body, 'UTF8')), r.author_id, now()
from curation.revision r cross join generate_series(2, 3) n cross join lateral (
    select string_agg('<p>' || bench.title(w) || ' ' || bench.title(w + 5) || ' ' || bench.title(w * 3) || '</p>', '' order by p) as body
    from generate_series(1, 2800) p cross join lateral (select case when n = 3 and p % 3 = 0 then p + 9000 else p end as w) x) b
where r.entry_id = '{content.identifier(content.ITEM, 1)}' and r.number = 1;
commit;
""")
    # Ends as autovacuum would, which must not happen in the middle of a way.
    content.load_queue(database, PENDING, client_id)


def prepare(deployment, theirs):
    """What the ways need: a session, a submission with many links, a link to a status page, and URLs of large responses."""
    browser = deployment.sign_in()
    feed = content.identifier(content.FEED, 1)
    # The text with what the server adds to links is just below its limit.
    links = " ".join(f'<a href="https://{n}.test/">{n}</a>' for n in range(LINKS))
    reviewed = submit(deployment, theirs, f"<p>{links}</p>")
    returned = submit(deployment, theirs, "<p>Short</p>")
    call(deployment, theirs, f"/v1/submissions/{returned['id']}/decision", {
        "verdict": "request_changes", "message": "Please write more.", "version": 0}, 200)
    status = urllib.parse.urlsplit(returned["status_page"]).path
    visitor = Browser(deployment.daemon.port)
    page = visitor.request("GET", status)[2]
    if f'action="{status}/resubmit"'.encode() not in page:
        raise RunFailed("the status page has no form")
    change, _, seen = json.loads(deployment.get("/v1/tables/category"))["change"].partition("-")
    signed = json.loads(deployment.get(f"/v1/feeds/{feed}/syndication"))["signed"]
    syndications = [re.sub("^https?://[^/]*", "", url) for url in signed.values()]
    found = {
        "session": browser.cookie_header, "token": browser.csrf, "review": f"/queue/{reviewed['id']}",
        "status": status, "visitor": visitor.cookie_header, "csrf": csrf(page),
        "comparison": f"/entries/{content.identifier(content.ITEM, 1)}/history/2/3",
        # The long articles are among the last changes.
        "changes": f"/v1/changes?since={max(0, int(change) - 8 * LARGE)}-{seen}&rows=true",
        "syndications": [f"/v1/feeds/{feed}/rss", *syndications],
    }
    # Each fails unless the status is 200: a way that is refused would prove nothing.
    for path in (found["review"], found["comparison"], "/audit/export?format=csv", "/queue?q=leaves"):
        deployment.page(path)
    for path in (found["changes"], *found["syndications"]):
        deployment.get(path)
    for index in range(2):
        path, form, media_type = refused_form(found, index)
        status, _, body = browser.request("POST", path, {"Content-Type": media_type}, body=form)
        if status != 422:
            raise RunFailed(f"POST {path}: {status} {body[:300]!r}")
    return found


def submit(deployment, caller, body):
    return call(deployment, caller, "/v1/submissions", {
        "type": "article", "contributor": "hostile", "contributor_email": "hostile@example.org",
        "fields": {"title": secrets.token_hex(8), "summary": "x", "body": body}}, 201)


def call(deployment, caller, path, document, expected):
    status, _, body = Browser(deployment.daemon.port).request(
        "POST", path, {**caller.headers, "Content-Type": "application/json"}, body=json.dumps(document))
    if status != expected:
        raise RunFailed(f"POST {path}: {status} {body[:300]!r}")
    return json.loads(body)


def during(way, daemon, headers, found, probes):
    """Runs one way in a process of its own, with low priority: its work is not the daemon's. Returns how often it did its
    worst, and the memory of the daemon."""
    stopping, count = multiprocessing.Event(), multiprocessing.Value("q", 0)
    process = multiprocessing.Process(target=attack, args=(way, daemon.port, headers, found, stopping, count), daemon=True)
    memory = 0
    process.start()
    try:
        time.sleep(1)
        with contextlib.ExitStack() as running:
            for probe in probes:
                running.enter_context(probe)
            until = time.monotonic() + SECONDS
            while time.monotonic() < until:
                memory = max(memory, daemon.memory())
                time.sleep(0.05)
    finally:
        stopping.set()
        process.join(10)
        process.kill()
    return count.value, max(memory, daemon.memory("VmHWM"))


def attack(way, port, headers, found, stopping, count):
    os.nice(15)
    way(Target(port, headers, found, stopping, count))


class Target:
    """The daemon as the hostile caller sees it."""

    def __init__(self, port, headers, found, stopping, count):
        self.port = port
        self.headers = headers
        self.found = found
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

    def connect(self, timeout, receive_buffer=None):
        line = socket.socket()
        line.settimeout(timeout)
        try:
            if receive_buffer:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
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
        return self.visit(method, path, body, {**self.headers, **headers})

    def page(self, path):
        """A page of the admin, signed in."""
        return self.visit("GET", path, None, {"Cookie": self.found["session"]})

    def visit(self, method, path, body, headers):
        """A request with these headers only."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        try:
            connection.sock = self.connect(20)
            connection.request(method, path, body, headers)
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


def slow_uploads(target):
    """Images from a client that is known, a byte now and then."""
    head = (f"POST /v1/media HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {target.headers['Authorization']}\r\n"
            "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9500000\r\n\r\n")
    target.hold(CONNECTIONS, head.encode(), b"x")


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


def copies(target):
    """Long documents, compressed."""
    paths = (target.found["changes"], "/v1/tables/item_full,search_full", "/v1/changes?since=0&rows=true")
    target.parallel(64, lambda index: target.request("GET", paths[index % len(paths)], **{"Accept-Encoding": "br"}))


def syndications(target):
    """A feed with long texts in each format, without credentials."""
    paths = target.found["syndications"]
    target.parallel(64, lambda index: target.visit("GET", paths[index % len(paths)], None, {}))


def unread(target):
    """Asks for large pages and reads nothing of them."""
    login = target.headers["Authorization"]
    head = f"GET {target.found['changes']} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {login}\r\n\r\n".encode()
    lines, poller = {}, select.poll()
    while not target.stopping.is_set():
        while len(lines) < 250:
            try:
                line = target.connect(1, receive_buffer=4096)
                line.sendall(head)
            except OSError:
                break
            lines[line.fileno()] = line
            poller.register(line, 0)
            target.did()
        for number, _ in poller.poll(0):
            poller.unregister(number)
            lines.pop(number).close()
        time.sleep(0.3)


def fields(target):
    """Forms of a visitor without an account: of 990 fields, and of 2 MB."""
    many = urllib.parse.urlencode([(f"f{index}", "x") for index in range(990)])
    large = "text=" + "x" * 2_000_000
    target.parallel(64, lambda index: target.visit("POST", "/entries", large if index % 8 == 0 else many, {
        "Content-Type": "application/x-www-form-urlencoded"}))


def reviews(target):
    """The review page of a submission with thousands of links."""
    target.parallel(32, lambda _: target.page(target.found["review"]))


def comparisons(target):
    """Two versions of nearly 200 KB that differ in each third paragraph."""
    target.parallel(32, lambda _: target.page(target.found["comparison"]))


def refusals(target):
    """Forms of an account that are refused, with 2 MB of text or a file of 10 MB."""
    def send(index):
        path, form, media_type = refused_form(target.found, index % 4)
        target.visit("POST", path, form, {"Content-Type": media_type, "Cookie": target.found["session"]})
    target.parallel(32, send)


def refused_form(found, index):
    """Where it is sent, its body and its type. The first has a file that is no image; the others have no title, and a text in
    which each character is escaped. Each is another form, which is hashed because it would create something."""
    once = str(uuid.uuid4())
    if index > 0:
        form = urllib.parse.urlencode({"csrf": found["token"], "once": once, "type": "article", "action": "draft"})
        return "/entries", form + "&field.summary=" + "<" * 1_900_000, "application/x-www-form-urlencoded"
    boundary = secrets.token_hex(8)
    fields = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in (("csrf", found["token"]), ("once", once), ("alt", "x")))
    head = (f'{fields}--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\n'
            "Content-Type: image/png\r\n\r\n")
    body = head.encode() + b"x" * 9_900_000 + f"\r\n--{boundary}--\r\n".encode()
    return "/media", body, f"multipart/form-data; boundary={boundary}"


def exports(target):
    target.parallel(32, lambda index: target.page("/audit/export?format=" + ("csv", "jsonl")[index % 2]))


def queue_searches(target):
    """Searches of the queue, by the API and by pages."""
    queries = ("leaves", "comes or quay or waits", "-zz", "lines a few -zz", "by:reader-7 leaves", "harbour or a")

    def search(index):
        path = "/queue?q=" + urllib.parse.quote(queries[index % len(queries)])
        target.page(path) if index % 2 else target.request("GET", "/v1" + path)
    target.parallel(64, search)


def resubmissions(target):
    """HTML that takes long, from somebody who has nothing but the link to a status page."""
    bodies = ("<a href='x'>" * 15000, "<table><tr><td>" * 6000, "<p>" + "&lt;<i>x</i>" * 9000, "word " * 180000)

    def send(index):
        # Without a title it is not accepted, and the next can be sent.
        form = {"csrf": target.found["csrf"], "title": "", "summary": "x", "body": bodies[index % len(bodies)]}
        target.visit("POST", target.found["status"] + "/resubmit", urllib.parse.urlencode(form), {
            "Content-Type": "application/x-www-form-urlencoded", "Cookie": target.found["visitor"]})
    target.parallel(32, send)


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
    target.parallel(60, lambda _: upload(target, image, "x.png", "image/png"))


def drawings(target):
    """A kilobyte of SVG that takes long to draw."""
    noise = "".join(f'<feTurbulence baseFrequency="0.{n}1" numOctaves="10" result="r{n}"/>' for n in range(1, 10))
    drawing = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4500 4500" width="4500" height="4500"><filter id="f">{noise}'
               '</filter><rect width="4500" height="4500" filter="url(#f)"/></svg>').encode()
    target.parallel(40, lambda _: upload(target, drawing, "x.svg", "image/svg+xml"))


def upload(target, file, name, media_type):
    boundary = secrets.token_hex(8)
    parts = (f'--{boundary}\r\nContent-Disposition: form-data; name="alt"\r\n\r\nx\r\n--{boundary}\r\nContent-Disposition: '
             f'form-data; name="file"; filename="{name}"\r\nContent-Type: {media_type}\r\n\r\n').encode()
    target.request("POST", "/v1/media", parts + file + f"\r\n--{boundary}--\r\n".encode(), **{
        "Content-Type": f"multipart/form-data; boundary={boundary}"})


def png(width, height):
    """Noise, which can't be compressed."""
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    rows = b"".join(b"\0" + os.urandom(3 * width) for _ in range(height))
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\x00\x00\x00"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


WAYS = (searches, queue_searches, slow_bodies, slow_uploads, slow_heads, idle, unread, passwords, big_bodies, fields, pages, copies, syndications,
        previews, texts, resubmissions, reviews, comparisons, refusals, exports, images, drawings)
