-- Webhooks and the pauses between deliveries to them.
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

grant select, insert, update, delete on ops.webhook, ops.webhook_backoff to @daemon@;

reset role;
