"""P5: the queue page with queues of several sizes. P6: a decision, including the redirect to the next submission."""
import base64
import json
import re
import urllib.parse
from dataclasses import dataclass

from content import (BODY, CATEGORIES, CATEGORY, FEED, FEEDS, SUBMISSION, SUMMARY, VOCABULARY, identifier, identifier_sql,
                     load_similarity)
from results import Target, median
from loads import CORES
from processes import RunFailed
from queue_sql import ORDERS, PAGE, TEXTS, page_sql
from reading import headers

COMMON_WORD = VOCABULARY[70]
# Milliseconds of the first page before it had thumbnails, excerpts and a count in each tab. It may take half as long again.
BEFORE = 2.1

# The query for similar content; the keys belong to the submission of the page.
SIMILAR = """
with hits as materialized (
    select f.subject_id, count(*) as shared from unnest(:keys::integer[]) w (key)
    cross join lateral (
        select k.subject_id from curation.similarity_key k where k.key = w.key and k.subject_id <> :id::uuid
        order by k.subject_id desc limit 50) f
    group by f.subject_id order by 2 desc, 1 desc limit 60)
select l.*, s.title, s.type, a.name, s.received_at, curation.submission_state(s.id)
from hits h join curation.similarity l on l.subject_id = h.subject_id
join curation.submission s on s.id = l.subject_id join ops.actor a on a.id = s.client_id
order by h.shared desc, l.subject_id desc;
"""


@dataclass
class Page:
    """A measured page: its path, the bare SQL of its content, and the limit of its p99 relative to the small queue."""
    name: str
    path: str
    sql: str
    values: dict
    at_most: float = 2
    # Limits the time itself.
    before: float = None


