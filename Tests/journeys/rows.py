#!/usr/bin/env python3
"""Requirement rows from outside: a daemon, its command line and its API, and a server that answers as the catalogs' sources do.

    rows.py --program .build/debug/vitrine

Prints a line per check; ends with "N passed, N failed".
"""
import argparse
import json
import os
import shutil
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from checks import check, finish, step
from delivery import fetch
from patience import seconds, wait
from run import Daemon
from workspace import ROOT, folder

KEY = "row-test/key+9f2c=="
BOOK = {"kind": "books#volumes", "items": [{"id": "b1", "volumeInfo": {
    "title": "The Tidal Atlas", "authors": ["M. Reed"], "publishedDate": "2021-04", "pageCount": 212}}]}
FILM = {"results": [{"id": 603, "title": "Low Water", "release_date": "2024-05-01", "overview": "A ferry stops."}]}
SERIES = {"results": [{"id": 12, "name": "Night Ferry", "first_air_date": "2022-01-09"}]}
RESTAURANT = {"businesses": [{"id": "r1", "name": "Salt House", "coordinates": {"latitude": 51.5, "longitude": -0.1},
                              "location": {"city": "London", "display_address": ["1 Quay"]}}]}
SONG = """<?xml version="1.0"?><lfm status="ok"><track><name>Ebb</name><url>https://www.last.fm/music/Reed/_/Ebb</url>
<duration>180000</duration><artist><name>Reed</name></artist></track></lfm>"""
ARTISTS = """<?xml version="1.0"?><lfm status="ok"><artists><artist><name>Reed</name></artist><artist><name>Mole</name></artist>
</artists></lfm>"""


class Source:
    """An HTTP server in place of Google Books, TMDB, Yelp and Last.fm; `requests` holds path, query and authorization."""

    def __init__(self):
        source = self
        self.requests = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                parts = urlsplit(self.path)
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                source.requests.append((parts.path, query, self.headers.get("Authorization")))
                body = source.body(parts.path, query)
                self.send_response(200)
                self.send_header("Content-Type", "text/xml" if body.startswith("<") else "application/json")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def body(self, path, query):
        if path.startswith("/songs"):
            return ARTISTS if query["method"] == "chart.getTopArtists" else SONG
        answers = {"/books": BOOK, "/tmdb/movie": FILM, "/tmdb/tv": SERIES, "/yelp": RESTAURANT}
        return json.dumps(next(answer for prefix, answer in answers.items() if path.startswith(prefix)))

    def environment(self):
        base = f"http://127.0.0.1:{self.port}"
        settings = {"GOOGLE_BOOKS_URL": base + "/books", "GOOGLE_BOOKS_KEY": KEY, "TMDB_URL": base + "/tmdb", "TMDB_KEY": KEY,
                    "YELP_URL": base + "/yelp", "YELP_KEY": KEY, "LASTFM_URL": base + "/songs/", "LASTFM_KEY": KEY,
                    "ALLOW_HTTP": "true", "ALLOW_PRIVATE": f"127.0.0.1:{self.port}"}
        return {"VITRINE_CATALOGS_" + name: value for name, value in settings.items()}


def command(daemon, *arguments, stdin=None):
    """The JSON that a command prints; the check fails with its message when the command does."""
    code, out, error = daemon.command(*arguments, "--json", stdin=stdin)
    if code:
        check(False, f"vitrine {' '.join(arguments)}: {error.strip()}")
        return {}
    lines = [json.loads(line) for line in out.splitlines() if line]
    return lines[0] if len(lines) == 1 else lines


def create(daemon, kind, fields, *options):
    return command(daemon, "entry", "create", "-", "--type", kind, *options, stdin=json.dumps(fields))


def submit(daemon, fields, key, **members):
    body = {"type": "article", "contributor": "reader-7", "fields": fields, **members}
    code, _, text = fetch(daemon.url + "/v1/submissions", daemon.info["client"], {
        "Content-Type": "application/json", "Idempotency-Key": key}, "POST", json.dumps(body).encode())
    return code, json.loads(text)


