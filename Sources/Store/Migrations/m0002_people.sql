-- Who acts (accounts, API clients, the system), their sessions, and the audit trail of what they did.
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

create table ops.audit_event (
    id bigint generated always as identity primary key,
    happened_at timestamptz not null default clock_timestamp(),
    actor_id uuid not null constraint audit_event_actor references ops.actor (id),
    actor_role text,
    act text not null constraint audit_event_act check (act ~ '^[a-z_]+\.[a-z_]+$'),
    object_type text not null,
    object_id text,
    detail jsonb not null default '{}',
    request_id text,
    address text,
    transaction xid8 not null default pg_current_xact_id()
);
create index audit_event_transaction on ops.audit_event (transaction, id);
create index audit_event_object on ops.audit_event (object_type, object_id, id);

-- The chain over the audit events, made by the sealer: no writer waits on its tail. An event that is missing shows in the
-- verification; a foreign key would cost more than the link itself.
create table ops.audit_link (
    position bigint primary key constraint audit_link_position check (position > 0),
    event_id bigint not null,
    hash bytea not null constraint audit_link_hash check (length(hash) = 32),
    sealed_at timestamptz not null default clock_timestamp(),
    constraint audit_link_event_once unique (event_id)
);

create function ops.audit_hash(previous bytea, event ops.audit_event) returns bytea language sql stable as $$
    select sha256(previous || convert_to(jsonb_build_array(
        event.id, extract(epoch from event.happened_at), event.actor_id, event.actor_role, event.act, event.object_type,
        event.object_id, event.detail, event.request_id, event.address, event.transaction::text)::text, 'UTF8'))
$$;

-- Chains every event that is older than all running transactions, in the order of (transaction, id), a thousand in each
-- statement. No event can come later before one that is chained, so that the last one tells where to go on; to ask of each
-- event whether it is in the chain would walk through all that this call has added. Returns how many.
create function ops.audit_seal() returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    tail_position bigint;
    tail_hash bytea;
    tail_event ops.audit_event;
    events ops.audit_event[];
    ids bigint[];
    hashes bytea[];
    sealed bigint := 0;
begin
    perform pg_advisory_xact_lock(hashtextextended('ops.audit_seal', 0));
    select l.position, l.hash into tail_position, tail_hash from ops.audit_link l order by l.position desc limit 1;
    select e.* into tail_event
    from ops.audit_link l join ops.audit_event e on e.id = l.event_id order by l.position desc limit 1;
    tail_position := coalesce(tail_position, 0);
    tail_hash := coalesce(tail_hash, '\x'::bytea);
    loop
        select array_agg(next.event order by next.transaction, next.id), array_agg(next.id order by next.transaction, next.id)
        into events, ids
        from (
            select e as event, e.transaction, e.id from ops.audit_event e
            where e.transaction < pg_snapshot_xmin(pg_current_snapshot())
              and (e.transaction, e.id) > (coalesce(tail_event.transaction, '0'::xid8), coalesce(tail_event.id, 0))
            order by e.transaction, e.id limit 1000) next;
        exit when events is null;
        hashes := '{}';
        foreach tail_event in array events loop
            tail_hash := ops.audit_hash(tail_hash, tail_event);
            hashes := hashes || tail_hash;
        end loop;
        insert into ops.audit_link (position, event_id, hash)
        select tail_position + new.number, new.id, new.hash from unnest(ids, hashes) with ordinality new (id, hash, number);
        tail_position := tail_position + cardinality(ids);
        sealed := sealed + cardinality(ids);
    end loop;
    return sealed;
end $$;

-- Walks the chain: every position whose event or hash is not what was sealed, and how long the unsealed tail is.
create function ops.audit_verify() returns table (sealed bigint, unsealed bigint, broken_at bigint) language plpgsql stable
security definer set search_path = pg_catalog, pg_temp as $$
declare
    link record;
    expected bytea := '\x'::bytea;
    next_position bigint := 1;
begin
    sealed := 0;
    for link in
        select l.position, l.hash, e as event, e.id as event_id from ops.audit_link l
        left join ops.audit_event e on e.id = l.event_id order by l.position
    loop
        expected := ops.audit_hash(expected, link.event);
        if broken_at is null and (link.position <> next_position or link.event_id is null or expected <> link.hash) then
            broken_at := link.position;
        end if;
        expected := link.hash;
        next_position := next_position + 1;
        sealed := sealed + 1;
    end loop;
    select count(*) into unsealed from ops.audit_event e
    where not exists (select from ops.audit_link l where l.event_id = e.id);
    return next;
end $$;

-- A statement on a governed table stands only when its transaction has written an audit event.
create function ops.require_audit() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select from ops.audit_event where transaction = pg_current_xact_id()) then
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
        select from ops.audit_event where transaction = pg_current_xact_id()) then
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
grant select on ops.audit_link to @daemon@;
revoke execute on function ops.audit_seal(), ops.audit_verify(), ops.require_audit(), ops.govern(regclass) from public;
grant execute on function ops.audit_seal(), ops.audit_verify() to @daemon@;

reset role;
