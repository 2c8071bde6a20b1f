"""P1: submissions by HTTP, acknowledged after the commit, against one plain insert per commit."""
import json

from content import BODY, SUMMARY
from figures import Aim, median, number

AIMS = {4: 0.7, 16: 0.7, 64: 1.0, 256: 2.0}
FIELDS = {"title": "What the harbour bench saw", "summary": SUMMARY, "body": BODY}


def measure(bench):
    deployment, figures = bench.large, bench.figures
    database = deployment.database
    database.run("""
        create table bench.submission (like curation.submission including defaults);
        alter table bench.submission add primary key (id);
        checkpoint;""")
    taken = 0

    def ours(clients):
        nonlocal taken
        taken += 1
        sample = bench.wrk.run(
            deployment.daemon.url, lua(deployment, f"p1-{taken}"), clients, bench.seconds, deployment.daemon, bench.cluster)
        return sample

    def ceiling(clients):
        nonlocal taken
        taken += 1
        return bench.pgbench.run(
            database, plain_insert(deployment.client_id), clients, seconds=bench.seconds, run=taken, n=0)

    sent = int(database.value("select count(*) from curation.submission where idempotency_key like 'p1-%'"))
    for clients in (4, 16, 64, 256):
        mine, plain = figures.in_turn(lambda: ours(clients), lambda: ceiling(clients))
        sent += sum(sample.count for sample in mine)
        figures.rates("P1", f"clients={clients}", mine, plain, Aim(at_least=AIMS[clients]))
        figures.times(
            "P1", f"clients={clients} p99", [s.p99 for s in mine], [s.p99 for s in plain], Aim(at_most=5))
    stored = int(database.value("select count(*) from curation.submission where idempotency_key like 'p1-%'"))
    # wrk counts what was answered; what was on its way when it ended is stored too.
    if stored < sent:
        raise AssertionError(f"{sent} submissions were acknowledged and {stored} are stored")
    # What comes after wants the queue as it was.
    database.run(f"""
        delete from curation.queue_item q using curation.submission s
        where s.id = q.submission_id and s.idempotency_key like 'p1-%';
        drop table bench.submission;
        vacuum analyze curation.queue_item;""")


def lua(deployment, run):
    """A request of about 1 KB with a key of its own each."""
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


def plain_insert(client_id):
    """The same row, with an id that the client makes, in order."""
    fields = json.dumps(FIELDS).replace("'", "''")
    received = json.dumps({"type": "article", "fields": FIELDS}).replace("'", "''")
    return f"""
\\set n :n + 1
insert into bench.submission (id, type, client_id, contributor, title, wished_category, fields, received, source,
    idempotency_key, request_hash)
values ((lpad(to_hex(:run::bigint), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(:client_id::bigint * 10000000 + :n::bigint), 12, '0'))::uuid,
    'article', '{client_id}', 'reader-1', 'What the harbour bench saw', 'Category 7', '{fields}', '{received}', 'api',
    'p1-' || :run::bigint || '-' || :client_id::bigint || '-' || :n::bigint,
    '\\x0000000000000000000000000000000000000000000000000000000000000000');
"""
