"""The SQL of the queue page as the daemon sends it: Sources/Store has these statements, and pgbench runs them as the ceiling of P5."""
import json

PAGE = 25
# The variables `me`, `token` and `shown` are the account, the hash of its session and the submissions of the page.

# The session, with the numbers of the navigation.
AWAKE = "(q.snoozed_until is null or q.snoozed_until <= now())"
END = "limit 100"
COUNTS = f"""jsonb_build_object(
    'pending', case when a.groups is not null then null when a.types is null then (select count(*) from (
            select from curation.queue_item q where {AWAKE} order by q.received_at, q.submission_id {END}) x)
        else (select count(*) from unnest(a.types) t cross join lateral (
            select from curation.queue_item q where q.type = t and {AWAKE}
            order by q.type, q.received_at, q.submission_id {END}) x) end,
    'reports', case when a.groups is null then (select count(*) from (
        select from curation.report_case c join curation.entry e on e.id = c.entry_id
        where c.decided_at is null and (a.types is null or e.type = any(a.types))
          and exists (select from curation.report r where r.case_id = c.id) {END}) x) end,
    'mentions', (select count(*) from (
        select from curation.mention m where m.account_id = a.id and m.seen_at is null {END}) x),
    'open_releases', case when a.types is null and a.groups is null then (select count(*) from (
        select from curation.release r where r.state = 'open' {END}) x) end,
    'failed_tasks', (select count(*) from (select from ops.task where state = 'failed' {END}) x),
    'failed_messages', (select count(*) from (select from ops.outbox_message where state = 'failed' {END}) x),
    'entries', case when a.groups is null then (
        select jsonb_object_agg(t.name, (select count(*) from (
            select from curation.entry e where e.type = t.name {END}) x))
        from curation.content_type t where a.types is null or t.name = any(a.types)) end)"""
SCOPE = "coalesce(a.types, '{}') as types, coalesce(a.groups, '{}')::text[] as groups"
SESSION = f"""
with touched as (
    update ops.session set seen_at = now()
    where token_hash = :token::bytea and seen_at < now() - interval '1 minute'
      and seen_at > now() - make_interval(mins => 600) and expires_at > now())
select s.id, s.account_id, n.name, a.email, to_jsonb(r) as role, s.csrf,
    exists (select from ops.second_factor f where f.account_id = a.id and f.confirmed_at is not null) as has_second_factor,
    {SCOPE}, a.zone, f.failed_numbers, f.failed_titles,
    (select count(*) from ops.autosave u where u.account_id = a.id and u.fields is not null)::integer as unfinished,
    {COUNTS} as counts
from ops.session s join ops.account a on a.id = s.account_id join ops.actor n on n.id = a.id
join ops.role r on r.name = a.role
cross join lateral (
    select coalesce(array_agg(number order by number desc), '{{}}') as failed_numbers,
        coalesce(array_agg(title order by number desc), '{{}}') as failed_titles
    from (select number, title from curation.release r where state = 'failed'
            and (a.types is null and a.groups is null or exists (
                select from curation.release_item i join curation.entry e on e.id = i.entry_id
                where i.release_id = r.id and ops.entry_in_scope(a.types, a.groups, e.type, e.id)))
          order by number desc limit 3) newest) f
where s.token_hash = :token::bytea and s.expires_at > now() and a.disabled_at is null
  and s.seen_at > now() - make_interval(mins => 600)"""

# The rows.
ROLE = "(select to_jsonb(named_role) from ops.role named_role where named_role.name = {})"
COLUMNS = f"""
select q.submission_id, q.type, q.title, coalesce(q.source_name, c.name) as source, c.name as client_name, q.requested_category,
    q.received_at, q.received_at::text as received_at_text, q.priority::integer as priority,
    case when q.claimed_until > now() then k.name end as claimed_name,
    case when q.claimed_until > now() then q.claimed_by end as claimed_id,
    case when q.claimed_until > now() then q.claimed_until end as claimed_until,
    case when q.snoozed_until > now() and not q.is_held then q.snoozed_until end as snoozed_until,
    coalesce(q.is_held and q.snoozed_until > now(), false) as is_held,
    g.name as assigned_name, q.assigned_to, {ROLE.format("q.assigned_role")} as assigned_role, q.reopened_by,
    q.risk_order::integer as risk_order, n.version as screening_version, n.score::integer as score, n.level,
    n.trust::integer as trust, n.reasons, n.screened_at, x.state as classification_state,
    x.score::integer as classification_score, x.reasons as classification_reasons, x.service_name as classification_name,
    x.service_version as classification_version, x.responded_at as classification_responded_at,
    x.problem as classification_problem
"""
JOINED = """
join ops.actor c on c.id = q.client_id left join ops.actor k on k.id = q.claimed_by
left join ops.actor g on g.id = q.assigned_to
left join curation.screening n on n.submission_id = q.submission_id and q.risk_order <= 100
left join curation.classification x on x.submission_id = q.submission_id and x.state = 'scored'
"""

