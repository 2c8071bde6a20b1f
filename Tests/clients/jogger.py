#!/usr/bin/env python3
"""Routes for a runner: from an origin to a destination, ordered as published, with badges that explain themselves.

    jogger.py FROM TO [--detour METERS] [--pace MINUTES_PER_MILE]

FROM and TO are LAT,LON in degrees.
"""
import argparse

from vitrine_api import Vitrine

METERS_IN_MILE = 1609.344


def routes(api, options):
    query = {"from": options.origin, "to": options.destination}
    if options.detour is not None:
        query["max_detour"] = options.detour
    return list(api.all("/v1/routes", **query))


def show(route, pace):
    trip = route["trip"]
    minutes = trip["distance_m"] / METERS_IN_MILE * pace
    icons = " ".join(f"[{badge['title']}]" for badge in route["badges"]) or "[no badge]"
    print(f"{icons} {route['title']}: {trip['distance_m']:.0f} m, {minutes:.0f} min,"
          f" {trip['to_start_m']:.0f} m to its start, {trip['from_end_m']:.0f} m from its end")
    for badge in route["badges"]:
        # What the app shows when the icon is tapped.
        icon = badge["icon"]["alt"] if badge["icon"] else "no icon"
        print(f"  {badge['title']}, until {badge['valid_to']}: {badge['description']} ({icon})")
    for name, result in route["results"].items():
        if result == "unknown":
            print(f"  {name}: unknown")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("origin")
    parser.add_argument("destination")
    parser.add_argument("--detour", type=float)
    parser.add_argument("--pace", type=float, default=10)
    options = parser.parse_args()
    api = Vitrine()
    settings = {setting["key"]: setting["value"] for setting in api.get("/v1/settings", prefix="routes.")["data"]}
    print(f"samples every {settings['routes.sample_miles']} miles, detour of at most "
          f"{options.detour if options.detour is not None else settings['routes.max_detour_m']} m")
    found = routes(api, options)
    if not found:
        print("no route leads there")
    for route in found:
        show(route, options.pace)
    # The order of the response is the one to show: distance of the trip divided by the multiplier.
    weights = [route["trip"]["distance_m"] / route["multiplier"] for route in found]
    if weights != sorted(weights):
        raise SystemExit(f"not in order: {weights}")
    # A run pause: ask again. Nothing has changed, so nothing is transferred.
    if routes(api, options) != found or not api.not_modified:
        raise SystemExit("asking again was not answered by 304")
    print(f"asked again: {api.not_modified} responses not modified")
    for route in found[:1]:
        path = api.get(f"/v1/routes/{route['slug']}")["path"]
        print(f"path of {route['title']}: {len(path['points'])} points, {len(path['samples'])} samples")


if __name__ == "__main__":
    main()
