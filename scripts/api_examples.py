#!/usr/bin/env python3
"""Writes Templates/openapi/examples.json: what each reading address answers with the demo content.

    api_examples.py --program .build/debug/vitrine

Asks a daemon of its own. Lists are cut to one element and long texts short, so that people can read them.
"""
import argparse
import json
import os
import re
import shutil
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "Tests/journeys"))
from run import Daemon  # noqa: E402

QUERIES = {"/v1/search": "q=harbour", "/v1/places": "lat=53.55&lon=9.99", "/v1/promotions": "", "/v1/cities": "",
           "/v1/changes": "since=0&rows=true", "/v1/texts": ""}


def shorten(value, key=""):
    if isinstance(value, dict):
        return {name: shorten(member, name) for name, member in value.items()}
    if isinstance(value, list):
        return [shorten(element) for element in value[: 3 if key in ("points", "samples", "box", "path") else 1]]
    if isinstance(value, str) and len(value) > 160 and key not in ("next",):
        return value[:150] + "…"
    return value


def examples(daemon):
    daemon.demonstrate()
    code, document = daemon.get("/openapi.json")
    paths = [path for path, operations in document["paths"].items() if "get" in operations]

    def first(path, member="slug"):
        code, answer = daemon.get(path)
        return answer["data"][0][member] if code == 200 and answer.get("data") else None

    city = first("/v1/cities")
    if city:
        QUERIES["/v1/promotions"] = f"city={city}"
    addresses = {kind: first(f"/v1/{kind}") for kind in ("feeds", "items", "lists", "routes", "cities")}
    addresses["places"] = first("/v1/places?" + (f"city={city}" if city else QUERIES["/v1/places"]))
    addresses["promotions"] = first("/v1/promotions?" + QUERIES["/v1/promotions"])
    code, groups = daemon.get("/v1/categories")
    addresses["categories"] = next((c["slug"] for g in groups["data"] for c in g["categories"]), None)
    video = first("/v1/items?has_video=true")
    keys = {"texts": first("/v1/texts", "key"), "settings": first("/v1/settings", "key"), "onboarding": "onboarding.main"}
    kind = next((k for k in ("movie", "book", "tv", "restaurant", "song") if first(f"/v1/catalog/{k}", "kind")), None)
    record = first("/v1/tables/catalog_item", "key")
    found = {}
    for path in paths:
        noun = path.split("/")[2] if path.startswith("/v1/") else ""
        if not path.startswith("/v1/") or noun in ("queue", "submissions") or path.endswith(("/rss", "/atom", "/text")):
            continue
        values = {"address": video if noun == "videos" else addresses.get(noun), "key": keys.get(noun), "kind": kind,
                  "table": "feed_item", "id": first("/v1/media", "id") if noun == "media" else record}
        names = re.findall(r"\{(\w+)\}", path)
        if any(not values[name] for name in names):
            print("nothing to show at", path)
            continue
        target = re.sub(r"\{(\w+)\}", lambda match: values[match.group(1)], path)
        query = QUERIES.get(path, "")
        if noun == "promotions" and "{" not in path or noun == "resolve":
            query = query or f"kind=feed&slug={addresses['feeds']}"
        code, answer = daemon.get(target + ("?" + query if query else ""))
        if code != 200:
            print(code, "at", target, query)
            continue
        # Ids are others in every database: only names that stay serve as parameters.
        kept = {name: values[name] for name in names if name != "id"}
        found[path] = {"parameters": kept, "query": query, "answer": shorten(answer)}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="vitrine-examples-")
    os.chmod(folder, 0o755)
    daemon = Daemon(os.path.abspath(arguments.program), folder)
    try:
        found = examples(daemon)
    finally:
        daemon.stop()
        shutil.rmtree(folder, ignore_errors=True)
    place = os.path.join(ROOT, "Templates/openapi/examples.json")
    os.makedirs(os.path.dirname(place), exist_ok=True)
    text = json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True).replace(daemon.url, "https://vitrine.example.org")
    with open(place, "w") as file:
        file.write(text + "\n")
    print(f"{len(found)} examples")


if __name__ == "__main__":
    main()
