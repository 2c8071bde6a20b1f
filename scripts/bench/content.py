"""Benchmark content: generated in SQL and identical in every run.

The ids of entries, feeds, categories and submissions are derived from their number, so that wrk and pgbench can address any
of them without a list. Titles consist of 400 invented words; 20 titles of a queue contain the word "ferry".
"""
import time

from processes import RunFailed

ITEM = "01900000-0000-7000-8000-"
CATEGORY = "01900000-0000-7000-9000-"
FEED = "01900000-0000-7000-a000-"
SUBMISSION = "01900000-0000-7000-b000-"
REVISION = "01900000-0000-7001-8000-"
CATEGORIES = 40
FEEDS = 50
SYSTEM = "00000000-0000-7000-8000-000000000001"

FIRST = ["har", "lan", "bri", "mol", "ket", "sor", "vil", "dra", "pen", "gus", "ter", "nol", "fir", "bas", "wen", "cor",
         "mir", "tas", "lug", "hep"]
LAST = ["bour", "tern", "ger", "den", "tle", "row", "mast", "ker", "ny", "ton", "sel", "va", "dle", "mon", "rick", "sby",
        "ter", "lin", "poe", "gate"]
VOCABULARY = [first + last for first in FIRST for last in LAST]

BODY = "<p>" + "It leaves at nine and comes back when the tide lets it. " * 14 + "</p>"
SUMMARY = "What leaves, what comes back, and who waits for it on the quay, told in a few lines."


def identifier(prefix, number):
    return f"{prefix}{number:012x}"


def identifier_sql(prefix, number):
    """SQL expression of the id of `number`, which is an SQL expression, too."""
    return f"('{prefix}' || lpad(to_hex({number}::bigint), 12, '0'))::uuid"


# Loading bypasses the triggers, which would cost a million statements instead of twenty; `publish verify` checks the result
# afterwards. An audit event records the load.
BEGIN = f"""
begin;
insert into ops.audit_event (actor_id, action, object_type, detail)
values ('{SYSTEM}', 'bench.load', 'deployment', '{{}}');
set local session_replication_role = replica;
set local synchronous_commit = off;
set local work_mem = '128MB';
create schema if not exists bench;
create or replace function bench.title(i bigint) returns text language sql immutable as $$
    select w[i * 7 % 400 + 1] || ' ' || w[i * 13 % 391 + 1] || ' ' || i
    from (select '{{{",".join(VOCABULARY)}}}'::text[] as w) x
$$;
"""

WRITE = """
insert into curation.entry (id, type, kind, created_by) select entry_id, type, kind, '{system}' from new_rows;
insert into curation.revision (id, entry_id, number, content, preview, plain, content_hash, author_id, created_at)
select revision_id, entry_id, 1, content, content - array['body', 'feeds', 'categories', 'group'], plain,
    sha256(convert_to(content::text, 'UTF8')), '{system}', created_at from new_rows;
insert into curation.reference (revision_id, field, position, target_entry_id, counted)
select m.revision_id, r.field, r.position, r.target, r.field <> 'group'
from new_rows m cross join lateral (
    select f.field, t.position, t.target::uuid as target
    from unnest(array['feeds', 'categories', 'group']) f (field)
    cross join lateral jsonb_array_elements_text(case jsonb_typeof(m.content -> f.field) when 'array'
        then m.content -> f.field when 'string' then jsonb_build_array(m.content -> f.field) else '[]' end)
        with ordinality t (target, position)) r;
insert into curation.slug (kind, slug, entry_id, published_in) select kind, content ->> 'slug', entry_id, number from new_rows,
    (select number + 1 as number from curation.publication_counter) p;
insert into curation.entry_search (entry_id, type, kind, number, title, terms)
select entry_id, type, kind, 1, content ->> 'title', curation.entry_terms(content) from new_rows;
insert into curation.approval (revision_id, actor_id, actor_role) select revision_id, '{system}', 'system' from new_rows;
insert into curation.publish_approval (revision_id, entry_id, approved_at) select revision_id, entry_id, created_at from new_rows;
insert into curation.live (entry_id, revision_id, type, kind) select entry_id, revision_id, type, kind from new_rows;
insert into curation.publication_change (publication, entry_id, type, kind, new_revision)
select number, entry_id, type, kind, revision_id from new_rows,
    (select number + 1 as number from curation.publication_counter) p;
""".format(system=SYSTEM)