# A search: frequent words are found among the first rows in order, others with the indexes of words, the rest in order.
QUEUED = "select x.submission_id from curation.queue_search x where x.terms @@ (select api_v1.parse_query(:query::text)) limit 10000"
TITLED = "q.search_terms @@ (select api_v1.parse_query(:query::text))"
READ = f"({TITLED} or q.submission_id in ({QUEUED}))"
LOOKED_UP = f"({TITLED} or q.submission_id = any(array({QUEUED})))"
SEARCH = """
with sample as materialized (
    select count(*) = {met} as is_frequent
    from (select from (select * from curation.queue_item q where true order by {order} limit {sample}) q where {read} limit {met}) x),
near as materialized (
    select {columns} from (select * from curation.queue_item q where true order by {order} limit {near}) q
    where {read} order by {order} limit {limit}),
hits as materialized (select {columns} from curation.queue_item q where {lookup}),
enough as materialized (
    select case when (select is_frequent from sample) then (select count(*) >= {limit} from near) else false end as are),
few as materialized (select count(*) <= 1500 as are from (select from hits limit 1501) h)
select submission_id from (
    (select * from near where (select are from enough))
    union all
    (select * from hits where case when (select are from enough) then false else (select are from few) end
     order by {bare} limit {limit})
    union all
    (select {columns} from curation.queue_item q
     where case when (select are from enough) then false else not (select are from few) end and {read}
     order by {order} limit {limit})) h
order by {bare} limit {limit}"""
OLDEST = "order by q.received_at, q.submission_id"
SEARCH_COUNT = f"""
with frequent as materialized (
    select count(*) >= 50 as is_frequent from (
        select from (select * from curation.queue_item q {OLDEST} limit 200) q where {{read}}) x),
met as materialized (select count(*) as n from (
    select from (select * from curation.queue_item q {OLDEST} limit 10000) q where {{read}} limit 1001) x),
hits as materialized (select from curation.queue_item q where {{lookup}})
select case when (select is_frequent from frequent) and (select n from met) > 1000 then (select n from met)
    else (select count(*) from (select from hits limit 1001) x) end as n"""

# The tabs: rules of screening, saved views and the counts, of which two stop at the oldest submissions.
RULES = """
select r.version, r.rules, r.note, a.name as created_by_name, r.created_at, t.decisions, t.result,
    r.version = (select version from curation.screening_activation order by number desc limit 1) as is_on
from curation.screening_rules r join ops.actor a on a.id = r.created_by
left join curation.screening_trial t on t.version = r.version
where r.version = (select version from curation.screening_activation order by number desc limit 1)"""
VIEWS = """
select v.id, v.name, v.query, v.owner_id, a.name as owner_name, v.is_shared
from curation.saved_view v join ops.actor a on a.id = v.owner_id
where v.owner_id = :me::uuid or v.is_shared order by lower(v.name), v.id limit 200"""
TABS = [
    ("", OLDEST), ("and q.claimed_by = :me::uuid and q.claimed_until > now()", ""), ("and q.assigned_to = :me::uuid", ""),
    ("and q.received_at <= now() - make_interval(hours => 24)", OLDEST), ("and q.risk_order <= 40", ""),
    ("and q.reopened_by = 'resubmit'", "")]


def count(condition, order=""):
    return f"select count(*) as n from (select from curation.queue_item q where {condition} {order} limit 1001) x"


TAB_COUNTS = "select array[" + ",\n    ".join(
    f"(select f.n from ({count(f'{AWAKE} {condition}', order)}) f)" for condition, order in TABS) + "]::bigint[] as counts"