def feeds(daemon):
    command(daemon, "feed", "create", "tides", "--title", "Tides", "--tier", "free")
    command(daemon, "feed", "create", "charts", "--title", "Charts", "--tier", "premium")
    free, premium = (daemon.get(f"/v1/feeds/{slug}")[1] for slug in ("tides", "charts"))
    check({"id", "tier", "access", "preview"} <= set(free), "A6: the row of a feed has what subscribing needs")
    check((free["tier"], free["access"], premium["tier"], premium["access"])
          == ("free", "account", "premium", "premium subscription"), "A17, A18: the tier says who may subscribe")
    code, _, error = daemon.command("entry", "create", "-", "--type", "feed", "--publish",
                                    stdin=json.dumps({"title": "No tier", "slug": "no-tier", "tier": "gold"}))
    check(code != 0 and "free" in error and daemon.get("/v1/feeds/no-tier")[0] == 404, "A17: there is no third tier")
    before = daemon.get("/v1/discover")[1]["data"]
    create(daemon, "feed", {"title": "Front", "slug": "front", "tier": "free", "featured": 1}, "--publish")
    after = daemon.get("/v1/discover")[1]["data"]
    check("front" in [row["slug"] for row in after] and len(after) == len(before) + 1,
          "A20: Discover lists what curators feature, in their order")


def submissions(daemon):
    code, made = submit(daemon, {"title": "A bench with a view", "body": "<p>At the quay.</p>"}, "bench-1", category="Quays")
    check(code == 201, f"A8: a submission may name a category that does not exist ({code})")
    item = command(daemon, "queue", "show", made["id"])
    check("Quays" in json.dumps(item), "A8: the curator sees the requested category")
    command(daemon, "queue", "approve", made["id"], "--feed", "tides")
    rows = daemon.get("/v1/feeds/tides/items")[1]["data"]
    check(len(rows) == 1 and len(rows[0]["categories"]) >= 1, "A8: what is published has a category")
    events = daemon.get("/v1/events")[1]["data"]
    added = [event for event in events if event["event"] == "feed_item.published" and event["data"]["item"] == rows[0]["id"]]
    numbers = [event["number"] for event in events]
    check(len(added) == 1 and numbers == sorted(set(numbers)), "B12: an item added to a feed is one event, in order")
    command(daemon, "entry", "update", rows[0]["id"], "-", "--publish", "--note", "Shorter",
            stdin=json.dumps({"title": "A bench"}))
    again = [event for event in daemon.get("/v1/events")[1]["data"] if event["data"].get("item") == rows[0]["id"]]
    check(len(again) == 1, "B12: an edit is no new event")
    records = [json.loads(line) for line in daemon.command("export")[1].splitlines()]
    revisions = [record["revision"] for record in records if "revision" in record]
    publications = [record["publication"] for record in records if "publication" in record]
    check(sum(row["note"] == "Shorter" for row in revisions) == 1
          and all(row["author_id"] and row["created_at"] and row["number"] for row in revisions),
          "B2: a revision has author, date, number and the note that was entered")
    check(all(row["actor_id"] and row["published_at"] and row["number"] and row["note"] for row in publications),
          "B2: and so has every publication")


def video(daemon):
    fields = {"title": "Low tide", "hls_url": "https://video.example.org/low-tide.m3u8"}
    categories = [row["id"] for group in daemon.get("/v1/categories")[1]["data"] for row in group["categories"]][:1]
    made = create(daemon, "video", {**fields, "categories": categories, "feeds": [daemon.get("/v1/feeds/charts")[1]["id"]]}, "--publish")
    number = daemon.get("/v1/publication")[1]["number"]
    command(daemon, "entry", "update", made["id"], "-", "--publish",
            stdin=json.dumps({"feeds": [daemon.get("/v1/feeds/tides")[1]["id"]]}))
    rows = daemon.get("/v1/feeds/tides/videos")[1]["data"]
    check(made["id"] in [row["id"] for row in rows], "A32: a video that moves to another feed keeps its id")
    command(daemon, "entry", "unpublish", made["id"])
    command(daemon, "release", "rollback", str(number))
    command(daemon, "publish", "repair")
    check(daemon.get(f"/v1/videos/{made['id']}")[0] == 200, "A32: and after unpublishing, rollback and repair")


def image(daemon):
    found = daemon.get("/v1/media")[1]["data"][0]
    widths = [rendition["width"] for rendition in found["renditions"]]
    check(len(widths) > 1 and len(set(widths)) == len(widths), f"B9: an image has files in several widths {widths}")


def foreign_hosts(daemon):
    hosts = set()

    def walk(value, name=""):
        if isinstance(value, dict):
            for key, member in value.items():
                walk(member, key)
        elif isinstance(value, list):
            for member in value:
                walk(member, name)
        elif isinstance(value, str) and value.startswith("http") and name not in ("link", "url", "stream", "urls"):
            hosts.add(f"{name}: {value}")

    for path in ("/v1/feeds", "/v1/items", "/v1/places?lat=53.5&lon=8", "/v1/routes", "/v1/lists", "/v1/badges", "/v1/discover"):
        walk(daemon.get(path)[1]["data"])
    check(hosts == set(), f"A41: no row makes an app call another server {sorted(hosts)[:3]}")
    item = daemon.get("/v1/catalog/movie")[1]["data"][0]
    check(daemon.get(f"/v1/catalog/movie/{item['id']}")[0] == 200, "A41: catalog items come from our own tables")


