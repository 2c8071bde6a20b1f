-- Actors and the audit trail of their actions.
set local role @owner@;

-- Everyone and everything that acts: accounts, API clients and the system.
create table ops.actor (
    id uuid primary key default curation.uuid_v7(),
    kind text not null constraint actor_kind check (kind in ('account', 'client', 'system')),
    name text not null constraint actor_name check (length(name) between 1 and 200),
    created_at timestamptz not null default now()
);

insert into ops.actor (id, kind, name) values
    ('00000000-0000-7000-8000-000000000001', 'system', 'system'),
    ('00000000-0000-7000-8000-000000000002', 'system', 'operator'),
    ('00000000-0000-7000-8000-000000000003', 'system', 'contributor'),
    ('00000000-0000-7000-8000-000000000004', 'system', 'schedule'),
    ('00000000-0000-7000-8000-000000000005', 'system', 'import');
select ops.audit_changes('ops.actor');

-- Position of a transaction in the audit trail: its number, plus an offset if the database was restored into a cluster with
-- lower transaction numbers. Schema.migrate replaces this function to add the offset, so it is not part of Functions.
create function ops.audit_transaction(transaction xid8) returns xid8 language sql immutable parallel safe as $$ select transaction $$;
revoke execute on function ops.audit_transaction(xid8) from public;
grant execute on function ops.audit_transaction(xid8) to @daemon@;

-- What was done, by whom, on what. Rows are inserted in the transaction of the change that they describe.
create table ops.audit_event (
    id bigint generated always as identity primary key,
    happened_at timestamptz not null default clock_timestamp(),
    actor_id uuid not null constraint audit_event_actor references ops.actor (id),
    actor_role text,
    action text not null constraint audit_event_action check (action ~ '^[a-z_]+\.[a-z_]+$'),
    object_type text not null,
    object_id text,
    detail jsonb not null default '{}',
    request_id text,
    remote_address text,
    transaction xid8 not null default ops.audit_transaction(pg_current_xact_id())
);
create index audit_event_transaction on ops.audit_event (transaction, id);
create index audit_event_object on ops.audit_event (object_type, object_id, id);
-- For searching by person. Clients and the system write most events and are not included.
create index audit_event_by_person on ops.audit_event (actor_id, id) where actor_role is not null;
create index audit_event_happened on ops.audit_event using brin (happened_at);

-- The hash chain over the audit events. A background task appends to it, so writers never wait for its end. A block
-- covers up to 1,000 events, ordered by (transaction, id): their IDs, the hash of each event, and the hash of the whole
-- block and its predecessor. Grouping costs a tenth of a link per event. There is no foreign key: verification reports
-- missing events. Archived blocks keep their hash as the start of the remaining chain.
create table ops.audit_block (
    position bigint primary key, -- of its last event in the chain, from 1
    event_ids bigint[] not null constraint audit_block_events check (cardinality(event_ids) between 1 and position),
    last_transaction xid8 not null,
    event_hashes bytea not null,
    hash bytea not null constraint audit_block_hash check (length(hash) = 32),
    sealed_at timestamptz not null default clock_timestamp(),
    archived_at timestamptz,
    constraint audit_block_event_hashes check (length(event_hashes) = 32 * cardinality(event_ids))
);

grant select, insert on ops.actor, ops.audit_event to @daemon@;
grant select on ops.audit_block to @daemon@;
grant update (name) on ops.actor to @daemon@;

reset role;
