"""A small S3-like store for tests: keeps objects in memory and verifies every signature independently."""
import datetime
import hashlib
import hmac
import os
import sys
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = "a secret / with + signs"
OBJECTS = {}
PAGE = 2


def sign(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def signature(method, target, headers, body_sum, credential, names):
    _, day, region, service, end = credential.split("/")
    path, _, query = target.partition("?")
    pairs = sorted(urllib.parse.parse_qsl(query, keep_blank_values=True))
    encode = lambda text: urllib.parse.quote(text, safe="-_.~")
    canonical = "\n".join([
        method, urllib.parse.quote(urllib.parse.unquote(path), safe="/-_.~"),
        "&".join(f"{encode(name)}={encode(value)}" for name, value in pairs),
        "".join(f"{name}:{' '.join(headers[name].split())}\n" for name in names), ";".join(names), body_sum,
    ])
    statement = "\n".join([
        "AWS4-HMAC-SHA256", headers["x-amz-date"], "/".join([day, region, service, end]),
        hashlib.sha256(canonical.encode()).hexdigest(),
    ])
    key = ("AWS4" + SECRET).encode()
    for word in (day, region, service, end):
        key = sign(key, word)
    return hmac.new(key, statement.encode(), hashlib.sha256).hexdigest()


class Store(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def reply(self, status, body=b"", **headers):
        self.send_response(status)
        self.send_header("Content-Length", str(headers.pop("length", len(body))))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def signature_error(self, body):
        type, _, rest = self.headers.get("Authorization", "").partition(" ")
        parts = dict(part.strip().split("=", 1) for part in rest.split(",") if "=" in part)
        if type != "AWS4-HMAC-SHA256" or len(parts) != 3:
            return "AccessDenied"
        names = parts["SignedHeaders"].split(";")
        if not {"host", "x-amz-content-sha256", "x-amz-date"} <= set(names) or names != sorted(names):
            return "AccessDenied"
        if hashlib.sha256(body).hexdigest() != self.headers["x-amz-content-sha256"]:
            return "XAmzContentSHA256Mismatch"
        sent = datetime.datetime.strptime(self.headers["x-amz-date"], "%Y%m%dT%H%M%SZ")
        if abs(datetime.datetime.utcnow() - sent) > datetime.timedelta(minutes=15):
            return "RequestTimeTooSkewed"
        expected = signature(
            self.command, self.path, self.headers, self.headers["x-amz-content-sha256"], parts["Credential"], names)
        return None if hmac.compare_digest(expected, parts["Signature"]) else "SignatureDoesNotMatch"

    def handle_all(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        code = self.signature_error(body)
        if code:
            return self.reply(403, f"<Error><Code>{code}</Code></Error>".encode(), Content_Type="application/xml")
        path, _, query = self.path.partition("?")
        name = urllib.parse.unquote(path).removeprefix("/images").lstrip("/")
        if not name:
            return self.list(dict(urllib.parse.parse_qsl(query)))
        if self.command == "PUT":
            OBJECTS[name] = (body, datetime.datetime.utcnow(), self.headers.get("Content-Type"))
            return self.reply(200)
        if self.command == "DELETE":
            OBJECTS.pop(name, None)
            return self.reply(204)
        if name not in OBJECTS:
            return self.reply(404, b"<Error><Code>NoSuchKey</Code></Error>")
        content, _, type = OBJECTS[name]
        self.reply(200, content, length=len(content), Content_Type=type or "application/octet-stream")

    def list(self, query):
        names = sorted(name for name in OBJECTS if name > query.get("start-after", ""))
        parts = "".join(
            f"<Contents><Key>{name}</Key><LastModified>{OBJECTS[name][1].isoformat(timespec='milliseconds')}Z</LastModified>"
            f"<Size>{len(OBJECTS[name][0])}</Size></Contents>" for name in names[:PAGE])
        truncated = "true" if len(names) > PAGE else "false"
        body = f"<ListBucketResult><IsTruncated>{truncated}</IsTruncated>{parts}</ListBucketResult>"
        self.reply(200, body.encode(), Content_Type="application/xml")

    do_GET = do_HEAD = do_PUT = do_DELETE = handle_all


server = ThreadingHTTPServer(("127.0.0.1", 0), Store)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
