-- Who actions (accounts, API clients, the system), their sessions, and the audit trail of what they did.
set local role @owner@;

create table ops.actor (
    id uuid primary key default curation.uuid_v7(),
    kind text not null constraint actor_kind check (kind in ('account', 'client', 'system')),
    name text not null constraint actor_name check (length(name) between 1 and 200),
    created_at timestamptz not null default now()
);

create table ops.account (
    id uuid primary key constraint account_actor references ops.actor (id),
    email text not null constraint account_email check (email = lower(email) and email ~ '^[^@\s]+@[^@\s]+$' and length(email) <= 254),
    role text not null constraint account_role check (role in ('curator', 'editor', 'publisher', 'administrator')),
    password_hash text,
    disabled_at timestamptz,
    created_at timestamptz not null default now(),
    constraint account_email_once unique (email)
);

create table ops.session (
    token_hash bytea primary key constraint session_token_hash check (length(token_hash) = 32),
    account_id uuid not null constraint session_account references ops.account (id),
    csrf text not null constraint session_csrf check (length(csrf) >= 22),
    address text not null default '',
    agent text not null default '',
    created_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    expires_at timestamptz not null,
    constraint session_expires_later check (expires_at > created_at)
);
create index session_account_id on ops.session (account_id);
create index session_expires_at on ops.session (expires_at);

-- A link that signs in once, within its time (an operator's first sign-in).
create table ops.sign_in_link (
    token_hash bytea primary key constraint sign_in_link_token_hash check (length(token_hash) = 32),
    account_id uuid not null constraint sign_in_link_account references ops.account (id),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz,
    constraint sign_in_link_expires_later check (expires_at > created_at)
);

-- Failed sign-ins, counted per account name and per address; kept in the database so that a restart forgets none.
create table ops.sign_in_failure (
    subject text not null,
    failed_at timestamptz not null default clock_timestamp()
);
create index sign_in_failure_subject on ops.sign_in_failure (subject, failed_at);

-- Where a transaction stands in the order of the audit trail: its number, plus what Schema.migrate adds when the database was
-- restored into a cluster that has not counted as far. So the order goes on where the trail ends.
create function ops.audit_transaction(transaction xid8) returns xid8 language sql immutable parallel safe as $$ select transaction $$;

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
    address text,
    transaction xid8 not null default ops.audit_transaction(pg_current_xact_id())
);
create index audit_event_transaction on ops.audit_event (transaction, id);
create index audit_event_object on ops.audit_event (object_type, object_id, id);

-- The chain over the audit events, made by the sealer: no writer waits on its tail. A block holds up to a thousand events in
-- the order of (transaction, id): their ids, the hash of each, and the hash over these and the block before. A block for many
-- costs a tenth of a link for each. An event that is missing shows in the verification; no foreign key is needed.
create table ops.audit_block (
    position bigint primary key, -- of its last event in the chain, from 1
    event_ids bigint[] not null constraint audit_block_events check (cardinality(event_ids) between 1 and position),
    last_transaction xid8 not null,
    event_hashes bytea not null,
    hash bytea not null constraint audit_block_hash check (length(hash) = 32),
    sealed_at timestamptz not null default clock_timestamp(),
    constraint audit_block_event_hashes check (length(event_hashes) = 32 * cardinality(event_ids))
);

-- Callers set the time zone and the date style: the text of an instant follows them.
create function ops.audit_event_hash(event ops.audit_event) returns bytea language sql stable as $$
    select sha256(convert_to(row(event.id, event.happened_at, event.actor_id, event.actor_role, event.action, event.object_type,
        event.object_id, event.detail, event.request_id, event.address, event.transaction)::text, 'UTF8'))
$$;

create function ops.audit_block_hash(previous bytea, block ops.audit_block) returns bytea language sql stable as $$
    select sha256(coalesce(previous, '') || convert_to(row(block.position, block.event_ids, block.last_transaction)::text, 'UTF8')
        || block.event_hashes)
$$;

-- Chains every event that is older than all running transactions. No event can come later before one that is chained, so that
-- the last block tells where to go on; to ask of each event whether it is in the chain would walk through all that this call
-- has added. Returns how many.
create function ops.audit_seal() returns bigint language plpgsql security definer
set search_path = pg_catalog, pg_temp set timezone = 'UTC' set datestyle = 'ISO' as $$
declare
    last ops.audit_block;
    next ops.audit_block;
    sealed bigint := 0;