NEW_ENTRIES = """
create temp table new_rows (entry_id uuid, revision_id uuid, type text, kind text, content jsonb, plain text, created_at timestamptz)
on commit drop;
"""
REPAIR = f"""
commit;
analyze;
begin;
set local synchronous_commit = off;
insert into ops.audit_event (actor_id, action, object_type, detail)
values ('{SYSTEM}', 'bench.load', 'deployment', '{{}}');
select curation.repair('{SYSTEM}', 'bench');
update curation.screening_cursor set publication = (select number from curation.publication_counter), entry_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
commit;
analyze;
"""


def load_live(database, items):
    """Loads categories, feeds and `items` published articles with two repairs of the read tables: after the first thousand
    items, PostgreSQL has statistics of these tables."""
    database.run(BEGIN + NEW_ENTRIES + TAXONOMY + articles(1, min(items, 1000)) + WRITE + REPAIR)
    if items > 1000:
        database.run(BEGIN + NEW_ENTRIES + articles(1001, items) + WRITE + REPAIR)
    # The nightly comparison, which starts with the first daemon, would compare all of them.
    database.run("""
        insert into ops.task (kind, schedule, due_at, state, finished_at)
        select 'verify_read_tables', 'verify_read_tables',
            to_timestamp((floor(extract(epoch from now()) / 86400) + day) * 86400), 'done', now()
        from generate_series(0, 1) day on conflict do nothing;""")


TAXONOMY = f"""
insert into new_rows
select {identifier_sql(CATEGORY, "i")}, {identifier_sql(REVISION, "2000000000 + i")}, 'category', 'category',
    jsonb_build_object('title', 'Category ' || i, 'slug', 'category-' || i, 'position', i,
        'group', '00000000-0000-7000-8000-00000000001' || (i % 2 + 1)), '', now() - interval '2 years'
from generate_series(1, {CATEGORIES}) i;
insert into new_rows
select {identifier_sql(FEED, "i")}, {identifier_sql(REVISION, "1000000000 + i")}, 'feed', 'feed',
    jsonb_build_object('title', 'Feed ' || i, 'slug', 'feed-' || i, 'tier', case when i % 5 = 0 then 'premium' else 'free' end,
        'order', 'newest', 'publish_on_approval', true,
        'categories', jsonb_build_array({identifier_sql(CATEGORY, f"i % {CATEGORIES} + 1")})), '', now() - interval '2 years'
from generate_series(1, {FEEDS}) i;
"""


def articles(first, last):
    """Articles of 800 bytes, each in one feed and one category of each group."""
    return f"""
insert into new_rows
select {identifier_sql(ITEM, "i")}, {identifier_sql(REVISION, "i")}, 'article', 'item',
    jsonb_build_object('title', bench.title(i), 'slug', 'article-' || i, 'summary', '{SUMMARY}', 'body', '{BODY}',
        'author', bench.title(i % 1000), 'published', '2025-03-01T09:00:00Z',
        'feeds', jsonb_build_array({identifier_sql(FEED, f"i % {FEEDS} + 1")}),
        'categories', jsonb_build_array({identifier_sql(CATEGORY, "2 * (i * 11 % 20) + 1")},
            {identifier_sql(CATEGORY, "2 * (i * 17 % 19) + 2")})),
    '{BODY[3:-4]}', now() - interval '1 year' + i * interval '10 seconds'
from generate_series({first}, {last}) i;
"""


