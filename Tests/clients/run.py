#!/usr/bin/env python3
"""Runs the four demo clients as their users would, against a real daemon with the demo content.

    run.py --program .build/debug/vitrine

Prints a line per check; ends with "N passed, N failed".
"""
import argparse
import json
import os
import subprocess
import sys
import time

CLIENTS = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(CLIENTS), "journeys"))
from checks import check, finish  # noqa: E402
from patience import seconds  # noqa: E402
from run import Daemon  # noqa: E402
from workspace import folder, port  # noqa: E402


class Clients:
    def __init__(self, daemon):
        client = daemon.info["client"]
        self.environment = {
            "PATH": os.environ["PATH"], "CMS_URL": daemon.url, "CMS_CLIENT": f"{client['id']}:{client['secret']}",
            "CMS_TIMEOUT": str(seconds(20))}

    def run(self, name, *arguments, url=None):
        """The output of a client; -S and -I keep everything but the standard library out."""
        environment = {**self.environment, **({"CMS_URL": url} if url else {})}
        program = f"import sys; sys.path.insert(0, {CLIENTS!r}); import {name}; {name}.main()"
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", program, *arguments], env=environment, capture_output=True, text=True,
            timeout=seconds(60))
        check(done.returncode == 0, f"{name} {' '.join(arguments)} ends well {done.stderr[-600:]}")
        return done.stdout


def feed_reader(clients, folder):
    out = clients.run("feed_reader", folder)
    check("onboarding: Sieh dich um" in out, "B17: onboarding is in the reader's language")
    check("featured: City guides" in out, "A7: featured feeds come first")
    check("Slow travel (premium)" in out and "[video]" in out, "A2: feeds show their items")
    check("full text of " in out and "<p>" in out, "A28: the full text is there")
    kept = [line for line in out.splitlines() if line.startswith("kept offline")]
    check(any(not line.endswith(" 0 files downloaded") for line in kept), f"A30: files are kept offline: {kept}")
    again = [line for line in clients.run("feed_reader", folder).splitlines() if line.startswith("kept offline")]
    check(again and all(line.endswith(" 0 files downloaded") for line in again), "A30: nothing new, nothing downloaded")
    offline = clients.run("feed_reader", folder, "--offline", url="http://127.0.0.1:1")
    check("Slow travel (premium)" in offline and ": kept" in offline and ": missing" not in offline,
          "A30: without a network, the feed and its images are there")


def places(clients):
    out = clients.run("places", "feldh", "54.7402,8.2051")
    check("Veldhaven: 10 places" in out, "B25: a city is found by a name in another language")
    check("  0 m: Ferry House Nine" in out, "B25: the nearest place is first")
    filtered = out.split("filter: ")[1].split("map: ")[0].splitlines()
    check(" or " in filtered[0] and len(filtered) > 3, f"B32: places with a category of either group: {filtered[0]}")
    check("map: 10 places" in out, "B40: the map shows all places in its box")
    check("Closest:" in out and len(out.split("Closest:\n")[1].split("box around")[0].splitlines()) == 5,
          "B38, B41: nothing matches, so five others are shown")
    check("current: Two loaves for one" in out and "upcoming: Fog for free" in out, "B48: promotions, current ones first")


def no_content(daemon, clients):
    """What a fresh deployment has: no lists, a city without places, badges without icons."""
    check("no lists yet" in clients.run("list_reader"), "D23: without lists, there is nothing to read")
    empty = {"title": "Leerstadt", "center": {"lat": 12.5, "lon": -30.25}}
    code, _, error = daemon.command("entry", "create", "-", "--type", "city", "--publish", stdin=json.dumps(empty))
    check(code == 0, f"a city without places is published {error}")
    out = clients.run("places", "leer")
    check("Leerstadt: 0 places" in out and "map: 0 places in " in out, f"B27: a city without places is shown: {out}")
    check("no route leads there" in clients.run("jogger", "50.5009,-20.0095", "50.5012,-20.0425"), "C13: no routes, none found")
    badges = {badge["key"]: badge["icon"] for badge in daemon.get("/v1/badges")[1]["data"]}
    check(badges == {"heart": None, "zoom": None}, f"C15: the badges are there from the start: {badges}")


