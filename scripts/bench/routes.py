"""P10 for routes: those from an origin to a destination, checked against a comparison with every route."""
import json
import random
import statistics
import time
import urllib.parse

from deployment import Browser

PAGE = 20
CLIENTS = 2
ROUTES = 100_000
# Half the default, the default, and the most that can be asked for, in meters.
DETOURS = [800, 1609, 5000]

# All routes are in one city of 40 by 40 km; a third are loops, the others lead up to 10 km away. Half of them have a badge
# now, half of those both; all have results for the hours before and after.
LOAD = """
begin;
set local session_replication_role = replica;
set local synchronous_commit = off;
select setseed(0.5);
drop index api_v1.route_ends;
insert into api_v1.badge (id, key, title, position, document)
select ('01900000-0000-7000-f000-' || lpad(to_hex(p), 12, '0'))::uuid, k, initcap(k), p,
    json_build_object('id', ('01900000-0000-7000-f000-' || lpad(to_hex(p), 12, '0'))::uuid, 'key', k, 'title', initcap(k),
        'description', 'Made for speed.', 'descriptions', '{{}}'::json, 'icon', null, 'position', p)
from (values ('heart', 1), ('zoom', 2)) b (k, p);
insert into api_v1.route (id, slug, title, city, city_key, distance_m, net_elevation_m, multiplier_heart, multiplier_zoom,
    multiplier_both, ends, document)
select r.id, 'route-' || r.i, 'Route ' || r.i, 'London', 'london', r.length, 3, 1.25, 1.25, 2,
    public.cube(array[cos(radians(lat1)) * cos(radians(lon1)), cos(radians(lat1)) * sin(radians(lon1)), sin(radians(lat1)),
        cos(radians(lat2)) * cos(radians(lon2)), cos(radians(lat2)) * sin(radians(lon2)), sin(radians(lat2))]),
    json_build_object('id', r.id, 'type', 'route', 'slug', 'route-' || r.i, 'title', 'Route ' || r.i, 'city', 'London',
        'distance_m', round(r.length::numeric, 1), 'start', json_build_object('lat', lat1, 'lon', lon1),
        'end', json_build_object('lat', lat2, 'lon', lon2), 'preview', 'Along the canal, past two locks and a bench.')
from (
    select s.*, ('01900000-0000-7000-c000-' || lpad(to_hex(i), 12, '0'))::uuid as id, 900 + random() * 14000 as length,
        case when i % 3 = 0 then lat1 else round((lat1 + (random() - 0.5) * 0.18)::numeric, 5)::float8 end as lat2,
        case when i % 3 = 0 then lon1 else round((lon1 + (random() - 0.5) * 0.28)::numeric, 5)::float8 end as lon2
    from (
        select i, round((51.32 + random() * 0.36)::numeric, 5)::float8 as lat1, round((-0.41 + random() * 0.58)::numeric, 5)::float8 as lon1
        from generate_series(1, {count}) i) s) r;
insert into api_v1.route_badge (route_id, badge, valid_from, valid_to, result, document)
select ('01900000-0000-7000-c000-' || lpad(to_hex(i), 12, '0'))::uuid, b, now() + h * interval '1 day', now() + (h + 1) * interval '1 day',
    case when (i / (case b when 'heart' then 1 else 2 end) + h) % 2 = 0 and i % 4 <> 3 then 'given' else 'not_given' end, '{{}}'
from generate_series(1, {count}) i, generate_series(-1, 1) h, unnest(array['heart', 'zoom']) b;
create index route_ends on api_v1.route using gist (ends)
    include (id, distance_m, city_key, multiplier_heart, multiplier_zoom, multiplier_both);
commit;
vacuum analyze api_v1.route, api_v1.route_badge, api_v1.badge;
"""

