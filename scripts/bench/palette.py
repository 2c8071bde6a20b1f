"""P5: the search over everything, as the palette asks for it. Its limit is a time: people wait for it at every key."""
import json
import urllib.parse

from content import VOCABULARY
from queue_pages import COMMON_WORD
from processes import RunFailed
from reading import headers
from results import median, number

# Milliseconds of 19 in 20 searches.
LIMIT = 50
JSON = {"Accept": "application/json"}
# The number of a submission that every queue has; its title has two of the words.
ONE = 4321

QUERIES = {
    "common": COMMON_WORD,
    "prefix": COMMON_WORD[:2],
    "rare": "ferry",
    "words": f"{VOCABULARY[ONE * 7 % 400]} {VOCABULARY[ONE * 13 % 391]}",
    "none": "zzyzx",
}
QUICK = ("common", "prefix")


def measure(bench):
    sizes = [(bench.small, bench.live_small, bench.pending_small), (bench.large, bench.live, bench.pending)]
    if bench.huge:
        sizes.append((bench.huge, bench.live_huge, bench.pending_huge))
    for name, query in QUERIES.items():
        if not bench.is_complete and name not in QUICK:
            continue
        path = "/search?" + urllib.parse.urlencode({"q": query})
        for deployment, _, _ in sizes:
            check(bench, deployment, path, is_found=name != "none")
        samples = bench.results.in_turn(*[lambda d=deployment: search(bench, d, path) for deployment, _, _ in sizes])
        for (_, live, pending), ours in zip(sizes, samples):
            bench.results.fact(
                "P5", f"palette {name} entries={live} pending={pending} p95", [s.p95 for s in ours], "ms", LIMIT,
                p50=f"{number(median(s.p50 for s in ours))}ms")


def search(bench, deployment, path):
    lua = headers(Cookie=deployment.administrator.cookie_header, **JSON)
    return bench.wrk.run(deployment.daemon.url + path, lua, 1, bench.seconds, deployment.daemon, bench.cluster)


def check(bench, deployment, path, is_found):
    """The response has submissions, if there are any. The first searches may take too long, because they read from the disk."""
    for _ in range(5):
        found = json.loads(deployment.page(path, **JSON))
        if not found["messages"]:
            break
    groups = [group["id"] for group in found["groups"]]
    if found["messages"]:
        bench.note(f"{path} in {deployment.name}: {found['messages']}")
    elif ("submissions" in groups) != is_found:
        raise RunFailed(f"{path} in {deployment.name} finds {groups}")
