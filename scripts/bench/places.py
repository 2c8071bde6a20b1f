"""P10: the nearest places of a category, first and fiftieth page, checked against a comparison with every place."""
import json
import random
import statistics
import time
import urllib.parse

from content import CATEGORY, identifier
from deployment import Browser
from results import Target
from reading import headers

# Half of the places have the common category, one in a thousand the rare one (fifty pages with a million places).
COMMON, FAIR, RARE = identifier(CATEGORY, 101), identifier(CATEGORY, 103), identifier(CATEGORY, 105)
PAGE = 20
# As many as the machine has cores, to measure processing rather than waiting.
CLIENTS = 2

# Nine in ten places are near one of 400 towns, the others anywhere. Loaded directly into the read tables.
LOAD = """
begin;
set local session_replication_role = replica;
set local synchronous_commit = off;
set local maintenance_work_mem = '512MB';
select setseed(0.5);
create schema if not exists bench;
create temp table town as select n, degrees(asin(random() * 1.9 - 0.95)) as lat, random() * 360 - 180 as lon from generate_series(0, 399) n;
drop index api_v1.place_coordinates, api_v1.place_city_coordinates, api_v1.place_categories, api_v1.category_member_coordinates;
insert into api_v1.place (id, slug, name, city_id, address, image, category_ids, lat, lon, coordinates, age, document)
select p.id, 'place-' || p.i, 'Place ' || p.i, p.city, p.i || ' Harbor Street', 'https://images.example/p.jpg', p.categories, p.lat, p.lon,
    projection.coordinates(p.lat, p.lon), -p.i,
    json_build_object('id', p.id, 'slug', 'place-' || p.i, 'name', 'Place ' || p.i, 'address', p.i || ' Harbor Street', 'lat', p.lat,
        'lon', p.lon, 'summary', 'Soup, bread and a view of the quay; closed when the boats are out.', 'extra', '{{}}'::json)
from (
    select i, ('01900000-0000-7000-d000-' || lpad(to_hex(i), 12, '0'))::uuid as id,
        ('01900000-0000-7000-e000-' || lpad(to_hex(t.n), 12, '0'))::uuid as city,
        case when i % 10 = 0 then degrees(asin(random() * 2 - 1)) else t.lat + (random() + random() - 1) * 0.2 end as lat,
        case when i % 10 = 0 then random() * 360 - 180 else t.lon + (random() + random() - 1) * 0.2 end as lon,
        array_remove(array[case when i % 2 = 0 then '{common}'::uuid end, case when i % 20 = 1 then '{fair}'::uuid end,
            case when i % 1000 = 7 then '{rare}'::uuid end, ('01900000-0000-7000-9000-' || lpad(to_hex(200 + i % 30), 12, '0'))::uuid],
            null) as categories
    from generate_series(1, {count}) i join town t on t.n = i * 7 % 400) p;
insert into api_v1.category_member
    select distinct unnest(category_ids), id, 'place', null::bigint, city_id, coordinates from api_v1.place where slug like 'place-%';
insert into api_v1.category_city_count
    select city_id, c, count(*) from api_v1.place, unnest(category_ids) c where slug like 'place-%' group by 1, 2;
create index category_member_coordinates on api_v1.category_member using gist (category_id, city_id, coordinates) where coordinates is not null;
create index place_coordinates on api_v1.place using gist (coordinates);
create index place_city_coordinates on api_v1.place using gist (city_id, coordinates);
create index place_categories on api_v1.place using gin (category_ids);
commit;
vacuum analyze api_v1.place, api_v1.category_member, api_v1.category_city_count;
"""

# The haversine formula for every place of the category; `asked` contains the starting points.
BRUTE = """
create temp table candidate as select id, radians(lat) as lat, radians(lon) as lon from api_v1.place where category_ids && '{{{category}}}';
create temp table asked (n integer, lat float8, lon float8);
copy asked from stdin;
{asked}\\.
select a.n, string_agg(c.id::text, ' ' order by c.far, c.id) from asked a cross join lateral (
    select id, asin(sqrt(sin((p.lat - radians(a.lat)) / 2) ^ 2 + cos(p.lat) * cos(radians(a.lat)) * sin((p.lon - radians(a.lon)) / 2) ^ 2)) as far
    from candidate p order by far, id limit {limit}) c
group by a.n order by a.n;
"""


