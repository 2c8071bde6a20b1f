-- Webhooks: other servers that are told what was published (Standard Webhooks 1.0), and what became of each message.
set local role @owner@;

create table ops.webhook (
    id uuid primary key default curation.uuid_v7(),
    url text not null constraint webhook_url check (url ~ '^https?://' and length(url) <= 2048),
    note text not null default '' constraint webhook_note check (length(note) <= 500),
    events text[] not null constraint webhook_events check (cardinality(events) > 0 and
        events <@ array['entry.published', 'entry.updated', 'entry.unpublished', 'release.failed']),
    -- both sealed with the key of the configuration
    secret bytea not null,
    old_secret bytea,
    old_secret_until timestamptz,
    state text not null default 'active' constraint webhook_state check (state in ('active', 'paused', 'disabled')),
    -- failures before this do not count any more
    active_since timestamptz not null default clock_timestamp(),
    reason text,
    -- the first publication that it was perhaps not told of, because it was disabled
    missed_from bigint,
    created_by uuid not null constraint webhook_created_by references ops.actor (id),
    created_at timestamptz not null default now(),
    constraint webhook_rotation_complete check ((old_secret is null) = (old_secret_until is null)),
    constraint webhook_disabled_has_reason check ((state = 'disabled') = (reason is not null))
);

-- How fast a webhook is told: after failures and when it asks for it, nothing is sent to it for a while.
create table ops.webhook_backoff (
    webhook_id uuid primary key constraint webhook_backoff_webhook references ops.webhook (id) on delete cascade,
    failures integer not null default 0,
    not_before timestamptz not null default '-infinity'
);

create table ops.webhook_delivery (
    id uuid primary key default curation.uuid_v7(),
    webhook_id uuid not null constraint webhook_delivery_webhook references ops.webhook (id) on delete cascade,
    type text not null,
    -- messages about one entry are delivered in the order of their publications
    publication bigint,
    entry_id uuid,
    body text not null constraint webhook_delivery_body check (length(body) < 20000),
    state text not null default 'waiting' constraint webhook_delivery_state
        check (state in ('waiting', 'delivered', 'failed')),
    attempts integer not null default 0,
    next_at timestamptz not null default clock_timestamp(),
    created_at timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    constraint webhook_delivery_once unique (webhook_id, entry_id, publication),
    constraint webhook_delivery_order check ((publication is null) = (entry_id is null)),
    constraint webhook_delivery_finished check ((state = 'waiting') = (finished_at is null))
);
create index webhook_delivery_next on ops.webhook_delivery (webhook_id, next_at, id) where state = 'waiting';
create index webhook_delivery_log on ops.webhook_delivery (webhook_id, id desc);
create index webhook_delivery_finished_at on ops.webhook_delivery (finished_at) where state <> 'waiting';

create table ops.webhook_attempt (
    id bigint generated always as identity primary key,
    delivery_id uuid not null constraint webhook_attempt_delivery references ops.webhook_delivery (id) on delete cascade,
    webhook_id uuid not null,
    started_at timestamptz not null,
    duration_ms integer not null,
    status integer,
    answer text not null default '' constraint webhook_attempt_response check (length(answer) <= 1024),
    error text,
    delivered boolean not null
);
create index webhook_attempt_delivery on ops.webhook_attempt (delivery_id, id);
create index webhook_attempt_health on ops.webhook_attempt (webhook_id, delivered, started_at desc);

select ops.govern('ops.webhook');

create function ops.webhook_time(moment timestamptz) returns text language sql stable as $$
    select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- What is told of the publications in a range: one message an entry, thin, for who wants more asks the API.
create function ops.entry_messages(p_from bigint, p_to bigint)
returns table (type text, publication bigint, entry_id uuid, body text) language sql stable rows 10 as $$
    select m.type, m.publication, m.entry_id, row_to_json(m.message)::text
    from (
        select e.event as type, c.publication, c.entry_id,
            (select message from (select e.event as type, ops.webhook_time(p.published_at) as timestamp,
                (select data from (select c.publication, c.entry_id as entry, c.type, c.kind, r.content ->> 'slug' as slug,
                    r.number as revision) data) as data) message) as message
        from curation.publication_change c
        join curation.publication p on p.number = c.publication
        join curation.revision r on r.id = coalesce(c.new_revision, c.old_revision)
        cross join lateral (select case when c.old_revision is null then 'entry.published'
            when c.new_revision is null then 'entry.unpublished' else 'entry.updated' end as event) e
        where c.publication between p_from and p_to) m
$$;

-- Called by curation.end_publication: writes the messages in the publication's own transaction.
create function ops.notify_publication(p_number bigint) returns void language plpgsql as $$
begin
    if not exists (select from ops.webhook where state <> 'disabled') then return; end if;
    insert into ops.webhook_delivery (webhook_id, type, publication, entry_id, body)
    select w.id, m.type, m.publication, m.entry_id, m.body
    from ops.entry_messages(p_number, p_number) m
    join ops.webhook w on w.state <> 'disabled' and m.type = any (w.events);
    if found then perform pg_notify('vitrine_webhook', ''); end if;
end $$;

-- Called by curation.publish_due: tells that a release failed, and why.
create function ops.notify_failure(p_release uuid) returns void language plpgsql as $$
begin
    insert into ops.webhook_delivery (webhook_id, type, body)
    select w.id, 'release.failed', row_to_json(m)::text
    from (
        select 'release.failed' as type, ops.webhook_time(r.finished_at) as timestamp,
            (select data from (select r.number as release, r.title, ops.webhook_time(r.due_at) as due_at,
                left(r.failure, 1000) as reason) data) as data
        from curation.release r where r.id = p_release) m
    join ops.webhook w on w.state <> 'disabled' and m.type = any (w.events);
    if found then perform pg_notify('vitrine_webhook', ''); end if;
end $$;

-- Sends again all that a webhook is told of the publications from p_from on, also what it was never told: how many messages.
create function ops.replay_webhook(p_webhook uuid, p_from bigint) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    told bigint;
begin
    insert into ops.webhook_delivery (webhook_id, type, publication, entry_id, body)
    select w.id, m.type, m.publication, m.entry_id, m.body
    from ops.webhook w join ops.entry_messages(p_from, (select number from curation.publication_counter)) m
        on m.type = any (w.events)
    where w.id = p_webhook
    on conflict on constraint webhook_delivery_once do update
    set state = 'waiting', attempts = 0, next_at = clock_timestamp(), finished_at = null;
    get diagnostics told = row_count;
    perform pg_notify('vitrine_webhook', '');
    return told;
end $$;

revoke execute on function ops.webhook_time(timestamptz), ops.entry_messages(bigint, bigint), ops.notify_publication(bigint),
    ops.notify_failure(uuid), ops.replay_webhook(uuid, bigint) from public;
grant execute on function ops.replay_webhook(uuid, bigint), ops.webhook_time(timestamptz) to @daemon@;
grant select, insert, update, delete on ops.webhook, ops.webhook_backoff, ops.webhook_delivery, ops.webhook_attempt to @daemon@;

reset role;
