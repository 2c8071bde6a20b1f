#!/usr/bin/env python3
"""Writes Templates/openapi/examples.json: example responses of the reading endpoints with demo content.

    api_examples.py --program .build/debug/vitrine

Starts a daemon without packs, whose examples contain nothing of them, and one with all for the endpoints of packs. Lists are
shortened to one element and long texts are truncated, for readability.
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

QUERIES = {"/v1/search": "q=harbor", "/v1/places": "lat=53.55&lon=9.99", "/v1/promotions": "", "/v1/cities": "",
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
    code, document = daemon.get("/openapi.json")
    paths = [path for path, operations in document["paths"].items() if "get" in operations]

    def first(path, member="slug"):
        code, response = daemon.get(path)
        return response["data"][0][member] if code == 200 and response.get("data") else None

    city = first("/v1/cities")
    if city:
        QUERIES["/v1/promotions"] = f"city={city}"
    slugs = {kind: first(f"/v1/{kind}") for kind in ("feeds", "items", "lists", "routes", "cities")}
    slugs["places"] = first("/v1/places?" + (f"city={city}" if city else QUERIES["/v1/places"]))
    slugs["promotions"] = first("/v1/promotions?" + QUERIES["/v1/promotions"])
    code, groups = daemon.get("/v1/categories")
    slugs["categories"] = next((c["slug"] for g in groups["data"] for c in g["categories"]), None)
    video = first("/v1/items?has_video=true")
    keys = {"texts": first("/v1/texts", "key"), "settings": first("/v1/settings", "key"), "onboarding": "onboarding.main"}
    kind = next((k for k in ("movie", "book", "tv", "restaurant", "song") if first(f"/v1/catalog/{k}", "kind")), None)
    record = first("/v1/tables/catalog_item", "key")
    ids = {"media": first("/v1/media", "id"), "reviews": first(f"/v1/places/{slugs['places']}/reviews", "id")}
    found = {}
    for path in paths:
        noun = path.split("/")[2] if path.startswith("/v1/") else ""
        if not path.startswith("/v1/") or noun in ("queue", "submissions") or path.endswith(("/rss", "/atom", "/text")):
            continue
        values = {"id_or_slug": video if noun == "videos" else slugs.get(noun), "key": keys.get(noun), "kind": kind,
                  "table": "feed_item", "id": ids.get(noun, record)}
        names = re.findall(r"\{(\w+)\}", path)
        if any(not values[name] for name in names):
            print("no example for", path)
            continue
        target = re.sub(r"\{(\w+)\}", lambda match: values[match.group(1)], path)
        query = QUERIES.get(path, "")
        if noun == "promotions" and "{" not in path or noun == "resolve":
            query = query or f"kind=feed&slug={slugs['feeds']}"
        code, response = daemon.get(target + ("?" + query if query else ""))
        if code != 200:
            print(code, "at", target, query)
            continue
        # Ids differ between databases, so only stable names are parameters.
        parameters = {name: values[name] for name in names if name != "id"}
        response = json.loads(json.dumps(response).replace(daemon.url, "https://vitrine.example.org"))
        found[path] = {"parameters": parameters, "query": query, "response": shorten(response)}
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    found = {}
    for packs in ("none", "places routes lists"):
        os.environ["VITRINE_PACKS"] = packs
        folder = tempfile.mkdtemp(prefix="vitrine-examples-")
        os.chmod(folder, 0o755)
        daemon = Daemon(os.path.abspath(arguments.program), folder)
        try:
            daemon.load_demo(["categories"] + [name for name in packs.split() if name != "none"])
            found = {**examples(daemon), **found}
        finally:
            daemon.stop()
            shutil.rmtree(folder, ignore_errors=True)
    path = os.path.join(ROOT, "Templates/openapi/examples.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    text = json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True)
    with open(path, "w") as file:
        file.write(text + "\n")
    print(f"{len(found)} examples")


if __name__ == "__main__":
    main()