def load_queue(database, pending, client_id):
    """Loads `pending` submissions with their words and audit events, a fifth of them from the API client. Updates statistics at the end:
    plans of empty tables would scan the full ones."""
    database.run(f"""
{BEGIN}
insert into ops.actor (id, kind, name)
select {identifier_sql("01900000-0000-7000-c000-", "i")}, 'client', 'Portal ' || i from generate_series(1, 4) i
on conflict (id) do nothing;
create temp table new_rows on commit drop as
select i, {identifier_sql(SUBMISSION, "i")} as id,
    case when i % 5 = 0 then '{client_id}'::uuid else {identifier_sql("01900000-0000-7000-c000-", "i % 5")} end as client_id,
    bench.title(i) || case when i % ({pending} / 20) = 0 then ' ferry' else '' end as title,
    'Category ' || i % {CATEGORIES} + 1 as requested_category,
    now() - interval '1 day' - ({pending} - i) * interval '1 second' as received_at
from generate_series(1, {pending}) i;
insert into curation.submission (id, type, client_id, contributor, title, requested_category, fields, received, source,
    idempotency_key, request_hash, received_at)
select id, 'article', client_id, 'reader-' || i % 500, title, requested_category,
    jsonb_build_object('title', title, 'summary', '{SUMMARY}', 'body', '{BODY}'), '{{}}', 'api', 'load-' || i,
    sha256(convert_to(title, 'UTF8')), received_at
from new_rows order by i;
-- Already screened, so that the background task does not run during measurements.
insert into curation.queue_item (submission_id, type, client_id, title, requested_category, received_at, risk_order)
select id, 'article', client_id, title, requested_category, received_at, 100 - i % 50 from new_rows order by i;
insert into curation.contributor (client_id, name, first_seen_at)
select client_id, 'reader-' || i % 500, min(received_at) from new_rows group by 1, 2;
-- The words of the title, the contributor and the summary. Those of the text are the same in all, and would only take time.
insert into curation.submission_search (submission_id, terms, is_complete)
select r.id, curation.submission_terms(r.title, 'reader-' || r.i % 500, '') || s.terms, true
from new_rows r, (select curation.submission_terms('', null, '{SUMMARY}') as terms) s order by r.i;
insert into curation.queue_search (submission_id, terms, domains)
select submission_id, terms, domains from curation.submission_search order by submission_id;
insert into ops.audit_event (actor_id, action, object_type, object_id, happened_at)
select client_id, 'submission.create', 'submission', id::text, received_at from new_rows order by i;
commit;
analyze ops.audit_event, curation.submission;
select ops.audit_seal();
vacuum analyze;
""")


def load_similarity(database, pending):
    """Loads similarity data of all submissions, as if the background task had processed them. One submission in the middle is
    processed by the task itself: its text keys are shared by all submissions, its title keys by one in a hundred. Returns its
    id and keys."""
    one = identifier(SUBMISSION, pending // 2)
    database.run(f"""
begin;
set local session_replication_role = replica;
update curation.queue_item set risk_order = 101 where submission_id in ('{one}', '{identifier(SUBMISSION, pending // 2 + 1)}');
commit;
""")
    for _ in range(300):
        if database.value("select count(*) from curation.queue_item where risk_order = 101") == "0":
            break
        time.sleep(0.1)
    else:
        raise RunFailed("the background task did not screen the submissions")
    database.run(f"""
begin;
set local session_replication_role = replica;
set local synchronous_commit = off;
create temp table new_rows on commit drop as
select i, {identifier_sql(SUBMISSION, "i")} as id from generate_series(1, {pending}) i;
create temp table key on commit drop as
select k as key, k = any(o.keys) as is_shared
from curation.similarity l cross join unnest(l.keys) k
cross join (select keys from curation.similarity where subject_id = '{identifier(SUBMISSION, pending // 2 + 1)}') o
where l.subject_id = '{one}';
insert into curation.similarity (subject_id, is_entry, title, text, keys)
select m.id, false, l.title, l.text, l.keys from new_rows m, curation.similarity l where l.subject_id = '{one}'
on conflict (subject_id) do nothing;
insert into curation.similarity_key (key, subject_id)
select k.key, m.id from key k join new_rows m on k.is_shared or m.i % 100 = 0
union all
select hashtext(n || ' ' || m.i)::integer, m.id from new_rows m, generate_series(1, 6) n
on conflict do nothing;
commit;
vacuum analyze curation.similarity, curation.similarity_key;
""")
    keys = database.value(f"select keys::text from curation.similarity where subject_id = '{one}'")
    return one, keys
