"""P1: submissions by HTTP, acknowledged after the commit, compared with the same statement with one submission per commit, and
with one plain row per commit."""
import json

from content import BODY, SUMMARY
from results import Target, median, number

AIMS = {4: 0.7, 16: 0.7, 64: 1.0, 256: 2.0}
FIELDS = {"title": "What the harbor bench saw", "summary": SUMMARY, "body": BODY}


def measure(bench):
    deployment, results = bench.large, bench.results
    database = deployment.database
    database.run("""
        create table bench.submission (like curation.submission including defaults);
        alter table bench.submission add primary key (id);
        checkpoint;""")
    runs = 0

    def ours(clients):
        nonlocal runs
        runs += 1
        sample = bench.wrk.run(
            deployment.daemon.url, lua(deployment, f"p1-{runs}"), clients, bench.seconds, deployment.daemon, bench.cluster)
        return sample

    def ceiling(clients):
        nonlocal runs
        runs += 1
        return bench.pgbench.run(
            database, same_statement(deployment.client_id), clients, seconds=bench.seconds, run=runs, n=0)

    def plain_ceiling(clients):
        nonlocal runs
        runs += 1
        return bench.pgbench.run(
            database, plain_insert(deployment.client_id), clients, seconds=bench.seconds, run=runs, n=0)

    sent = int(database.value("select count(*) from curation.submission where idempotency_key like 'p1-%'"))
    for clients in (4, 16, 64, 256):
        mine, same, plain = results.in_turn(
            lambda: ours(clients), lambda: ceiling(clients), lambda: plain_ceiling(clients))
        sent += sum(sample.count for sample in mine)
        results.rates("P1", f"clients={clients}", mine, same, Target(at_least=AIMS[clients]))
        results.times(
            "P1", f"clients={clients} p99", [s.p99 for s in mine], [s.p99 for s in same], Target(at_most=5))
        results.rates("P1", f"clients={clients} of=plain-row", mine, plain)
    stored = int(database.value("select count(*) from curation.submission where idempotency_key like 'p1-%'"))
    # wrk counts responses; requests in flight at its end are stored, too.
    if stored < sent:
        raise AssertionError(f"{sent} submissions were acknowledged and {stored} are stored")
    # Restore the queue and its words for the following measurements.
    database.run(f"""
        delete from curation.queue_item q using curation.submission s
        where s.id = q.submission_id and s.idempotency_key ~ '^(p1|same)-';
        delete from curation.submission_search x using curation.submission s
        where s.id = x.submission_id and s.idempotency_key ~ '^(p1|same)-';
        drop table bench.submission;
        vacuum analyze curation.queue_item, curation.queue_search, curation.submission_search;""")


def lua(deployment, run):
    """Requests of about 1 KB, each with its own idempotency key."""
    body = json.dumps({"type": "article", "contributor": "reader-1", "category": "Category 7", "fields": FIELDS})
    head = (f"POST /v1/submissions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {deployment.authorization}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nIdempotency-Key: {run}-")
    return f"""
local count = 0
local head = {json.dumps(head)}
local tail = "\\r\\n\\r\\n" .. {json.dumps(body)}
function init(args) head = head .. number .. "-" end
function request()
    count = count + 1
    return head .. count .. tail
end
"""


NUMBER = """(lpad(to_hex(:run::bigint), 8, '0') || '-0000-7000-8000-'
    || lpad(to_hex(:client_id::bigint * 10000000 + :n::bigint), 12, '0'))::uuid"""
KEY = ":run::bigint || '-' || :client_id::bigint || '-' || :n::bigint"
TITLE, CATEGORY = "What the harbor bench saw", "Category 7"
NO_HASH = "'\\x0000000000000000000000000000000000000000000000000000000000000000'::bytea"


def texts():
    """The two JSON texts of a submission as SQL literals."""
    fields = json.dumps(FIELDS).replace("'", "''")
    return fields, json.dumps({"type": "article", "fields": FIELDS}).replace("'", "''")


def same_statement(client_id):
    """The statement of the daemon (Store/Submissions/SubmissionReceiver) for one submission."""
    fields, received = texts()
    return f"""
\\set n :n + 1
with stored as (
    insert into curation.submission (id, type, client_id, contributor, title, requested_category, fields, received, source,
        source_url, idempotency_key, request_hash)
    select i.* from unnest(array[{NUMBER}], array['article'], array['{client_id}'::uuid], array['reader-1'], array['{TITLE}'],
        array['{CATEGORY}'], array['{fields}'::jsonb], array['{received}'::jsonb], array['api'], array[null::text],
        array['same-' || {KEY}], array[{NO_HASH}]) i
    on conflict (client_id, idempotency_key) do nothing
    returning id, type, client_id, title, requested_category, received_at),
queued as (
    insert into curation.queue_item (submission_id, type, client_id, title, requested_category, received_at)
    select id, type, client_id, title, requested_category, received_at from stored),
audited as (
    insert into ops.audit_event (actor_id, action, object_type, object_id, request_id, remote_address)
    select client_id, 'submission.create', 'submission', id::text, 'pgbench', '127.0.0.1' from stored)
select id from stored;
"""


def plain_insert(client_id):
    """One row in a table with only a primary key; the client generates ordered ids."""
    fields, received = texts()
    return f"""
\\set n :n + 1
insert into bench.submission (id, type, client_id, contributor, title, requested_category, fields, received, source,
    idempotency_key, request_hash)
values ({NUMBER}, 'article', '{client_id}', 'reader-1', '{TITLE}', '{CATEGORY}', '{fields}', '{received}', 'api',
    'plain-' || {KEY}, {NO_HASH});
"""
