#!/usr/bin/env python3
"""A reader of curated lists: all lists, one list in three orders, its items, and the text to share.

    list_reader.py [SLUG]

Without SLUG it shows the first list.
"""
import sys

from vitrine_api import Vitrine


def main():
    api = Vitrine()
    lists = list(api.all("/v1/lists"))
    for entry in lists:
        print(f"{entry['title']}: {entry['count']} items - {entry['about']}")
    if not lists:
        print("no lists yet")
        return
    slug = sys.argv[1] if len(sys.argv) > 1 else lists[0]["slug"]
    entry = api.get(f"/v1/lists/{slug}")
    titles = {}
    for sort in ("position", "date", "title"):
        titles[sort] = [item["title"] for item in api.all(f"/v1/lists/{slug}/items", sort=sort)]
        print(f"by {sort}: {' | '.join(titles[sort])}")
    if titles["title"] != sorted(titles["title"], key=str.casefold) or any(len(t) != entry["count"] for t in titles.values()):
        raise SystemExit("the orders do not have the same items")
    for item in api.all(f"/v1/lists/{slug}/items"):
        note = f" - {item['note']}" if item["note"] else ""
        details = ", ".join(f"{name}: {value}" for name, value in item["details"].items() if name != "title")
        print(f"  {item['kind']}: {item['title']} ({details}){note}")
        work = api.get(f"/v1/catalog/{item['kind']}/{item['catalog_item_id']}")
        if work["title"] != item["title"]:
            raise SystemExit(f"{item['title']} is {work['title']} in the catalog")
    text = api.bytes(f"/v1/lists/{slug}/text", sort="title").decode()
    print("--- share\n" + text.strip() + "\n---")
    lines = text.splitlines()
    if lines[0] != entry["title"] or not all(any(title in line for line in lines[1:]) for title in titles["title"]):
        raise SystemExit("the text to share lacks an item")
    if api.bytes(f"/v1/lists/{slug}", format="text", sort="title").decode() != text:
        raise SystemExit("both addresses of the text differ")


if __name__ == "__main__":
    main()