def measure(bench):
    """Checks all results against brute force, then compares the time with the bare query."""
    deployment = bench.small
    count = bench.places
    began = time.monotonic()
    deployment.database.run(LOAD.format(common=COMMON, fair=FAIR, rare=RARE, count=count))
    bench.note(f"{count} places are loaded ({time.monotonic() - began:.0f} s)")
    whole = 10_000 if bench.options.full else 1000
    for name, category, queries in (
            ("common", COMMON, whole * 4 // 100), ("fair", FAIR, whole * 6 // 100), ("rare", RARE, whole * 90 // 100)):
        pages = compare(deployment, category, queries, walks=10 if bench.is_complete else 3)
        bench.note(f"{queries} queries and {pages} consecutive pages of the {name} category match brute force")
    for name, category in (("common", COMMON), ("fair", FAIR), ("rare", RARE)):
        first_page(bench, deployment, name, category, count)
        fiftieth_page(bench, deployment, name, category, count)


def coordinates(number, seed):
    """Random starting points all over the map."""
    chance = random.Random(seed)
    return [(round(chance.uniform(-90, 90), 4), round(chance.uniform(-180, 180), 4)) for _ in range(number)]


def compare(deployment, category, queries, walks):
    """Compares results with brute force. Returns the number of consecutive pages compared."""
    browser = Browser(deployment.daemon.port)
    asked = coordinates(queries, 1)
    for (lat, lon), expected in zip(asked, brute_force(deployment, category, asked, PAGE)):
        found, _ = page(deployment, browser, f"lat={lat}&lon={lon}&category={category}")
        equal(found, expected, lat, lon, category)
    pages = 0
    asked = coordinates(walks, 2)
    for (lat, lon), expected in zip(asked, brute_force(deployment, category, asked, 50 * PAGE)):
        found = []
        for ids, _ in walk(deployment, browser, f"lat={lat}&lon={lon}&category={category}", 50):
            found += ids
            pages += 1
        equal(found, expected, lat, lon, category)
    return pages


def equal(found, expected, lat, lon, category):
    if found != expected:
        at = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
        raise AssertionError(f"from {lat}, {lon} in {category}: {len(found)} results instead of {len(expected)}, different from number {at} on")


def brute_force(deployment, category, asked, limit):
    lines = "".join(f"{n}\t{lat}\t{lon}\n" for n, (lat, lon) in enumerate(asked))
    rows = deployment.database.rows(BRUTE.format(category=category, asked=lines, limit=limit))
    return [row[1].split() for row in rows]


def page(deployment, browser, query):
    """The ids of a page and the cursor of the next."""
    status, _, body = browser.request("GET", "/v1/places?" + query, {"Authorization": deployment.authorization})
    if status != 200:
        raise AssertionError(f"/v1/places?{query}: {status} {body[:300]!r}")
    response = json.loads(body)
    return [place["id"] for place in response["data"]], response["next"]


def walk(deployment, browser, query, pages):
    """Yields the ids and the cursor of each page."""
    cursor = None
    for _ in range(pages):
        ids, following = page(deployment, browser, query + (f"&cursor={urllib.parse.quote(cursor)}" if cursor else ""))
        yield ids, cursor
        cursor = following
        if not cursor:
            return


def first_page(bench, deployment, name, category, count):
    load = f"""
local tail = {json.dumps(f" HTTP/1.1{chr(13)}{chr(10)}Host: 127.0.0.1{chr(13)}{chr(10)}Authorization: {deployment.authorization}{chr(13)}{chr(10)}{chr(13)}{chr(10)}")}
function init(args) math.randomseed(number + 1) end
function request()
    return string.format("GET /v1/places?lat=%.4f&lon=%.4f&category={category}", math.random() * 180 - 90, math.random() * 360 - 180) .. tail
end
"""
    compare_page(bench, deployment, f"nearest {name} page=1 places={count}", load, bare(category, 0))


def fiftieth_page(bench, deployment, name, category, count):
    browser = Browser(deployment.daemon.port)
    paths = []
    for lat, lon in coordinates(20, 3):
        query = f"lat={lat}&lon={lon}&category={category}"
        asked = list(walk(deployment, browser, query, 50))
        if len(asked) == 50:
            paths.append(f"/v1/places?{query}&cursor={urllib.parse.quote(asked[-1][1])}")
    if not paths:
        bench.note(f"the {name} category has no fiftieth page with this number of places")
        return
    load = headers(Authorization=deployment.authorization) + f"""
local paths = {{{", ".join(json.dumps(path) for path in paths)}}}
function init(args) math.randomseed(number + 1) end
function request() return wrk.format("GET", paths[math.random(#paths)]) end
"""
    compare_page(bench, deployment, f"nearest {name} page=50 places={count}", load, bare(category, 49 * PAGE))


def compare_page(bench, deployment, label, load, script):
    mine, plain = bench.results.in_turn(
        lambda: bench.wrk.run(deployment.daemon.url, load, CLIENTS, bench.seconds, deployment.daemon, bench.cluster),
        lambda: bench.pgbench.run(deployment.database, script, CLIENTS, seconds=bench.seconds))
    bench.results.rates("P10", f"{label} clients={CLIENTS} of=pgbench", mine, plain)
    bench.results.fact("P10", f"{label} p99", [statistics.median(sample.p99 for sample in mine)], "ms", 20)


def bare(category, offset):
    """The bare query; later pages use an offset. For the rare category, all places are compared."""
    barrier = "offset 0" if category == RARE else ""
    return f"""\\set a random(-900000, 900000)
\\set o random(-1800000, 1800000)
select p.document from (
    select member_id, coordinates operator(public.<->) projection.coordinates(:a / 10000.0, :o / 10000.0) as chord from (
        select member_id, coordinates from api_v1.category_member where coordinates is not null and category_id = '{category}' {barrier}) m
    order by 2 limit {PAGE + 1} offset {offset}) n
join api_v1.place p on p.id = n.member_id order by n.chord;
"""