def pages(deployment, pending, whole):
    database = deployment.database
    deep = identifier(SUBMISSION, pending * 9 // 10)
    at = database.value(f"select received_at::text from curation.queue_item where submission_id = '{deep}'")
    cursor = base64.urlsafe_b64encode(f"{at}\x1f{deep}".encode()).decode().rstrip("=")
    # The session that the requests belong to.
    token = database.value(
        "select token_hash::text from ops.session s join ops.account a on a.id = s.account_id "
        "where a.email = 'bench@vitrine.example' order by s.seen_at desc limit 1")

    def listed(name, query, condition="true", values=None, before=None, is_filtered=False):
        path = "/queue" + ("?" + urllib.parse.urlencode(query) if query else "")
        sql = page_sql(condition, ORDERS[query.get("sort", "oldest")], is_filtered, is_search="q" in query)
        given = {"token": token, "texts": TEXTS, "shown": shown(deployment, path), **(values or {})}
        if "q" in query:
            given["query"] = query["q"]
        return Page(name, path, sql, given, before=before)

    found = [
        listed("first", {}, before=BEFORE),
        listed("deep", {"after": cursor}, "(q.received_at, q.submission_id) > (:at::timestamptz, :after::uuid)",
               {"at": at.replace(" ", "T"), "after": deep}, before=BEFORE),
        listed("filtered", {"type": "article", "client": deployment.client_id}, "q.type = :type::text and q.client_id = :client::uuid",
               {"type": "article", "client": deployment.client_id}, is_filtered=True),
        listed("search", {"q": "ferry"}),
        listed("score", {"sort": "score"}),
        Page("similar", f"/queue/{deployment.similar[0]}", SIMILAR,
             {"id": deployment.similar[0], "keys": deployment.similar[1]}, at_most=5),
    ]
    if whole:
        found += [
            listed("priority", {"sort": "priority"}),
            listed("category", {"category": "Category 7"}, "q.requested_category = :category::text", {"category": "Category 7"},
                   is_filtered=True),
            listed("risk", {"score": "95"}, "q.risk_order <= 5", is_filtered=True),
            listed("search-common", {"q": COMMON_WORD}),
            listed("search-score", {"q": COMMON_WORD, "sort": "score"}),
            listed("search-priority", {"q": COMMON_WORD, "sort": "priority"}),
        ]
    return found


def shown(deployment, path):
    """The submissions of a page of the queue, as an array of PostgreSQL."""
    found = re.findall(rb'<li[^>]* data-id="?([0-9a-f-]{36})', deployment.page(path))
    if path == "/queue" and len(found) != PAGE:
        raise RunFailed(f"{path} shows {len(found)} submissions")
    return "{" + b",".join(found).decode() + "}"


def measure_pages(bench):
    results = bench.results
    sizes = [(bench.small, bench.pending_small), (bench.large, bench.pending)]
    if bench.huge:
        sizes.append((bench.huge, bench.pending_huge))
    for deployment, pending in sizes:
        deployment.similar = load_similarity(deployment.database, pending)
    for kinds in zip(*[pages(deployment, pending, bench.is_complete) for deployment, pending in sizes]):
        sides = []
        for (deployment, _), page in zip(sizes, kinds):
            sides += [lambda d=deployment, p=page: request_page(bench, d, p), lambda d=deployment, p=page: run_sql(bench, d, p)]
        samples = results.in_turn(*sides)
        name = kinds[0].name
        for (_, pending), ours, bare in zip(sizes, samples[::2], samples[1::2]):
            label = f"{name} pending={pending}"
            results.times("P5", f"{label} p50", [s.p50 for s in ours], [s.p50 for s in bare])
            results.times("P5", f"{label} p99", [s.p99 for s in ours], [s.p99 for s in bare])
            # The page of a submission contains much more than the list.
            if name != "similar":
                results.fact("P5", f"{label} p50 of=10ms", [s.p50 for s in ours], "ms", 10)
            before = kinds[0].before
            if before:
                results.times("P5", f"{label} p50 of={before}ms", [s.p50 for s in ours], [before] * len(ours), Target(at_most=1.5))
        small = samples[0]
        for (_, pending), ours in zip(sizes[1:], samples[2::2]):
            results.times(
                "P5", f"{name} p99 pending={pending} of={bench.pending_small}", [s.p99 for s in ours],
                [s.p99 for s in small], Target(at_most=kinds[0].at_most))


def request_page(bench, deployment, page):
    lua = headers(Cookie=deployment.administrator.cookie_header)
    return bench.wrk.run(deployment.daemon.url + page.path, lua, 1, bench.seconds, deployment.daemon, bench.cluster)


def run_sql(bench, deployment, page):
    return bench.pgbench.run(
        deployment.database, page.sql, 1, transactions=250 * bench.seconds, me=bench.account(deployment), **page.values)


class Range:
    """Allocates pending submissions, oldest first."""

    def __init__(self, pending):
        self.next = 1
        self.pending = pending

    def take(self, count):
        first = self.next
        self.next += count
        if self.next > self.pending:
            raise AssertionError("the queue is too small for this number of decisions")
        return first


def submissions(bench):
    """The pending submissions that no measurement has decided."""
    if bench.undecided is None:
        bench.undecided = Range(bench.pending)
    return bench.undecided


def measure_decisions(bench):
    deployment, results = bench.large, bench.results
    database = deployment.database
    source = submissions(bench)
    decided = 0
    for verdict in ("reject", "approve"):
        for clients in ((1, 4) if bench.is_complete else (1,)):
            mine, bare = results.in_turn(
                lambda: decide(bench, deployment, verdict, clients, source),
                lambda: decide_in_sql(bench, deployment, verdict, clients, source))
            decided += sum(sample.count for sample in mine)
            results.times(
                "P6", f"{verdict} clients={clients} p50", [s.p50 for s in mine], [s.p50 for s in bare], Target(at_most=3),
                rate=f"{median(s.rate for s in mine):.0f}/s", server=f"{median(s.server_cost for s in mine):.0f}us",
                p99=f"{median(s.p99 for s in mine):.1f}ms/{median(s.p99 for s in bare):.1f}ms")
    stored = int(database.value(
        f"select count(*) from curation.decision where decided_by = '{bench.account(deployment)}' and message is null"))
    if stored < decided:
        raise AssertionError(f"{decided} decisions were acknowledged and {stored} are stored")


def decide(bench, deployment, verdict, clients, source):
    # More than fit into the time, so that no thread runs out.
    each = (1000 if verdict == "reject" else 300) * clients * bench.seconds
    lua = decision_lua(deployment, verdict, source.take(each), each, min(clients, CORES))
    return bench.wrk.run(deployment.daemon.url, lua, clients, bench.seconds, deployment.daemon, bench.cluster)


def decision_fields(browser, verdict):
    """The fields of the decision form, except the title."""
    fields = [("csrf", browser.csrf), ("version", "0"), ("verdict", verdict)]
    if verdict == "reject":
        return fields + [("reason", "off_topic"), ("message", "")]
    fields += [("field." + name, "") for name in ("slug", "url", "author", "published", "locale", "image", "image",
                                                  "image", "image", "media", "tier")]
    return fields + [("field.summary", SUMMARY), ("field.body", BODY), ("field.feeds", identifier(FEED, 7)),
                     ("field.categories", identifier(CATEGORY, 3)), ("field.categories", identifier(CATEGORY, 8)),
                     ("publish", "now"), ("local", ""), ("zone", "UTC")]


# Prints the first refusal.
REPORT_LUA = """function response(status, headers, body)
    if status >= 400 and not reported then
        reported = true
        print(status, (body:gsub("<[^>]*>", ""):gsub("%s+", " ")))
    end
end
"""


def decision_lua(deployment, verdict, first, count, threads):
    """Posts the decision form of one submission after another, filled in as on the page."""
    browser = deployment.administrator
    fields = decision_fields(browser, verdict)
    head = f" HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {browser.cookie_header}\r\n" \
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
    words = ",".join(json.dumps(word) for word in VOCABULARY)
    return f"""
local words = {{{words}}}
local form = {json.dumps(urllib.parse.urlencode(fields))}
local head = {json.dumps(head)}
local i, last = {first}, {first + count - 1}
function init(args) i = {first} + number end
function request()
    if i > last then error("the range is used up") end
    local body = form .. "&field.title=" .. words[i * 7 % 400 + 1] .. "+" .. words[i * 13 % 391 + 1] .. "+" .. i
    local path = string.format("POST /queue/{SUBMISSION}%012x/decision", i)
    i = i + {threads}
    return path .. head .. #body .. "\\r\\n\\r\\n" .. body
end
{REPORT_LUA}"""


def decide_in_sql(bench, deployment, verdict, clients, source):
    """A fixed number of decisions, because pgbench addresses submissions by number."""
    script, each = (REJECT, 400 * bench.seconds) if verdict == "reject" else (APPROVE, 100 * bench.seconds)
    return bench.pgbench.run(
        deployment.database, script, clients, transactions=each, first=source.take(each * clients), each=each, k=-1,
        me=bench.account(deployment))


ID = identifier_sql(SUBMISSION, ":i")
ENTRY = identifier_sql("01900000-0000-7000-d000-", ":i")
REVISION = identifier_sql("01900000-0000-7001-d000-", ":i")
PLACEMENT = f"""jsonb_build_object('slug', 'bench-' || :i::bigint, 'feeds', jsonb_build_array('{identifier(FEED, 7 % FEEDS)}'),
        'categories', jsonb_build_array('{identifier(CATEGORY, 3)}', '{identifier(CATEGORY, 8 % CATEGORIES)}'))"""

# The statements of a decision. The message distinguishes these rows from those of the daemon.
DECISION = f"""
\\set k :k + 1
\\set i :first + :client_id * :each + :k
begin;
insert into ops.audit_event (actor_id, actor_role, action, object_type, object_id, detail)
values (:me::uuid, 'administrator', 'submission.reject', 'submission', {ID}::text, '{{}}');
delete from curation.queue_item where submission_id = {ID};
insert into curation.decision (submission_id, number, verdict, reason, message, decided_by, decider_role)
values ({ID}, 1, 'reject', 'off_topic', 'pgbench', :me::uuid, 'administrator');
"""
REJECT = DECISION + "commit;\n"
APPROVE = f"""{DECISION}
insert into curation.entry (id, type, kind, submission_id, created_by) values ({ENTRY}, 'article', 'item', {ID}, :me::uuid);
insert into curation.slug (kind, slug, entry_id) values ('item', 'bench-' || :i::bigint, {ENTRY});
insert into curation.revision (id, entry_id, number, content, preview, plain, content_hash, author_id)
select {REVISION}, {ENTRY}, 1, fields || {PLACEMENT}, fields - 'body', '{BODY[3:-4]}', request_hash, :me::uuid
from curation.submission where id = {ID};
insert into curation.reference (revision_id, field, position, target_entry_id, counted)
values ({REVISION}, 'feeds', 1, '{identifier(FEED, 7)}', true), ({REVISION}, 'categories', 1, '{identifier(CATEGORY, 3)}', true),
    ({REVISION}, 'categories', 2, '{identifier(CATEGORY, 8)}', true);
insert into curation.approval (revision_id, actor_id, actor_role) values ({REVISION}, :me::uuid, 'administrator');
insert into curation.publish_approval (revision_id, entry_id) values ({REVISION}, {ENTRY});
select curation.publish(array[{ENTRY}], array[{REVISION}], :me::uuid, null, 'bench');
commit;
"""
