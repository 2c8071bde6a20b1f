-- What the actors of a transaction's audit events may change, and trigger functions that compare authors with them.

-- Contributors and visitors: anybody may be one.
create or replace function ops.is_visitor(p_actor uuid) returns boolean language sql immutable parallel safe as $$
    select p_actor in ('00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000006')
$$;

-- The program itself: the system, the operator, the schedule and imports.
create or replace function ops.is_program(p_actor uuid) returns boolean language sql immutable parallel safe as $$
    select p_actor in ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002',
        '00000000-0000-7000-8000-000000000004', '00000000-0000-7000-8000-000000000005')
$$;

-- What the actor of an audit event may do: accounts what their role permits, and clients that review what curators may. All clients
-- submit, those with the scope report also report; contributors, visitors and submission forms do what the pages for them offer. The program may do everything.
-- This function and the next ones run several times in a transaction: PL/pgSQL keeps their plans.
create or replace function ops.permissions_of(p_actor uuid, p_role text) returns text[] language plpgsql stable security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if ops.is_visitor(p_actor) then return '{visit}'; end if;
    if p_role is not null then return (select r.permissions from ops.role r where r.name = p_role); end if;
    return coalesce((select array['submit'] || case when 'report' = any (c.scopes) then array['report'] end
            || case when 'review' = any (c.scopes) then
            (select r.permissions from ops.role r where r.name = 'curator') end
        from delivery.client c where c.id = p_actor),
        (select '{contribute}'::text[] from curation.submission_form f where f.id = p_actor));
end $$;

-- Who acts: each actor of this transaction's audit events once, with its role. A bulk action has thousands of events of one actor, and
-- each of its statements asks, so the next actor is looked up in the index audit_event_acting. In SQL, so that it becomes a part of
-- the functions that call it. They don't sort, because PostgreSQL takes a transaction for small: it would read all of its events, and
-- sort them. So only this index can return the first of an order.
create or replace function ops.acting() returns table (actor_id uuid, actor_role text) language sql stable as $$
    with recursive acting as (
        select ops.audit_transaction(pg_current_xact_id()) as transaction, '00000000-0000-0000-0000-000000000000'::uuid as actor_id,
            '' as actor_role
        union all
        select a.transaction, n.actor_id, n.actor_role
        from acting a
        cross join lateral (
            select e.actor_id, coalesce(e.actor_role, '') as actor_role from ops.audit_event e
            where e.transaction = a.transaction and (e.actor_id, coalesce(e.actor_role, '')) > (a.actor_id, a.actor_role)
            order by e.actor_id, coalesce(e.actor_role, '') limit 1) n)
    select a.actor_id, nullif(a.actor_role, '') from acting a offset 1
$$;

-- Whether this transaction has an audit event of an actor with one of these permissions, separated by commas, or of the program.
create or replace function ops.may_change(p_permissions text) returns boolean language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set enable_sort = off as $$
begin
    -- Mostly one person acts: the newest event is enough.
    if exists (
        select from (
            select e.actor_id, e.actor_role from ops.audit_event e
            where e.transaction = ops.audit_transaction(pg_current_xact_id()) order by e.id desc limit 1) e
        where ops.is_program(e.actor_id)
            or ops.permissions_of(e.actor_id, e.actor_role) && string_to_array(p_permissions, ',')) then
        return true;
    end if;
    return exists (
        select from ops.acting() a
        where ops.is_program(a.actor_id)
            or ops.permissions_of(a.actor_id, a.actor_role) && string_to_array(p_permissions, ','));
end $$;

-- The actors of this transaction's audit events with one of these permissions, and the program. Mostly one person acts, in one role:
-- that takes the first event of the index and no event after it.
create or replace function ops.permitted(p_permissions text) returns uuid[] language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set enable_sort = off as $$
declare
    current_transaction constant xid8 := ops.audit_transaction(pg_current_xact_id());
    actor uuid;
    role text;
begin
    select e.actor_id, e.actor_role into actor, role from ops.audit_event e
    where e.transaction = current_transaction order by e.actor_id, coalesce(e.actor_role, '') limit 1;
    -- Not in an `exists`, from which PostgreSQL removes the order: after a large import in one transaction, it expects to find an event
    -- soon and reads all of them.
    perform 1 from ops.audit_event e
    where e.transaction = current_transaction and (e.actor_id, coalesce(e.actor_role, '')) > (actor, coalesce(role, ''))
    order by e.actor_id, coalesce(e.actor_role, '') limit 1;
    if not found then
        if ops.is_program(actor) or ops.permissions_of(actor, role) && string_to_array(p_permissions, ',') then
            return array[actor];
        end if;
        return '{}';
    end if;
    return array(
        select distinct a.actor_id from ops.acting() a
        where ops.is_program(a.actor_id)
            or ops.permissions_of(a.actor_id, a.actor_role) && string_to_array(p_permissions, ','));
end $$;

-- Whether this transaction has audit events of several actors: the first one of the index is not the last one.
create or replace function ops.has_several_actors() returns boolean language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set enable_sort = off as $$
declare
    current_transaction constant xid8 := ops.audit_transaction(pg_current_xact_id());
begin
    return coalesce((
        select e.actor_id from ops.audit_event e where e.transaction = current_transaction
        order by e.actor_id, coalesce(e.actor_role, '') limit 1) <> (
        select e.actor_id from ops.audit_event e where e.transaction = current_transaction
        order by e.actor_id desc, coalesce(e.actor_role, '') desc limit 1), false);
end $$;

