"""P16: approvals with publication by several clients, half of them by the admin form and half by the API."""
import json
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from content import CATEGORY, FEED, SUBMISSION, VOCABULARY, identifier
from loads import CORES
from processes import Daemon
from queue_pages import APPROVE, REPORT_LUA, decision_fields, submissions
from results import Target

# For each number of clients, more approvals per second than fit into the time, so that no thread runs out.
RESERVED = {1: 200, 4: 500, 16: 1500, 64: 2200}
MOST = max(RESERVED)


def measure(bench):
    deployment, results = bench.large, bench.results
    source = submissions(bench)
    before = approved(bench, deployment)
    acknowledged = 0
    single = None
    for clients in (RESERVED if bench.is_complete else (1, MOST)):
        mine, bare = results.in_turn(
            lambda: approve(bench, deployment, [deployment.daemon], clients, source),
            lambda: approve_in_sql(bench, deployment, clients, source))
        acknowledged += sum(sample.count for sample in mine)
        results.rates("P16", f"clients={clients}", mine, bare)
        if clients == 1:
            results.fact("P16", "clients=1 p50", [s.p50 for s in mine], "ms", 8)
        if clients == MOST:
            single = mine
            results.rates_of("P16", f"clients={clients} of=1000/s", [s.rate for s in mine], [1000] * len(mine), Target(at_least=1))
            results.fact("P16", f"clients={clients} p99", [s.p99 for s in mine], "ms", 150)
    if bench.is_complete:
        second = Daemon(bench.program, deployment.database.url, bench.folder)
        second.start()
        try:
            two, = results.in_turn(lambda: approve(bench, deployment, [deployment.daemon, second], MOST, source))
        finally:
            second.stop()
        acknowledged += sum(sample.count for sample in two)
        count = min(len(two), len(single))
        results.rates_of(
            "P16", f"clients={MOST} daemons=2 of=1", [s.rate for s in two[:count]], [s.rate for s in single[:count]],
            Target(at_least=1))
    stored = approved(bench, deployment) - before
    if stored < acknowledged:
        raise AssertionError(f"{acknowledged} approvals were acknowledged and {stored} are stored")


def approved(bench, deployment):
    """How many approvals of the daemons are published. The statements of pgbench leave a message."""
    return int(deployment.database.value(f"""
        select count(*) from curation.decision d
        join curation.entry e on e.submission_id = d.submission_id join curation.live l on l.entry_id = e.id
        where d.verdict = 'approve' and d.message is null
          and d.decided_by in ('{bench.account(deployment)}', '{deployment.client_id}')"""))


def approve(bench, deployment, daemons, clients, source):
    """One run; with several daemons, each has its share of the clients. The cost of the database is left out for these."""
    share = clients // len(daemons)
    each = RESERVED[clients] * bench.seconds // len(daemons)
    scripts = [approval_lua(deployment, source.take(each), each, min(share, CORES)) for _ in daemons]
    cluster = bench.cluster if len(daemons) == 1 else None
    with ThreadPoolExecutor(len(daemons)) as pool:
        samples = list(pool.map(
            lambda daemon, lua: bench.wrk.run(daemon.url, lua, share, bench.seconds, daemon, cluster), daemons, scripts))
    return replace(
        samples[0], rate=sum(s.rate for s in samples), count=sum(s.count for s in samples), p50=max(s.p50 for s in samples),
        p95=max(s.p95 for s in samples), p99=max(s.p99 for s in samples))


def approval_lua(deployment, first, count, threads):
    """Approves one submission after another, every other one with the form, filled in as on the page, or by the API."""
    browser = deployment.administrator
    form = urllib.parse.urlencode(decision_fields(browser, "approve"))
    form_head = f" HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {browser.cookie_header}\r\n" \
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
    body = json.dumps({"verdict": "approve", "feeds": [identifier(FEED, 7)],
                       "categories": [identifier(CATEGORY, 3), identifier(CATEGORY, 8)], "publish": "now"})
    call = f" HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {deployment.authorization}\r\n" \
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    words = ",".join(json.dumps(word) for word in VOCABULARY)
    return f"""
local words = {{{words}}}
local form, head, call = {json.dumps(form)}, {json.dumps(form_head)}, {json.dumps(call)}
local i, last = {first}, {first + count - 1}
local by_form = false
function init(args) i = {first} + number end
function request()
    if i > last then error("the range is used up") end
    local n = i
    i = i + {threads}
    by_form = not by_form
    if not by_form then
        return string.format("POST /v1/submissions/{SUBMISSION}%012x/decision", n) .. call
    end
    local body = form .. "&field.title=" .. words[n * 7 % 400 + 1] .. "+" .. words[n * 13 % 391 + 1] .. "+" .. n
    return string.format("POST /queue/{SUBMISSION}%012x/decision", n) .. head .. #body .. "\\r\\n\\r\\n" .. body
end
{REPORT_LUA}"""


def approve_in_sql(bench, deployment, clients, source):
    """A fixed number of approvals, because pgbench addresses submissions by number."""
    each = max(1, 200 * bench.seconds // clients)
    return bench.pgbench.run(
        deployment.database, APPROVE, clients, transactions=each, first=source.take(each * clients), each=each, k=-1,
        me=bench.account(deployment))