def settings(daemon):
    rows = {row["key"]: row["value"] for row in daemon.get("/v1/settings")[1]["data"]}
    for title, expected in (
            ("A42: product ids", {"premium.product_ids": ["premium.monthly", "premium.yearly"]}),
            ("C5: pause", {"run_pause_seconds": 2, "run_pause_comparator": ">="}),
            ("C6: weaving", {"weaving.swerves": 4, "weaving.window_seconds": 60, "weaving.alt.swerves": 2,
                             "weaving.alt.pauses": 2}),
            ("C10: unit of speed", {"speed.unit": "min/mile"}),
            ("C25: music apps", {"bop.music_apps": ["apple-music", "spotify", "tidal", "youtube-music"]}),
            ("C26: dialog", {"bop.ready_text": "Ready to Bop!", "bop.ready_seconds": 3})):
        check({key: rows.get(key) for key in expected} == expected, f"{title}, from the published settings")
    for title, key in (
            ("A42: paywall", "paywall.text"),
            ("B18: location permission", "location.rationale"),
            ("D21, D35: labels of catalogs", "catalog.book")):
        check(bool(daemon.get(f"/v1/texts/{key}")[1].get("value")), f"{title}, from the published texts")
    kinds = {row["kind"] for row in daemon.get("/v1/catalog/tv")[1]["data"]}
    check(kinds == {"tv"} and daemon.get("/v1/texts/catalog.tv")[1]["value"] != "tv", "D35: a label is not the kind")
    image = {"media": daemon.get("/v1/media")[1]["data"][0]["id"], "alt": "A drawn landscape"}
    screens = [{"title": "Music", "text": "Runs to the beat.", "image": image}] * 2
    create(daemon, "onboarding_set", {"title": "Bop", "key": "onboarding.bop", "locale": "en", "screens": screens}, "--publish")
    code, found = daemon.get("/v1/onboarding/onboarding.bop")
    check(code == 200 and len(found["screens"]) == 2, "C25: a second onboarding set beside the first")


GPX = """<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Dyke</name>
<trkseg>{}</trkseg></trk></gpx>""".format("".join(
    f'<trkpt lat="{53 + step * 0.002:.3f}" lon="8.0"><ele>2</ele></trkpt>' for step in range(9)))


def routes(daemon, folder):
    path = os.path.join(folder, "dyke.gpx")
    with open(path, "w") as file:
        file.write(GPX)
    command(daemon, "import", "routes", path, "--city", "Dykeham", "--publish")
    route = next(row for row in daemon.get("/v1/routes")[1]["data"] if row["title"] == "Dyke")

    def measure(*sites):
        hour = time.strftime("%Y-%m-%dT%H:00:00Z", time.gmtime())
        # The hour may end meanwhile.
        later = time.strftime("%Y-%m-%dT%H:00:00Z", time.gmtime(time.time() + 2 * 3600))
        lines = ["place,latitude,longitude,from,to,index"] + [
            f"{name},{lat},{lon},{hour},{later},{index}" for name, lat, lon, index in sites]
        command(daemon, "import", "air", "-", "--city", "Dykeham", "--source", "row-test", stdin="\n".join(lines) + "\n")

    def heart():
        return daemon.get(f"/v1/routes/{route['id']}")[1]["results"]["heart"]

    near, far = ("near", 53.008, 8.0), ("far", 53.6, 8.9)
    measure((*near, 3), (*far, 3))
    wait(lambda: heart() == "not_given", "C16: air as clean as the city's mean gives no heart")
    measure((*near, 3), (*far, 3.1))
    wait(lambda: heart() == "given", "C16, C20: air that is cleaner by a little, read from a file, gives one")
    keys = {badge["key"]: badge for badge in daemon.get("/v1/badges")[1]["data"]}
    check(set(keys) >= {"heart", "zoom"} and keys["heart"]["icon"] and keys["heart"]["descriptions"]["en"],
          "C15: a badge has a key, an icon and descriptions by language")