# Haversine for both ends of every route.
BRUTE = """
create temp table asked (n integer, lat1 float8, lon1 float8, lat2 float8, lon2 float8, detour float8);
copy asked from stdin;
{asked}\\.
create or replace function pg_temp.way(a float8, b float8, c float8, d float8) returns float8 language sql as $$
    select floor(20 * 6371008.8 * asin(least(1, sqrt(sin(radians(c - a) / 2) ^ 2
        + cos(radians(a)) * cos(radians(c)) * sin(radians(d - b) / 2) ^ 2))) + 0.5) $$;
create temp table known as
select r.id, r.distance_m, (document -> 'start' ->> 'lat')::float8 as lat1, (document -> 'start' ->> 'lon')::float8 as lon1,
    (document -> 'end' ->> 'lat')::float8 as lat2, (document -> 'end' ->> 'lon')::float8 as lon2,
    case when heart and zoom then 2 when heart or zoom then 1.25 else 1 end as multiplier
from api_v1.route r cross join lateral (
    select bool_or(badge = 'heart' and result = 'given') as heart, bool_or(badge = 'zoom' and result = 'given') as zoom
    from api_v1.route_badge b where b.route_id = r.id and valid_from <= now() and now() < valid_to) b;
select a.n, (select string_agg(k.id::text, ' ' order by (floor(k.distance_m * 10 + 0.5) + k.ways) / 10 / k.multiplier, k.id)
             from (select *, pg_temp.way(a.lat1, a.lon1, lat1, lon1) + pg_temp.way(a.lat2, a.lon2, lat2, lon2) as ways from known) k
             where k.ways / 10 <= a.detour)
from asked a order by a.n;
"""


def measure(bench):
    """Checks results against brute force, then measures the first page."""
    deployment = bench.small
    count = ROUTES if bench.is_complete else ROUTES // 5
    began = time.monotonic()
    deployment.database.run(LOAD.format(count=count))
    bench.note(f"{count} routes are loaded ({time.monotonic() - began:.0f} s)")
    pages = compare(deployment, 10 if bench.is_complete else 3)
    bench.note(f"{pages} pages of routes match brute force")
    for detour in DETOURS:
        paths = [path(*trip, detour) for trip in asked(2000, detour + 1)]
        page_time(bench, deployment, f"routes detour={detour} page=1 routes={count}", paths)


def asked(number, seed):
    """Random trips of up to some kilometers within the city, a third of them round trips."""
    chance = random.Random(seed)
    for n in range(number):
        lat, lon = round(chance.uniform(51.36, 51.64), 5), round(chance.uniform(-0.35, 0.11), 5)
        to = (lat, lon) if n % 3 == 0 else (round(lat + chance.uniform(-0.06, 0.06), 5), round(lon + chance.uniform(-0.1, 0.1), 5))
        yield lat, lon, *to


def compare(deployment, queries):
    """Compares all pages of some queries with brute force. Returns the number of pages."""
    browser = Browser(deployment.daemon.port)
    trips = [(*trip, detour) for detour in DETOURS for trip in asked(queries, detour)]
    lines = "".join(f"{n}\t" + "\t".join(str(value) for value in trip) + "\n" for n, trip in enumerate(trips))
    rows = deployment.database.rows(BRUTE.format(asked=lines))
    pages = 0
    for trip, row in zip(trips, rows):
        found, cursor = [], ""
        while True:
            status, _, body = browser.request("GET", path(*trip) + cursor, {"Authorization": deployment.authorization})
            if status != 200:
                raise AssertionError(f"{path(*trip)}: {status} {body[:300]!r}")
            response = json.loads(body)
            found += [route["id"] for route in response["data"]]
            pages += 1
            if not response["next"]:
                break
            cursor = "&cursor=" + urllib.parse.quote(response["next"])
        if found != row[1].split():
            raise AssertionError(f"{path(*trip)}: {len(found)} routes, not the {len(row[1].split())} of brute force in its order")
    return pages


def path(lat1, lon1, lat2, lon2, detour):
    return f"/v1/routes?from={lat1},{lon1}&to={lat2},{lon2}&max_detour={detour}"


def page_time(bench, deployment, label, paths):
    load = f"""
local paths = {{{", ".join(json.dumps(path) for path in paths)}}}
local head = {{["Authorization"] = "{deployment.authorization}"}}
function init(args) math.randomseed(number + 1) end
function request() return wrk.format("GET", paths[math.random(#paths)], head) end
"""
    (samples,) = bench.results.in_turn(
        lambda: bench.wrk.run(deployment.daemon.url, load, CLIENTS, bench.seconds, deployment.daemon, bench.cluster))
    bench.results.fact("P10", f"{label} p99", [statistics.median(sample.p99 for sample in samples)], "ms", 20)