-- The permissions with which a table may be changed, as ops.govern declared them.
create or replace function ops.permissions_for(p_table oid) returns text language sql stable as $$
    select split_part(encode(t.tgargs, 'escape'), '\000', 1) from pg_trigger t
    where t.tgrelid = p_table and t.tgname = 'audited'
$$;

-- The same for administrators; those with an access scope administer nothing, or they could widen it.
create or replace function ops.may_administer() returns boolean language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set enable_sort = off as $$
begin
    return exists (
        select from ops.acting() e left join ops.account a on a.id = e.actor_id
        where ops.is_program(e.actor_id)
            or ops.role_has(e.actor_role, 'administer') and a.types is null and a.groups is null);
end $$;

-- Whether this transaction has an audit event of an actor (null: of nobody else), or of the program, which may write rows of
-- any author (ops.is_program): imports do. It looks up these actors only: in a transaction that stores what clients sent, many act.
create or replace function ops.has_event(p_actor uuid) returns boolean language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set enable_sort = off as $$
declare
    current_transaction constant xid8 := ops.audit_transaction(pg_current_xact_id());
begin
    return exists (
        select from unnest(array[p_actor, '00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002',
            '00000000-0000-7000-8000-000000000004', '00000000-0000-7000-8000-000000000005']) a (id)
        cross join lateral (
            select from ops.audit_event e
            where e.transaction = current_transaction and e.actor_id = a.id order by coalesce(e.actor_role, '') limit 1) e);
end $$;

-- The role of an actor, as its audit event in this transaction has it: a row could claim any. Imports copy rows of others.
create or replace function ops.acting_role(p_actor uuid, p_claimed text) returns text language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set enable_sort = off as $$
begin
    return (
        select case when ops.is_program(e.actor_id) then p_claimed else e.actor_role end
        from ops.acting() e where e.actor_id = p_actor or ops.is_program(e.actor_id)
        order by ops.is_program(e.actor_id) desc limit 1);
end $$;

-- Refuses a row whose author, in the column that the trigger names, has no audit event in this transaction. Several people
-- may act in one transaction.
create or replace function ops.check_author() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    author uuid;
begin
    -- by name where rows are many
    case tg_argv[0]
        when 'decided_by' then author := new.decided_by;
        when 'actor_id' then author := new.actor_id;
        else author := (to_jsonb(new) ->> tg_argv[0])::uuid;
    end case;
    -- Contributors resubmit, appeal and add images.
    if tg_table_name not in ('decision', 'media', 'media_version') then author := case when not ops.is_visitor(author) then author end; end if;
    if not ops.has_event(author) then
        perform curation.refuse('audit_event_author', format('%s: its author has no audit event', tg_table_name));
    end if;
    return new;
end $$;

-- The same for submissions, whose events are recorded by the statement that inserts them.
create or replace function ops.check_senders() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if exists (select from (select distinct client_id from added) sender where not ops.has_event(sender.client_id)) then
        perform curation.refuse('audit_event_author', 'submission: its client has no audit event');
    end if;
    return null;
end $$;

-- The same for content. What a contributor sent has the contributor as its author, if a person with an event in this
-- transaction has approved it.
create or replace function ops.check_content_author() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    current_transaction constant xid8 := ops.audit_transaction(pg_current_xact_id());
    author uuid;
    submission uuid;
begin
    if tg_table_name = 'entry' then author := new.created_by; else author := new.author_id; end if;
    -- First the case of approvals: many have as many events, of which none is the program's.
    if author = '00000000-0000-7000-8000-000000000003' then
        if tg_table_name = 'entry' then
            submission := new.submission_id;
        else
            select e.submission_id into submission from curation.entry e where e.id = new.entry_id;
        end if;
        -- Who made a decision of this transaction has an event in it: the decision was refused without one.
        if exists (
            select from curation.decision d
            where d.submission_id = submission and d.verdict = 'approve'
                and (d.audit_transaction = current_transaction or ops.has_event(d.decided_by))) then
            return new;
        end if;
    end if;
    if not ops.has_event(case when not ops.is_visitor(author) then author end) then
        perform curation.refuse('audit_event_author', format('%s: its author has no audit event', tg_table_name));
    end if;
    return new;
end $$;

-- Refuses inserted rows whose author, in the column that the trigger names, has an audit event in this transaction, but not one
-- that allows the change: that of somebody else does not count. A contributor's content is checked by its decision.
create or replace function ops.require_authors() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    permitted uuid[];
begin
    -- Who acts alone has been checked before the statement.
    if not ops.has_several_actors() then return null; end if;
    permitted := ops.permitted(ops.permissions_for(tg_relid));
    if exists (select from unnest(permitted) p (id) where ops.is_program(p.id)) then return null; end if;
    if exists (
        select from changed c
        where (to_jsonb(c) ->> tg_argv[0])::uuid <> all (permitted || '00000000-0000-7000-8000-000000000003'::uuid)) then
        perform curation.refuse('audit_event_author', format('%s: its author has no audit event that allows it', tg_table_name));
    end if;
    return null;
end $$;

-- Contributors resubmit and appeal; they decide nothing.
create or replace function ops.check_decider() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if ops.is_visitor(new.decided_by) and new.verdict not in ('resubmit', 'appeal') then
        perform curation.refuse('decision_by_contributor', 'contributors can only resubmit and appeal');
    end if;
    return new;
end $$;

-- Refuses a change unless an administrator or the program made it.
create or replace function ops.require_administrator_event() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if not ops.may_administer() then
        perform curation.refuse('audit_event_administrator',
            format('only administrators without an access scope change %s', tg_table_name));
    end if;
    return null;
end $$;
