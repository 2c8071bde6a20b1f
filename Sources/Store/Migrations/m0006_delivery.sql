-- The API clients: what the delivery API needs to let an application in.
set local role @owner@;

create table delivery.client (
    id uuid primary key,
    name text not null constraint client_name check (length(name) between 1 and 200),
    secret_hash bytea not null constraint client_secret_hash check (length(secret_hash) = 32),
    scopes text[] not null constraint client_scopes
        check (scopes <@ array['submit', 'review', 'read-guest', 'read-full'] and cardinality(scopes) > 0),
    created_at timestamptz not null default now(),
    revoked_at timestamptz
);
select ops.govern('delivery.client');

grant select, insert, update on delivery.client to @daemon@;
grant select on delivery.client to @delivery@;

reset role;
