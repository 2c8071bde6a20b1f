#!/usr/bin/env python3
"""Places near the reader: a city, categories of both groups, a map, the closest when nothing matches, promotions.

    places.py CITY [LAT,LON]

CITY is the beginning of a name in any language. Without a position, distances are from the center of the city.
"""
import sys

from vitrine_api import Vitrine


def line(place):
    names = ", ".join(category["name"] for category in place["categories"])
    distance = f"{place['distance']} m: " if "distance" in place else ""
    offer = f" * {place['promotion']['name']}" if place["promotion"] else ""
    return f"  {distance}{place['name']} ({names}), {place['address']}{offer}"


def main():
    api = Vitrine()
    found = api.get("/v1/cities", q=sys.argv[1])["data"]
    if not found:
        raise SystemExit(f"no city begins with {sys.argv[1]}")
    city = found[0]
    origin = {}
    if len(sys.argv) > 2:
        origin = dict(zip(("lat", "lon"), sys.argv[2].split(",")))
    print(f"{city['name']}: {city['count']} places")

    print("nearest:")
    nearest = list(api.all("/v1/places", city=city["slug"], **origin))
    for place in nearest:
        print(line(place))

    # A category of each group: a place matches if it has any of them.
    chosen = []
    for group in api.get(f"/v1/cities/{city['slug']}/categories")["data"]:
        names = ", ".join(f"{category['name']} ({category['count']})" for category in group["categories"])
        print(f"{group['name']}: {names or 'no places'}")
        chosen += [category["slug"] for category in group["categories"][:1]]
    if chosen:
        print("filter:", " or ".join(chosen))
        for place in api.all("/v1/places", city=city["slug"], category=",".join(chosen), **origin):
            if not {category["slug"] for category in place["categories"]} & set(chosen):
                raise SystemExit(f"{place['name']} has none of {chosen}")
            print(line(place))
    print("best rated:")
    for place in api.get("/v1/places", city=city["slug"], sort="rating", min_rating=1, **origin)["data"]:
        print(f"  {place['rating']['mean']} of 5 ({place['rating']['count']}): {place['name']}")

    # The map: everything in its box, or in that of the city; then a box without places far away.
    bounds = city["bounds"]
    south, north = (edge(place["lat"] for place in nearest) if nearest else bounds[side] for edge, side in ((min, "south"), (max, "north")))
    west, east = (edge(place["lon"] for place in nearest) if nearest else bounds[side] for edge, side in ((min, "west"), (max, "east")))
    box = f"{west},{south},{east},{north}"
    print(f"map: {len(list(api.all('/v1/places', box=box)))} places in {box}")
    empty = api.get("/v1/places", box="-140,-40,-139,-39")
    print(api.text(empty["message"], "en"), "Closest:")
    for place in empty.get("closest", []):
        print(line(place))
    print("box around them:", empty["box"])

    print("promotions:")
    for promotion in api.all("/v1/promotions", city=city["slug"], **origin):
        place = promotion["place"]["name"]
        print(f"  {promotion['state']}: {promotion['name']} at {place}, {promotion['starts_at']} to {promotion['ends_at']}")


if __name__ == "__main__":
    main()
