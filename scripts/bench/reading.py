"""P2, P3, P4: one item by id, a list of items, and 304, compared with pgbench and nginx. P2b, P3b: the same reads from a daemon
that keeps responses."""
import json
import threading
from dataclasses import replace

from content import CATEGORY, ITEM, identifier, identifier_sql
from deployment import Browser
from processes import Daemon
from publishing import Batch
from results import Target

CLIENTS = 64


def one_item(bench):
    for deployment, live in sizes(bench):
        file = bench.nginx.add("item.json", deployment.get("/v1/items/" + identifier(ITEM, 1)))
        script = f"\\set i random(1, {live})\n" \
            f"select document from api_v1.item_full where id = {identifier_sql(ITEM, ':i')};\n"
        # nginx gets the same load, which generates each request.
        compare(bench, deployment, "P2", f"item live={live}", random_items(deployment, live), "", script,
                (file, random_items(deployment, live, "/item.json?")), 0.05, Target(at_least=1))


def item_list(bench):
    categories = f"{identifier(CATEGORY, 3)},{identifier(CATEGORY, 8)}"
    path = f"/v1/items?category={categories}"
    script = "select i.document, n.age, i.id from (select distinct k.age, k.member_id from unnest(:categories::uuid[]) c (id) " \
        "cross join lateral (select k.age, k.member_id from api_v1.category_member k where k.category_id = c.id and k.age is not null " \
        "order by k.age, k.member_id limit 21) k order by k.age, k.member_id limit 21) n " \
        "join api_v1.item i on i.id = n.member_id order by n.age, i.id;\n"
    for deployment, live in sizes(bench):
        body = deployment.get(path)
        if len(json.loads(body)["data"]) != 20:
            raise AssertionError(f"{path} does not give 20 items")
        file = bench.nginx.add("list.json", body)
        load = headers(Authorization=deployment.authorization)
        compare(bench, deployment, "P3", f"list live={live}", load, path, script, (file, load), 0.2,
                bytes=len(body), categories="{" + categories + "}")


def sizes(bench):
    """The measured deployments with their numbers of published items."""
    return [(bench.large, bench.live)] + ([(bench.huge, bench.live_huge)] if bench.huge else [])


def compare(bench, deployment, id, label, load, path, script, static, sampled, both_target=Target(), bytes=None, **variables):
    """Compares requests, direct and through nginx, with the bare SQL, with nginx serving the same bytes, and with the sum of both."""
    daemon, cluster, seconds = deployment.daemon, bench.cluster, bench.seconds
    proxy = bench.nginx.proxy(daemon.port)
    file, static_load = static
    mine, proxied, plain, static = bench.results.in_turn(
        lambda: bench.wrk.run(daemon.url + path, load, CLIENTS, seconds, daemon, cluster),
        lambda: bench.wrk.run(proxy + path, load, CLIENTS, seconds, daemon, cluster),
        lambda: bench.pgbench.run(deployment.database, script, CLIENTS, seconds=seconds, sampled=sampled, **variables),
        lambda: bench.wrk.run(file, static_load, CLIENTS, seconds))
    extra = {"bytes": bytes} if bytes else {}
    label = f"{label} clients={CLIENTS}"
    bench.results.rates(id, f"{label} of=pgbench", mine, plain, Target(at_least=0.5), **extra)
    bench.results.rates(id, f"{label} of=nginx", mine, static)
    bench.results.rates(id, f"{label} of=both", mine, in_sequence(plain, static), both_target)
    bench.results.rates(id, f"{label} through=nginx of=pgbench", proxied, plain)
    bench.results.rates(id, f"{label} through=nginx of=nginx", proxied, static)


def in_sequence(plain, static):
    """Both in sequence: adds their times per request."""
    return [replace(a, rate=1 / (1 / a.rate + 1 / b.rate), p99=a.p99 + b.p99) for a, b in zip(plain, static)]


