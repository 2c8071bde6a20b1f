"""P2, P3, P4: one item by id, a list of items, and 304, each uncached, against pgbench and nginx."""
import json

from content import CATEGORY, ITEM, identifier, identifier_sql
from deployment import Visitor
from figures import Aim

CLIENTS = 64


def measure(bench):
    one_item(bench)
    item_list(bench)
    unchanged(bench)


def one_item(bench):
    deployment, figures = bench.large, bench.figures
    file = bench.nginx.add("item.json", deployment.get("/v1/items/" + identifier(ITEM, 1)))
    script = f"\\set i random(1, {bench.live})\n" \
        f"select document from api_v1.item_full where id = {identifier_sql(ITEM, ':i')};\n"
    mine, plain, static = figures.in_turn(
        lambda: bench.wrk.run(
            deployment.daemon.url, random_items(deployment, bench.live), CLIENTS, bench.seconds, deployment.daemon,
            bench.cluster),
        lambda: bench.pgbench.run(deployment.database, script, CLIENTS, seconds=bench.seconds, sampled=0.05),
        lambda: bench.wrk.run(file, "", CLIENTS, bench.seconds))
    figures.rates("P2", f"item clients={CLIENTS} of=pgbench", mine, plain, Aim(at_least=0.5))
    figures.rates("P2", f"item clients={CLIENTS} of=nginx", mine, static, Aim(at_least=0.5))


def item_list(bench):
    deployment, figures = bench.large, bench.figures
    categories = f"{identifier(CATEGORY, 3)},{identifier(CATEGORY, 8)}"
    path = f"/v1/items?category={categories}"
    body = deployment.get(path)
    if len(json.loads(body)["data"]) != 20:
        raise AssertionError(f"{path} does not give 20 items")
    file = bench.nginx.add("list.json", body)
    script = "select document, age, id from api_v1.item where true and category_ids && :categories::uuid[] " \
        "order by age, id limit 21;\n"
    mine, plain, static = figures.in_turn(
        lambda: bench.wrk.run(
            deployment.daemon.url + path, headers(Authorization=deployment.authorization), CLIENTS, bench.seconds,
            deployment.daemon, bench.cluster),
        lambda: bench.pgbench.run(
            deployment.database, script, CLIENTS, seconds=bench.seconds, sampled=0.2, categories="{" + categories + "}"),
        lambda: bench.wrk.run(file, "", CLIENTS, bench.seconds))
    figures.rates("P3", f"list clients={CLIENTS} of=pgbench", mine, plain, Aim(at_least=0.5), bytes=len(body))
    figures.rates("P3", f"list clients={CLIENTS} of=nginx", mine, static)


def unchanged(bench):
    deployment, figures = bench.large, bench.figures
    path = "/v1/items/" + identifier(ITEM, 1)
    _, answer, _ = Visitor(deployment.daemon.port).ask("GET", path, {"Authorization": deployment.authorization})
    _, static_answer, _ = Visitor(bench.nginx.port).ask("GET", "/item.json")
    conditional = headers(Authorization=deployment.authorization, If_None_Match=answer["ETag"])
    mine, static = figures.in_turn(
        lambda: bench.wrk.run(
            deployment.daemon.url + path, conditional, CLIENTS, bench.seconds, deployment.daemon, bench.cluster),
        lambda: bench.wrk.run(
            bench.nginx.url + "/item.json", headers(If_None_Match=static_answer["ETag"]), CLIENTS, bench.seconds))
    figures.rates("P4", f"304 clients={CLIENTS} of=nginx", mine, static, Aim(at_least=0.8))


def headers(**given):
    return "".join(
        f"wrk.headers[{json.dumps(name.replace('_', '-'))}] = {json.dumps(value)}\n" for name, value in given.items())


def random_items(deployment, live):
    """Any of the items, by id."""
    tail = f" HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {deployment.authorization}\r\n\r\n"
    return f"""
local tail = {json.dumps(tail)}
function init(args) math.randomseed(number + 1) end
function request()
    return string.format("GET /v1/items/{ITEM}%012x", math.random({live})) .. tail
end
"""
