-- API clients.
set local role @owner@;

-- API clients. The delivery role reads this table to authenticate requests.
create table delivery.client (
    id uuid primary key,
    name text not null constraint client_name check (length(name) between 1 and 200),
    secret_hash bytea not null constraint client_secret_hash check (length(secret_hash) = 32),
    scopes text[] not null constraint client_scopes
        check (scopes <@ array['submit', 'review', 'read-guest', 'read-full'] and cardinality(scopes) > 0),
    created_at timestamptz not null default now(),
    revoked_at timestamptz,
    -- after a rotation the previous secret remains valid for a limited time
    old_secret_hash bytea constraint client_old_secret_hash check (length(old_secret_hash) = 32),
    old_secret_until timestamptz,
    -- rate limit; null for none
    per_minute integer constraint client_per_minute check (per_minute between 1 and 1000000),
    constraint client_old_secret_ends check ((old_secret_hash is null) = (old_secret_until is null))
);
select ops.audit_changes('delivery.client');

-- Last use of each client and of its previous secret. Updated every few minutes; informational only, like a log.
create table ops.client_use (
    client_id uuid primary key constraint client_use_client references delivery.client (id),
    used_at timestamptz not null,
    old_secret_used_at timestamptz
);

grant select on delivery.client to @delivery@;
grant select, insert, update on delivery.client, ops.client_use to @daemon@;

reset role;