def growth(bench):
    """Compares the p99 with a million published items to that with ten thousand. Few clients and many rounds, because one pause
    of the machine determines the p99."""
    if not bench.huge:
        return
    categories = f"{identifier(CATEGORY, 3)},{identifier(CATEGORY, 8)}"
    for id, label, path, load in (
            ("P2", "item", "", random_items),
            ("P3", "list", f"/v1/items?category={categories}", lambda deployment, _: headers(Authorization=deployment.authorization))):
        def run(deployment, live):
            return bench.wrk.run(
                deployment.daemon.url + path, load(deployment, live), 4, bench.seconds, deployment.daemon, bench.cluster)
        large, small = bench.results.in_turn(
            lambda: run(bench.huge, bench.live_huge), lambda: run(bench.middle, 10_000), times=3)
        bench.results.times(
            id, f"{label} p99 live={bench.live_huge} of=live=10000 clients=4", [s.p99 for s in large], [s.p99 for s in small],
            Target(at_most=1.5))


def unchanged(bench):
    deployment, results = bench.large, bench.results
    path = "/v1/items/" + identifier(ITEM, 1)
    _, response, body = Browser(deployment.daemon.port).request("GET", path, {"Authorization": deployment.authorization})
    file = bench.nginx.add("item.json", body)
    _, static_response, _ = Browser(bench.nginx.port).request("GET", "/item.json")
    conditional = headers(Authorization=deployment.authorization, If_None_Match=response["ETag"])
    mine, static = results.in_turn(
        lambda: bench.wrk.run(
            deployment.daemon.url + path, conditional, CLIENTS, bench.seconds, deployment.daemon, bench.cluster),
        lambda: bench.wrk.run(
            file, headers(If_None_Match=static_response["ETag"]), CLIENTS, bench.seconds), times=3)
    results.rates("P4", f"304 clients={CLIENTS} of=nginx", mine, static, Target(at_least=0.8))


class Publisher:
    """Publishes the entries of a batch once a second, in another version each time."""

    def __init__(self, batch):
        self.batch = batch
        self.ended = threading.Event()
        self.error = None
        self.thread = threading.Thread(target=self._run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        if self.error:
            raise self.error

    def _run(self):
        which = "new"
        try:
            while not self.ended.wait(1):
                self.batch.database.run(self.batch.publish(which))
                which = "old" if which == "new" else "new"
        except Exception as error:
            self.error = error


def kept(bench):
    """An item and a list from a daemon that keeps responses, with one publication a second, compared with nginx."""
    deployment = bench.large
    daemon = Daemon(bench.program, deployment.database.url, bench.folder)
    daemon.start()
    load = headers(Authorization=deployment.authorization)
    paths = {
        "P2b": ("item", "/v1/items/" + identifier(ITEM, 1)),
        "P3b": ("list", f"/v1/items?category={identifier(CATEGORY, 3)},{identifier(CATEGORY, 8)}")}
    try:
        with Publisher(Batch(deployment.database, 2, bench.live - 10)):
            for id, (label, path) in paths.items():
                if id not in bench.parts:
                    continue
                body = deployment.get(path)
                file = bench.nginx.add(f"kept-{label}.json", body)
                mine, static = bench.results.in_turn(
                    lambda: bench.wrk.run(daemon.url + path, load, CLIENTS, bench.seconds, daemon, bench.cluster),
                    lambda: bench.wrk.run(file, load, CLIENTS, bench.seconds))
                bench.results.rates(
                    id, f"{label} live={bench.live} publications=1/s clients={CLIENTS} of=nginx", mine, static, bytes=len(body))
    finally:
        daemon.stop()


def headers(**given):
    return "".join(
        f"wrk.headers[{json.dumps(name.replace('_', '-'))}] = {json.dumps(value)}\n" for name, value in given.items())


def random_items(deployment, live, path="/v1/items/"):
    """Random items by id."""
    tail = f" HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {deployment.authorization}\r\n\r\n"
    return f"""
local tail = {json.dumps(tail)}
function init(args) math.randomseed(number + 1) end
function request()
    return string.format("GET {path}{ITEM}%012x", math.random({live})) .. tail
end
"""