def without_icon(daemon, clients):
    badge = next(badge for badge in daemon.get("/v1/badges")[1]["data"] if badge["key"] == "zoom")
    code, _, error = daemon.command("entry", "update", badge["id"], "-", "--publish", stdin=json.dumps({"icon": None}))
    check(code == 0, f"the icon of a badge is removed {error}")
    out = clients.run("jogger", "50.5009,-20.0095", "50.5012,-20.0425")
    check("Made for speed" in out and "(no icon)" in out, f"C15: a badge without an icon explains itself: {out}")


def jogger(clients):
    # From the fish market to the end of the mole.
    out = clients.run("jogger", "50.5009,-20.0095", "50.5012,-20.0425")
    lines = out.splitlines()
    check(any(line.startswith("[Heart] [Zoom] Out to the lighthouse") for line in lines), "C13, C21: the route there has both badges")
    check("Quay loop" not in out and "Mill Hill" not in out, "C13: routes that lead elsewhere are left out")
    check("Made for speed" in out and "(Icon of the badge zoom)" in out, "C15: a badge explains itself")
    check("responses not modified" in out, "C22: asking again costs a 304")
    check("5 points" in out, "C13: the path is there to draw")
    loop = clients.run("jogger", "50.4995,-20.0065", "50.4995,-20.0065", "--detour", "200", "--pace", "9.5")
    check("Quay loop" in loop and "[Zoom]" not in loop, "C18: a loop with an obstruction beside it has no zoom badge")
    check("no route leads there" in clients.run("jogger", "50.5012,-20.0425", "50.5009,-20.0095"), "C13: a route has one direction")


def corrections(daemon, clients):
    """The team corrects reports of obstructions, and the runner sees it."""
    loop = ("50.4995,-20.0065", "50.4995,-20.0065", "--detour", "200")
    now = time.time()
    # The hour may end meanwhile.
    hours = [time.strftime("%Y-%m-%dT%H:00:00Z", time.gmtime(now + 3600 * count)) for count in (0, 2)]
    rows = f"place,latitude,longitude,from,to,count\nEast lock,50.5030,-19.9945,{hours[0]},{hours[1]},none\n"
    code, out, error = daemon.command(
        "import", "obstructions", "-", "--city", "Saltmarsh", "--source", "demo", "--json", stdin=rows)
    check(code == 0 and json.loads(out)["recorded"] == 1, "C20: a newer report of the same source is accepted although they overlap " + error)
    check("[Zoom] Quay loop" in clients.run("jogger", *loop), "C18: without an obstruction beside it the loop has a zoom badge")
    code, out, _ = daemon.command("observation", "list", "--kind", "obstruction", "--site", "East lock", "--history", "--json")
    old = [json.loads(line) for line in out.splitlines()]
    check(code == 0 and [(row["value"], row["reason"]) for row in old] == [(2, "replaced")], f"C20: the history has the replaced report: {old}")
    delete = ["observation", "delete", "--kind", "obstruction", "--city", "Saltmarsh", "--source", "demo"]
    code, out, error = daemon.command(*delete, "--dry-run")
    check(code == 0 and "would be deleted" in error and "[Zoom]" in clients.run("jogger", *loop), "C20: a dry run deletes nothing")
    code, out, error = daemon.command(*delete, "--json")
    check(code == 0 and json.loads(out)["deleted"] in (10, 15), f"C20: mistaken reports are deleted {out} {error}")
    check("zoom: unknown" in clients.run("jogger", *loop), "C18: without reports the badge is unknown")
    code, out, _ = daemon.command("observation", "list", "--city", "SALTMARSH", "--kind", "obstruction")
    check(code == 0 and out == "", "C20: and they are not listed any more")


def list_reader(clients):
    out = clients.run("list_reader", "films-for-a-power-cut")
    check("Books to leave on a bench" in out, "D23: all lists are there")
    check("by title: Harbor Mornings | " in out, "D28: a list has three orders")
    share = out.split("--- share\n")[1]
    check(share.startswith("Films for a power cut\n") and "Two Tickets to Ostrava" in share, "D28: the text to share has every item")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    path = folder()
    # Links to images contain its URL.
    daemon = Daemon(program, os.path.join(path, "data"), port=port())
    clients = Clients(daemon)
    no_content(daemon, clients)
    daemon.command("demo", "items")
    daemon.load_demo()
    feed_reader(clients, os.path.join(path, "offline"))
    places(clients)
    jogger(clients)
    without_icon(daemon, clients)
    corrections(daemon, clients)
    list_reader(clients)
    finish()


if __name__ == "__main__":
    main()
