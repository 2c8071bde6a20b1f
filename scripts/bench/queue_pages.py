"""P5: the queue page at two sizes of queue. P6: a decision, with the way to the next submission."""
import base64
import json
import urllib.parse

from content import BODY, CATEGORIES, CATEGORY, FEED, FEEDS, SUBMISSION, SUMMARY, WORDS, identifier, identifier_sql
from figures import Aim, median
from loads import CORES
from reading import headers

COMMON_WORD = WORDS[70]
PAGE = 25

COLUMNS = """
select q.submission_id, q.type, q.title, c.name as source, q.wished_category, q.received_at,
    q.received_at::text as received_at_text, case when q.claimed_until > now() then k.name end as claimed_name,
    case when q.claimed_until > now() then q.claimed_by end as claimed_id,
    case when q.claimed_until > now() then q.claimed_until end as claimed_until
from curation.queue_item q join ops.actor c on c.id = q.client_id left join ops.actor k on k.id = q.claimed_by
"""


def pages(deployment, pending, whole):
    """Name, query and condition in SQL of each page that is measured."""
    row = deployment.database.rows(
        f"select received_at::text from curation.queue_item where submission_id = '{identifier(SUBMISSION, pending * 9 // 10)}'")
    place = f"{row[0][0]}\x1f{identifier(SUBMISSION, pending * 9 // 10)}"
    cursor = base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")
    found = [
        ("first", {}, "true", {}),
        ("deep", {"after": cursor}, "true and (q.received_at, q.submission_id) > (:at::timestamptz, :after::uuid)",
         {"at": row[0][0].replace(" ", "T"), "after": identifier(SUBMISSION, pending * 9 // 10)}),
        ("filtered", {"type": "article", "client": deployment.client_id},
         "true and q.type = :type::text and q.client_id = :client::uuid",
         {"type": "article", "client": deployment.client_id}),
        ("search", {"q": "ferry"},
         "true and to_tsvector('simple', q.title) @@ websearch_to_tsquery('simple', :words::text)", {"words": "ferry"}),
    ]
    if whole:
        found += [
            ("score", {"sort": "score"}, "true", {}),
            ("category", {"category": "Category 7"}, "true and q.wished_category = :category::text",
             {"category": "Category 7"}),
            ("search-common", {"q": COMMON_WORD},
             "true and to_tsvector('simple', q.title) @@ websearch_to_tsquery('simple', :words::text)",
             {"words": COMMON_WORD}),
        ]
    return found


def page_sql(condition, is_filtered):
    """The page's rows and its counts."""
    count = "select count(*) as n from (select from curation.queue_item q where {} limit 1001) x;\n"
    counts = [condition] if is_filtered else []
    counts += ["true", "true and q.claimed_by = :me::uuid and q.claimed_until > now()"]
    # What `after` means is no part of the counts.
    return f"{COLUMNS} where {condition} order by q.received_at, q.submission_id limit {PAGE + 1};\n" \
        + "".join(count.format(text) for text in counts)


def measure_pages(bench):
    figures = bench.figures
    sizes = [(bench.small, bench.pending_small), (bench.large, bench.pending)]
    if bench.huge:
        sizes.append((bench.huge, bench.pending_huge))
    lists = [pages(deployment, pending, bench.whole) for deployment, pending in sizes]
    for kinds in zip(*lists):
        sides = []
        for (deployment, _), (_, query, condition, values) in zip(sizes, kinds):
            sides += [lambda d=deployment, q=query: ask_page(bench, d, q),
                      lambda d=deployment, q=query, c=condition, v=values: ask_sql(bench, d, q, c, v)]
        taken = figures.in_turn(*sides)
        name = kinds[0][0]
        for (_, pending), ours, bare in zip(sizes, taken[::2], taken[1::2]):
            label = f"{name} pending={pending}"
            figures.times("P5", f"{label} p50", [s.p50 for s in ours], [s.p50 for s in bare])
            figures.times("P5", f"{label} p99", [s.p99 for s in ours], [s.p99 for s in bare])
            figures.fact("P5", f"{label} p50 of=10ms", [s.p50 for s in ours], "ms", 10)
        small = taken[0]
        for (_, pending), ours in zip(sizes[1:], taken[2::2]):
            figures.times(
                "P5", f"{name} p99 pending={pending} of={bench.pending_small}", [s.p99 for s in ours],
                [s.p99 for s in small], Aim(at_most=2))


def ask_page(bench, deployment, query):
    url = deployment.daemon.url + "/queue" + ("?" + urllib.parse.urlencode(query) if query else "")
    lua = headers(Cookie=deployment.administrator.cookie_header)
    return bench.wrk.run(url, lua, 1, bench.seconds, deployment.daemon, bench.cluster)


def ask_sql(bench, deployment, query, condition, values):
    is_filtered = bool(query) and "after" not in query
    return bench.pgbench.run(
        deployment.database, page_sql(condition, is_filtered), 1, transactions=500 * bench.seconds,
        me=bench.account(deployment), **values)


class Range:
    """Gives out submissions that nobody has decided about, the oldest first."""

    def __init__(self, pending):
        self.next = 1
        self.pending = pending

    def take(self, count):
        first = self.next
        self.next += count
        if self.next > self.pending:
            raise AssertionError("the queue is too small for so many decisions")
        return first


def measure_decisions(bench):
    deployment, figures = bench.large, bench.figures
    database = deployment.database
    source = Range(bench.pending)
    decided = 0
    for verdict in ("reject", "accept"):
        for clients in ((1, 4) if bench.whole else (1,)):
            mine, bare = figures.in_turn(
                lambda: decide(bench, deployment, verdict, clients, source),
                lambda: decide_in_sql(bench, deployment, verdict, clients, source))
            decided += sum(sample.count for sample in mine)
            figures.times(
                "P6", f"{verdict} clients={clients} p50", [s.p50 for s in mine], [s.p50 for s in bare], Aim(at_most=3),
                rate=f"{median(s.rate for s in mine):.0f}/s", server=f"{median(s.server_cost for s in mine):.0f}us",
                p99=f"{median(s.p99 for s in mine):.1f}ms/{median(s.p99 for s in bare):.1f}ms")
    kept = int(database.value(
        f"select count(*) from curation.decision where decided_by = '{bench.account(deployment)}' and message is null"))
    if kept < decided:
        raise AssertionError(f"{decided} decisions were answered and {kept} are stored")


def decide(bench, deployment, verdict, clients, source):
    # More than can be decided in the time, so that no thread runs out.
    each = (1000 if verdict == "reject" else 300) * clients * bench.seconds
    lua = decision_lua(deployment, verdict, source.take(each), each, min(clients, CORES))
    return bench.wrk.run(deployment.daemon.url, lua, clients, bench.seconds, deployment.daemon, bench.cluster)


def decision_lua(deployment, verdict, first, count, threads):
    """Posts the decision form of one submission after the other, filled in as the page shows it."""
    visitor = deployment.administrator
    fields = [("csrf", visitor.csrf), ("version", "0"), ("verdict", verdict)]
    if verdict == "reject":
        fields += [("reason", "off_topic"), ("message", "")]
    else:
        fields += [("field." + name, "") for name in ("slug", "url", "author", "published", "picture", "picture", "picture",
                                                      "picture", "media", "tier", "rank")]
        fields += [("field.summary", SUMMARY), ("field.body", BODY), ("field.feeds", identifier(FEED, 7)),
                   ("field.categories", identifier(CATEGORY, 3)), ("field.categories", identifier(CATEGORY, 8)),
                   ("go_live", "now"), ("local", ""), ("zone", "UTC")]
    head = f" HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {visitor.cookie_header}\r\n" \
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
    words = ",".join(json.dumps(word) for word in WORDS)
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
function response(status, headers, body)
    if status >= 400 and not told then
        told = true
        print(status, (body:gsub("<[^>]*>", ""):gsub("%s+", " ")))
    end
end
"""


def decide_in_sql(bench, deployment, verdict, clients, source):
    """A fixed number, for pgbench names submissions by counting."""
    script, each = (REJECT, 400 * bench.seconds) if verdict == "reject" else (ACCEPT, 100 * bench.seconds)
    return bench.pgbench.run(
        deployment.database, script, clients, transactions=each, first=source.take(each * clients), each=each, k=-1,
        me=bench.account(deployment))


ID = identifier_sql(SUBMISSION, ":i")
ENTRY = identifier_sql("01900000-0000-7000-d000-", ":i")
REVISION = identifier_sql("01900000-0000-7001-d000-", ":i")
PLACES = f"""jsonb_build_object('slug', 'bench-' || :i::bigint, 'feeds', jsonb_build_array('{identifier(FEED, 7 % FEEDS)}'),
        'categories', jsonb_build_array('{identifier(CATEGORY, 3)}', '{identifier(CATEGORY, 8 % CATEGORIES)}'))"""

# The statements that a decision consists of; the message tells these rows from those of the daemon.
DECISION = f"""
\\set k :k + 1
\\set i :first + :client_id * :each + :k
begin;
insert into ops.audit_event (actor_id, actor_role, act, object_type, object_id, detail)
values (:me::uuid, 'administrator', 'submission.decide', 'submission', {ID}::text, '{{}}');
delete from curation.queue_item where submission_id = {ID};
insert into curation.decision (submission_id, number, verdict, reason, message, decided_by, decider_role)
values ({ID}, 1, 'reject', 'off_topic', 'pgbench', :me::uuid, 'administrator');
"""
REJECT = DECISION + "commit;\n"
ACCEPT = f"""{DECISION}
insert into curation.entry (id, type, kind, submission_id, created_by) values ({ENTRY}, 'article', 'item', {ID}, :me::uuid);
insert into curation.slug (kind, slug, entry_id) values ('item', 'bench-' || :i::bigint, {ENTRY});
insert into curation.revision (id, entry_id, number, content, preview, plain, content_hash, author_id)
select {REVISION}, {ENTRY}, 1, fields || {PLACES}, fields - 'body', '{BODY[3:-4]}', request_hash, :me::uuid
from curation.submission where id = {ID};
insert into curation.reference (revision_id, field, position, target_entry_id, counted)
values ({REVISION}, 'feeds', 1, '{identifier(FEED, 7)}', true), ({REVISION}, 'categories', 1, '{identifier(CATEGORY, 3)}', true),
    ({REVISION}, 'categories', 2, '{identifier(CATEGORY, 8)}', true);
insert into curation.consent (revision_id, actor_id, actor_role) values ({REVISION}, :me::uuid, 'administrator');
insert into curation.approval (revision_id, entry_id) values ({REVISION}, {ENTRY});
select curation.publish(array[{ENTRY}], array[{REVISION}], :me::uuid, null, 'bench');
commit;
"""
