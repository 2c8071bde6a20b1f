#!/usr/bin/env python3
"""A reader of feeds: onboarding, discovery, previews and full texts, and feeds that are kept for offline use.

    feed_reader.py FOLDER [--offline]

Saves every feed that can be kept offline in FOLDER: its items, and its images checked by size and SHA-256. Another run
downloads only what has changed. With --offline it shows the feeds from FOLDER without any request.
"""
import hashlib
import json
import os
import sys
import urllib.request

from vitrine_api import Vitrine


def show(feed, items):
    print(f"{feed['title']} ({feed['tier']}): {len(items)} items")
    for item in items:
        video = " [video]" if item["type"] == "video" else ""
        print(f"  {item['title']}{video}: {item['preview']}")


def read(api):
    for screen in api.get("/v1/onboarding/onboarding.main", locale="de-AT")["screens"]:
        print("onboarding:", screen["title"], "-", screen["text"])
    for entry in api.all("/v1/discover"):
        print("featured:", entry["title"])
    feeds = list(api.all("/v1/feeds"))
    for feed in feeds:
        show(feed, list(api.all(f"/v1/feeds/{feed['id']}/items")))
    item = next((item for item in api.all("/v1/items", tier="free") if item["type"] == "article"), None)
    if item:
        full = api.get(f"/v1/items/{item['id']}")
        print(f"full text of {full['title']}: {full['fields']['body']}")


def save(api, feed, folder):
    """Keeps a feed offline. Returns how many files were downloaded."""
    path = os.path.join(folder, feed["id"] + ".json")
    first = api.get(f"/v1/feeds/{feed['id']}/offline")
    manifest = first["manifest"]
    if os.path.exists(path):
        with open(path) as file:
            if json.load(file)["manifest"]["version"] == manifest["version"]:
                return 0
    downloaded = 0
    for image in api.all(f"/v1/feeds/{feed['id']}/offline"):
        target = os.path.join(folder, image["sha256"])
        if os.path.exists(target):
            continue
        with urllib.request.urlopen(first["base_url"] + image["path"], timeout=api.timeout) as response:
            body = response.read()
        if len(body) != image["bytes"] or hashlib.sha256(body).hexdigest() != image["sha256"]:
            raise SystemExit(f"{image['path']} is damaged")
        with open(target + ".part", "wb") as file:
            file.write(body)
        os.replace(target + ".part", target)
        downloaded += 1
    items = [api.get(f"/v1/items/{item['id']}") for item in api.all(f"/v1/feeds/{feed['id']}/items")]
    document = {"manifest": manifest, "feed": feed, "items": items}
    # The last file written: what is there is complete.
    with open(path + ".part", "w") as file:
        json.dump(document, file)
    os.replace(path + ".part", path)
    return downloaded


def offline(folder):
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".json"):
            continue
        with open(os.path.join(folder, name)) as file:
            document = json.load(file)
        show(document["feed"], document["items"])
        for item in document["items"]:
            image = item["fields"].get("image")
            if image:
                files = [image["sha256"]] + [rendition["sha256"] for rendition in image["renditions"]]
                kept = [file for file in files if os.path.exists(os.path.join(folder, file))]
                print(f"  image of {item['title']}: {'kept' if kept else 'missing'}")


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    if "--offline" in sys.argv:
        offline(folder)
        return
    api = Vitrine()
    read(api)
    for feed in api.all("/v1/feeds", offline="true"):
        print(f"kept offline: {feed['title']}, {save(api, feed, folder)} files downloaded")


if __name__ == "__main__":
    main()