begin
    perform pg_advisory_xact_lock(hashtextextended('ops.audit_seal', 0));
    select b.* into last from ops.audit_block b order by b.position desc limit 1;
    loop
        select array_agg(e.id order by e.transaction, e.id), max(e.transaction::text::bigint)::text::xid8,
               string_agg(e.hash, ''::bytea order by e.transaction, e.id)
        into next.event_ids, next.last_transaction, next.event_hashes
        from (
            select e.id, e.transaction, ops.audit_event_hash(e) as hash from ops.audit_event e
            where e.transaction < ops.audit_transaction(pg_snapshot_xmin(pg_current_snapshot()))
              and (e.transaction, e.id) > (
                  coalesce(last.last_transaction, '0'), coalesce(last.event_ids[cardinality(last.event_ids)], 0))
            order by e.transaction, e.id limit 1000) e;
        exit when next.event_ids is null;
        next.position := coalesce(last.position, 0) + cardinality(next.event_ids);
        next.hash := ops.audit_block_hash(last.hash, next);
        insert into ops.audit_block (position, event_ids, last_transaction, event_hashes, hash)
        values (next.position, next.event_ids, next.last_transaction, next.event_hashes, next.hash);
        sealed := sealed + cardinality(next.event_ids);
        last := next;
    end loop;
    return sealed;
end $$;

-- Walks the chain: how many events are sealed and how many wait; the first position that is not as it was sealed, its event,
-- and what happened to it. 'changed', 'removed' and 'added' tell of an event, 'chain' of the block itself.
create function ops.audit_verify() returns table (sealed bigint, unsealed bigint, broken_at bigint, event_id bigint, how text)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set timezone = 'UTC' set datestyle = 'ISO' as $$
declare
    block ops.audit_block;
    last ops.audit_block;
    first bigint;
    found record;
begin
    sealed := 0;
    for block in select b.* from ops.audit_block b order by b.position loop
        first := block.position - cardinality(block.event_ids) + 1;
        sealed := sealed + cardinality(block.event_ids);
        if broken_at is null and (first <> coalesce(last.position, 0) + 1
            or block.hash <> ops.audit_block_hash(last.hash, block)) then
            broken_at := first;
            how := 'chain';
        elsif broken_at is null then
            select first - 1 + coalesce(u.place, e.place) as position, coalesce(u.id, e.id) as id,
                   case when e.id is null then 'removed' when u.id is null then 'added' else 'changed' end as how
            into found
            from unnest(block.event_ids) with ordinality u (id, place)
            full join (
                select e.id, ops.audit_event_hash(e) as hash, row_number() over (order by e.transaction, e.id) as place
                from ops.audit_event e
                where (e.transaction, e.id) > (
                    coalesce(last.last_transaction, '0'), coalesce(last.event_ids[cardinality(last.event_ids)], 0))
                  and (e.transaction, e.id) <= (block.last_transaction, block.event_ids[cardinality(block.event_ids)])
            ) e on e.id = u.id
            where u.id is null or e.id is null or e.hash <> substr(block.event_hashes, 32 * u.place::integer - 31, 32)
            order by 1, u.place nulls last limit 1;
            broken_at := found.position;
            event_id := found.id;
            how := found.how;
        end if;
        last := block;
    end loop;
    select count(*) into unsealed from ops.audit_event e
    where (e.transaction, e.id) > (
        coalesce(last.last_transaction, '0'), coalesce(last.event_ids[cardinality(last.event_ids)], 0));
    return next;
end $$;

-- A statement on a governed table stands only when its transaction has written an audit event.
create function ops.require_audit() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select from ops.audit_event where transaction = ops.audit_transaction(pg_current_xact_id())) then
        raise exception using errcode = 'check_violation', constraint = 'audit_event_required',
            table = tg_table_name, message = format('%s on %s without an audit event', tg_op, tg_table_name);
    end if;
    return null;
end $$;

-- The same for a statement that may touch no row: what came in twice needs no second event.
create function ops.require_audit_of_rows() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if exists (select from changed) and not exists (
        select from ops.audit_event where transaction = ops.audit_transaction(pg_current_xact_id())) then
        raise exception using errcode = 'check_violation', constraint = 'audit_event_required',
            table = tg_table_name, message = format('%s on %s without an audit event', tg_op, tg_table_name);
    end if;
    return null;
end $$;

create function ops.govern(governed regclass) returns void language plpgsql as $$
begin
    execute format('create trigger audited after insert or update or delete on %s
        for each statement execute function ops.require_audit()', governed);
end $$;

select ops.govern('ops.account');

insert into ops.actor (id, kind, name) values
    ('00000000-0000-7000-8000-000000000001', 'system', 'system'),
    ('00000000-0000-7000-8000-000000000002', 'system', 'operator'),
    ('00000000-0000-7000-8000-000000000003', 'system', 'contributor'),
    ('00000000-0000-7000-8000-000000000004', 'system', 'schedule'),
    ('00000000-0000-7000-8000-000000000005', 'system', 'import');

grant select, insert on ops.actor to @daemon@;
grant update (name) on ops.actor to @daemon@;
grant select, insert, update on ops.account to @daemon@;
grant select, insert, update, delete on ops.session, ops.sign_in_link, ops.sign_in_failure to @daemon@;
grant select, insert on ops.audit_event to @daemon@;
grant select on ops.audit_block to @daemon@;
revoke execute on function ops.audit_seal(), ops.audit_verify(), ops.require_audit(), ops.govern(regclass) from public;
grant execute on function ops.audit_seal(), ops.audit_verify() to @daemon@;

reset role;