def catalogs(daemon, source):
    def search(*arguments):
        return json.dumps(command(daemon, "catalog", "search", *arguments))

    check("The Tidal Atlas" in search("book", "title", "text=tidal"), "D29: books by title")
    count = len(source.requests)
    check("The Tidal Atlas" in search("book", "title", "text=tidal") and len(source.requests) == count,
          "D29: the same search within its time makes no request")
    search("book", "subject", "text=sea")
    check(source.requests[-1][1]["q"] == "subject:sea", "D29: books by subject")
    check("Low Water" in search("movie", "latest", "language=de", "page=2")
          and (source.requests[-1][1]["language"], source.requests[-1][1]["page"]) == ("de", "2"),
          "D30: the latest movies in a language, by page")
    check("Night Ferry" in search("tv", "latest"), "D30: the latest series")
    check("Salt House" in search("restaurant", "near", "lat=51.5", "lon=-0.1")
          and source.requests[-1][2] == f"Bearer {KEY}", "D31: restaurants near a point")
    check("Ebb" in search("song", "info", "artist=Reed", "title=Ebb"), "D32: one song by artist and title")
    check("Mole" in search("song", "top_artists"), "D32: the top artists")
    code, out, _ = daemon.command("export")
    check(code == 0 and KEY not in out, "D30: a key is in no export")


def lists(daemon):
    row = daemon.get("/v1/lists")[1]["data"][0]
    full = daemon.get(f"/v1/lists/{row['id']}")[1]
    check({"id", "user", "title", "photo", "created_at", "updated_at", "slug", "version"} <= set(full),
          f"D23: a list has its fields, with owner and image under the app's names")
    time.sleep(1.1)
    command(daemon, "publish", "now")
    same = daemon.get(f"/v1/lists/{row['id']}")[1]
    command(daemon, "entry", "update", row["id"], "-", "--publish", stdin=json.dumps({"title": row["title"] + "!"}))
    # A response that the daemon keeps is followed by the next one as soon as it has heard of the publication.
    wait(lambda: daemon.get(f"/v1/lists/{row['id']}")[1]["title"] == row["title"] + "!", "D23: the new title is published")
    changed = daemon.get(f"/v1/lists/{row['id']}")[1]
    check(same["updated_at"] == full["updated_at"] < changed["updated_at"] and changed["created_at"] == full["created_at"],
          f"D23: updated_at changes with the content, created_at never: {[version['updated_at'] for version in (full, same, changed)]}")


def move(daemon, folder):
    """Into an empty database beside the first: export, migrate, import, verify."""
    url = daemon.info["database_url"].replace("/vitrine?", "/moved?")
    bundle = os.path.join(folder, "all.ndjson")
    subprocess.run(["createdb", "--maintenance-db", daemon.info["database_url"], "moved"], check=True)
    daemon.command("export", "--file", bundle)
    for arguments in (["migrate"], ["import", "bundle", bundle], ["publish", "verify"]):
        done = subprocess.run([daemon.program, *arguments], capture_output=True, text=True, timeout=seconds(120),
                              env={**os.environ, "DATABASE_URL": url})
        check(done.returncode == 0, f"B66: in a new database: vitrine {' '.join(arguments[:2])} {done.stderr.strip()[-300:]}")


def another_catalog(program, folder):
    """A folder of catalogs with one more file: nothing else is needed."""
    catalogs = os.path.join(folder, "catalogs")
    shutil.copytree(os.path.join(ROOT, "Config/catalogs"), catalogs)
    with open(os.path.join(catalogs, "game.json"), "w") as file:
        json.dump({"name": "game", "label": "Game", "plural": "Games", "source": "google_books",
                   "details": {"type": "object", "properties": {}}}, file)
    daemon = Daemon(program, os.path.join(folder, "games"), environment={"VITRINE_CATALOGS_DIR": catalogs})
    found = command(daemon, "catalog", "search", "game", "title", "text=tidal")
    check("The Tidal Atlas" in json.dumps(found) and daemon.get("/v1/catalog/game")[0] == 200,
          "D16: another catalog needs a file and nothing else")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    source = Source()
    os.environ.update(source.environment())
    path = folder()
    daemon = Daemon(options.program, os.path.join(path, "data"))
    step(daemon.load_demo)
    step(feeds, daemon)
    step(submissions, daemon)
    step(video, daemon)
    step(image, daemon)
    step(foreign_hosts, daemon)
    step(settings, daemon)
    step(routes, daemon, path)
    step(catalogs, daemon, source)
    step(lists, daemon)
    step(move, daemon, path)
    step(another_catalog, options.program, path)
    finish()


if __name__ == "__main__":
    main()