# The menus of the filter.
ACCOUNTS = f"""
select a.id, a.email, n.name, {ROLE.format("a.role")} as role, a.password_hash, a.disabled_at is not null as is_disabled, a.locale,
    a.invited_at, a.created_at,
    exists (select from ops.second_factor f where f.account_id = a.id and f.confirmed_at is not null) as has_second_factor, {SCOPE}
from ops.account a join ops.actor n on n.id = a.id order by lower(n.name), a.id limit 1000"""
CLIENTS = """
select c.id, c.name, c.secret_hash, c.old_secret_hash,
    case when c.old_secret_until > now() then c.old_secret_until end as old_secret_until, c.scopes, c.per_minute,
    c.revoked_at is not null as is_revoked, c.created_at, u.used_at, u.old_secret_used_at
from delivery.client c left join ops.client_use u on u.client_id = c.id where true order by c.created_at, c.id limit 1000"""
ROLES = """
select to_jsonb(r) as role from ops.role r
order by r.is_preset desc, case when r.is_preset then cardinality(r.permissions) end, lower(r.label), r.name limit 1000"""

# What each row shows besides.
STAGES = f"""
select type, group_id, name, {ROLE.format("role")} as role, required_approvals::integer as required_approvals
from curation.review_stage where archived_at is null order by type, group_id, number"""
THUMBNAILS = """
select s.id, f.path, f.width, f.height
from curation.submission s
left join lateral (
    select t.fields from curation.submission_version t where t.submission_id = s.id order by t.number desc limit 1) n on true
cross join lateral (
    select jsonb_path_query_first(coalesce(n.fields, s.fields), '$.*.media ? (@.type() == "string")') #>> '{}' as id) i
join ops.media m on m.id = case when i.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then i.id::uuid end
cross join lateral (
    select path, width, height from ops.media_file where version_id = m.version_id order by width limit 1) f
where s.id = any(:shown::uuid[])"""
SUMMARIES = """
select s.id, s.contributor, (
    select left(coalesce(v.fields, s.fields) ->> f.name, 600)
    from jsonb_array_elements_text(:texts::jsonb -> s.type) with ordinality f (name, number)
    where coalesce(v.fields, s.fields) ->> f.name <> '' order by f.number limit 1) as beginning
from curation.submission s
left join lateral (
    select t.fields from curation.submission_version t where t.submission_id = s.id order by t.number desc limit 1) v on true
where s.id = any(:shown::uuid[])"""
# The fields with which an excerpt begins.
TEXTS = json.dumps({
    "article": ["summary", "body"], "video": ["summary", "body"], "list": ["about"], "route": ["summary"], "review": ["text"]})


ORDERS = {
    "oldest": "q.received_at, q.submission_id", "priority": "q.priority, q.received_at, q.submission_id",
    "score": "q.risk_order, q.received_at, q.submission_id"}


def page_sql(condition, order, is_filtered, is_search):
    """The statements of one page. The cursor, which is no filter, doesn't affect the counts."""
    awake = f"{AWAKE} and {condition}"
    words = {"read": f"{AWAKE} and {READ}", "lookup": f"{AWAKE} and {LOOKED_UP}"}
    if is_search:
        ids = search_sql(order, words)
        rows = f"{COLUMNS} from ({ids}) f join curation.queue_item q on q.submission_id = f.submission_id {JOINED} order by {order}"
    else:
        rows = f"{COLUMNS} from curation.queue_item q {JOINED} where {awake} order by {order} limit {PAGE + 1}"
    matching = [SEARCH_COUNT.format(**words) if is_search else count(awake)] if is_filtered or is_search else []
    statements = [SESSION, rows, *matching, RULES, VIEWS, TAB_COUNTS, ACCOUNTS, RULES, CLIENTS, ROLES, STAGES, THUMBNAILS, SUMMARIES]
    return ";\n".join(statements) + ";\n"


def search_sql(order, words):
    """The ids of the page of a search."""
    number = "".join(f", {column}" for column in order.split(", ")[:-2])
    bounds = {"sample": 4000, "met": 8, "near": 20_000} if "risk_order" in order else {"sample": 2000, "met": 5, "near": 8000}
    return SEARCH.format(
        columns=f"q.submission_id, q.received_at{number}", order=order, bare=order.replace("q.", ""), limit=PAGE + 1, **words, **bounds)
