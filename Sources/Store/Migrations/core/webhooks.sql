-- Webhooks, their deliveries and delivery attempts.
set local role @owner@;

-- Webhooks (Standard Webhooks 1.0).
create table ops.webhook (
    id uuid primary key default curation.uuid_v7(),
    url text not null constraint webhook_url check (url ~ '^https?://' and length(url) <= 2048),
    note text not null default '' constraint webhook_note check (length(note) <= 500),
    events text[] not null constraint webhook_events check (cardinality(events) > 0 and events <@ array[
        'entry.published', 'entry.updated', 'entry.unpublished', 'release.failed', 'submission.decided']),
    -- both secrets are encrypted with the key of the configuration
    secret bytea not null,
    old_secret bytea,
    old_secret_until timestamptz,
    state text not null default 'active' constraint webhook_state check (state in ('active', 'paused', 'disabled')),
    -- earlier failures no longer count
    active_since timestamptz not null default clock_timestamp(),
    reason text,
    -- the first publication that may have been missed while the webhook was disabled
    missed_from bigint,
    created_by uuid not null constraint webhook_created_by references ops.actor (id),
    created_at timestamptz not null default now(),
    constraint webhook_rotation_complete check ((old_secret is null) = (old_secret_until is null)),
    constraint webhook_disabled_has_reason check ((state = 'disabled') = (reason is not null)),
    -- imported webhooks have no secret and stay paused until one is created
    constraint webhook_active_has_secret check (state <> 'active' or length(secret) > 0)
);
select ops.audit_changes('ops.webhook');

-- Pauses between deliveries after failures or at the request of the receiver.
create table ops.webhook_backoff (
    webhook_id uuid primary key constraint webhook_backoff_webhook references ops.webhook (id) on delete cascade,
    failures integer not null default 0,
    not_before timestamptz not null default '-infinity'
);

-- Messages to webhooks and their delivery state.
create table ops.webhook_delivery (
    id uuid primary key default curation.uuid_v7(),
    webhook_id uuid not null constraint webhook_delivery_webhook references ops.webhook (id) on delete cascade,
    type text not null,
    -- messages about one entry are delivered in the order of publications
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

-- Delivery attempts.
create table ops.webhook_attempt (
    id bigint generated always as identity primary key,
    delivery_id uuid not null constraint webhook_attempt_delivery references ops.webhook_delivery (id) on delete cascade,
    webhook_id uuid not null,
    started_at timestamptz not null,
    duration_ms integer not null,
    status integer,
    response text not null default '' constraint webhook_attempt_response check (length(response) <= 1024),
    error text,
    delivered boolean not null
);
create index webhook_attempt_delivery on ops.webhook_attempt (delivery_id, id);
create index webhook_attempt_health on ops.webhook_attempt (webhook_id, delivered, started_at desc);

grant select, insert, update, delete on ops.webhook, ops.webhook_backoff, ops.webhook_delivery, ops.webhook_attempt to
    @daemon@;

reset role;
