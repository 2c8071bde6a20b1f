-- Integrity: that somebody is who they say (second factor), and that what was done can be shown later.
set local role @owner@;

-- What an authenticator app and we share, sealed with a key that is not in the database. Asked for at the sign-in as soon as
-- one code has confirmed it.
create table ops.second_factor (
    account_id uuid primary key constraint second_factor_account references ops.account (id),
    sealed_secret bytea not null constraint second_factor_sealed_secret check (length(sealed_secret) between 41 and 200),
    -- the newest step of 30 seconds whose code was taken
    last_step bigint not null default 0 constraint second_factor_last_step check (last_step >= 0),
    begun_at timestamptz not null default clock_timestamp(),
    confirmed_at timestamptz,
    constraint second_factor_confirmed_by_code check (confirmed_at is null or last_step > 0)
);

-- No code twice, and none from before the newest; once it is confirmed nothing else about it changes.
create function ops.use_step_once() returns trigger language plpgsql as $$
begin
    if new.last_step <= old.last_step or new.sealed_secret <> old.sealed_secret then
        perform curation.refuse('second_factor_step_once', 'this code was used before');
    end if;
    return new;
end $$;
create trigger use_step_once before update on ops.second_factor for each row
    when (old.confirmed_at is not null) execute function ops.use_step_once();

-- For who has lost the app: each lets in once.
create table ops.recovery_code (
    account_id uuid not null constraint recovery_code_account references ops.second_factor (account_id) on delete cascade,
    code_hash bytea not null constraint recovery_code_hash check (length(code_hash) = 32),
    used_at timestamptz,
    primary key (account_id, code_hash)
);

select ops.govern('ops.second_factor');
select ops.govern('ops.recovery_code');

-- Between the password and the code stands a link that is good for nothing but the code.
alter table ops.sign_in_link drop constraint sign_in_link_purpose, add constraint sign_in_link_purpose
    check (purpose in ('sign_in', 'invitation', 'password_reset', 'second_factor'));

-- While a client changes over to a new secret, the one before goes on for a chosen time.
alter table delivery.client
    add column old_secret_hash bytea constraint client_old_secret_hash check (length(old_secret_hash) = 32),
    add column old_until timestamptz,
    add column per_minute integer constraint client_per_minute check (per_minute between 1 and 1000000),
    add constraint client_old_secret_ends check ((old_secret_hash is null) = (old_until is null));

-- When a client last came in, and when with the secret before: noted every few minutes, and of no more weight than a log.
create table ops.client_use (
    client_id uuid primary key constraint client_use_client references delivery.client (id),
    used_at timestamptz not null,
    old_used_at timestamptz
);

-- What of the content somebody works on: some types, some category groups; null is all of them.
alter table ops.account
    add column types text[] constraint account_types check (cardinality(types) > 0),
    add column groups uuid[] constraint account_groups check (cardinality(groups) > 0);
create index account_restricted on ops.account (id) where types is not null or groups is not null;

-- The category groups that a version belongs to: those of the categories that it names, a category's own, or a group itself.
-- "Unsorted" is where things are put that have still to be put into a category, so that it belongs to none.
create function curation.groups_of(revision uuid) returns uuid[] language sql stable as $$
    select coalesce(array_agg(distinct g.id) filter (where g.id is not null), '{}')
    from (
        select case e.kind when 'category_group' then e.id else (
            select f.target_entry_id from curation.revision c join curation.reference f on f.revision_id = c.id
            where c.entry_id = e.id and f.field = 'group' order by c.number desc limit 1) end as id
        from curation.reference r join curation.entry e on e.id = r.target_entry_id
        where r.revision_id = revision and e.kind in ('category', 'category_group')
          and e.id <> '00000000-0000-7000-8000-000000000013'
        union all
        select e.id from curation.revision v join curation.entry e on e.id = v.entry_id
        where v.id = revision and e.kind = 'category_group') g
$$;

-- Who actions in this transaction, by its first audit event, where that is somebody who works on a part only.
-- Where nobody does, that is all that is asked: it is asked for every version that an import writes.
create function ops.restricted_actor() returns ops.account language plpgsql stable as $$
declare
    somebody ops.account;
begin
    if exists (select from ops.account a where a.types is not null or a.groups is not null) then
        select a.* into somebody from ops.account a
        where (a.types is not null or a.groups is not null) and a.id = (
            select e.actor_id from ops.audit_event e where e.transaction = ops.audit_transaction(pg_current_xact_id())
            order by e.id limit 1);
    end if;
    return somebody;
end $$;

-- Something in no category group is not narrowed by groups: texts and settings, and what has still to be put into one.
create function ops.in_access_scope(somebody ops.account, type text, groups uuid[]) returns boolean language sql immutable as $$
    select (somebody.types is null or type = any(somebody.types))
       and (somebody.groups is null or groups = '{}' or groups && somebody.groups)
$$;

create function ops.require_access_scope(somebody ops.account, type text) returns void language plpgsql as $$
begin
    perform curation.refuse('account_scope', format('this %s is outside of what this account works on', type));
end $$;

-- Decisions, versions (the one before and the new one, at the commit, when their categories are known), consents, and what a
-- publication shows or withdraws.
create function ops.decide_within_scope() returns trigger language plpgsql as $$
declare
    somebody ops.account := ops.restricted_actor();
    kind text;
begin
    if somebody.id is null then return new; end if;
    select s.type into kind from curation.submission s where s.id = new.submission_id;
    if not ops.in_access_scope(somebody, kind, '{}') then perform ops.require_access_scope(somebody, kind); end if;
    return new;
end $$;
create trigger within_scope before insert on curation.decision for each row execute function ops.decide_within_scope();

create function ops.write_within_scope() returns trigger language plpgsql as $$
declare
    somebody ops.account := ops.restricted_actor();
    version record;
begin
    if somebody.id is null then return null; end if;
    for version in
        select e.type, curation.groups_of(r.id) as groups
        from curation.revision given
        join curation.revision r on r.entry_id = given.entry_id and r.number in (given.number, given.number - 1)
        join curation.entry e on e.id = r.entry_id
        where given.id = (to_jsonb(new) ->> case tg_table_name when 'revision' then 'id' else 'revision_id' end)::uuid
    loop
        if not ops.in_access_scope(somebody, version.type, version.groups) then
            perform ops.require_access_scope(somebody, version.type);
        end if;
    end loop;
    return null;
end $$;
create constraint trigger within_scope after insert on curation.revision deferrable initially deferred
    for each row execute function ops.write_within_scope();
create constraint trigger within_scope after insert on curation.approval deferrable initially deferred
    for each row execute function ops.write_within_scope();

create function ops.publish_within_scope() returns trigger language plpgsql as $$
declare
    somebody ops.account := ops.restricted_actor();
    beyond text;
begin
    if somebody.id is null then return null; end if;
    select c.type into beyond from changed c
    where not ops.in_access_scope(somebody, c.type, curation.groups_of(coalesce(c.new_revision, c.old_revision))) limit 1;
    if beyond is not null then perform ops.require_access_scope(somebody, beyond); end if;
    return null;
end $$;
create trigger within_scope after insert on curation.publication_change referencing new table as changed
    for each statement execute function ops.publish_within_scope();

-- A release holds what its makers may work on; who schedules one answers for all of it.
create function ops.release_within_scope() returns trigger language plpgsql as $$
declare
    somebody ops.account := ops.restricted_actor();
    beyond text;
begin
    if somebody.id is null then return null; end if;
    select e.type into beyond from curation.release_item i join curation.entry e on e.id = i.entry_id
    where i.release_id = (to_jsonb(new) ->> case tg_table_name when 'release' then 'id' else 'release_id' end)::uuid
      and (tg_table_name = 'release' or i.entry_id = (to_jsonb(new) ->> 'entry_id')::uuid)
      and not ops.in_access_scope(somebody, e.type, curation.groups_of(coalesce(i.revision_id, i.base_revision))) limit 1;
    if beyond is not null then perform ops.require_access_scope(somebody, beyond); end if;
    return null;
end $$;
create trigger within_scope after insert or update on curation.release_item
    for each row execute function ops.release_within_scope();
create trigger within_scope after update of state on curation.release for each row when (new.state = 'scheduled')
    execute function ops.release_within_scope();

-- The names of people and applications are governed as their accounts are; so is a yes to a preview.
select ops.govern('ops.actor');
select ops.govern('curation.preview_approval');

-- What people did is looked for by who they are; applications and the program itself write most events, and none of these.
create index audit_event_by_person on ops.audit_event (actor_id, id) where actor_role is not null;
create index audit_event_happened on ops.audit_event using brin (happened_at);

-- Old events may leave for a file. The last block that left stays as an anchor: the chain goes on from its hash, and the file
-- is proven against it.
alter table ops.audit_block add column archived_at timestamptz;

-- The position of the last block of which every event is older; nothing where there is none.
create function ops.audit_archivable(before timestamptz) returns bigint language plpgsql stable as $$
declare
    block ops.audit_block;
    found bigint;
begin
    for block in select b.* from ops.audit_block b where b.archived_at is null order by b.position loop
        exit when exists (
            select from ops.audit_event e where e.id = any(block.event_ids) and e.happened_at >= before);
        found := block.position;
    end loop;
    return found;
end $$;

-- Removes the events up to the end of a block, and leaves its hash: for the owner alone, never for the daemon.
create function ops.audit_forget(until_position bigint) returns bigint language plpgsql as $$
declare
    removed bigint;
begin
    perform pg_advisory_xact_lock(hashtextextended('ops.audit_seal', 0));
    delete from ops.audit_event e using ops.audit_block b
    where b.archived_at is null and b.position <= until_position and e.id = any(b.event_ids);
    get diagnostics removed = row_count;
    delete from ops.audit_block where archived_at is null and position < until_position;
    update ops.audit_block set archived_at = clock_timestamp() where position = until_position and archived_at is null;
    return removed;
end $$;

-- What is wrong with a block and its events as a file has them; nothing where they are as they were sealed.
create function ops.audit_check_block(after_hash bytea, block jsonb, events jsonb) returns text language plpgsql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
declare
    given ops.audit_block := jsonb_populate_record(null::ops.audit_block, block);
    item record;
begin
    if given.hash is distinct from ops.audit_block_hash(after_hash, given) then return 'chain'; end if;
    if jsonb_array_length(events) <> cardinality(given.event_ids) then return 'removed'; end if;
    for item in
        select jsonb_populate_record(null::ops.audit_event, v.value) as event, v.place::integer as place
        from jsonb_array_elements(events) with ordinality v (value, place) order by v.place
    loop
        if (item.event).id is distinct from given.event_ids[item.place]
            or ops.audit_event_hash(item.event) <> substr(given.event_hashes, 32 * item.place - 31, 32) then
            return 'changed';
        end if;
    end loop;
    return null;
end $$;

-- As before (m0002_people.sql), and from the newest anchor on. Before it nothing may stand.
drop function ops.audit_verify();
create function ops.audit_verify()
returns table (archived bigint, sealed bigint, unsealed bigint, broken_at bigint, event_id bigint, how text)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set timezone = 'UTC' set datestyle = 'ISO' as $$
declare
    block ops.audit_block;
    last ops.audit_block;
    first bigint;
    found record;
begin
    sealed := 0;
    select b.* into last from ops.audit_block b where b.archived_at is not null order by b.position desc limit 1;
    archived := coalesce(last.position, 0);
    select e.id into event_id from ops.audit_event e
    where (e.transaction, e.id) <= (last.last_transaction, last.event_ids[cardinality(last.event_ids)])
    order by e.transaction, e.id limit 1;
    if event_id is not null then
        broken_at := last.position;
        how := 'added';
    end if;
    for block in select b.* from ops.audit_block b where b.position > archived order by b.position loop
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

revoke execute on function ops.audit_verify(), ops.audit_archivable(timestamptz), ops.audit_forget(bigint) from public;
grant execute on function ops.audit_verify() to @daemon@;
revoke execute on function ops.use_step_once(), ops.decide_within_scope(), ops.write_within_scope(),
    ops.publish_within_scope(), ops.release_within_scope() from public;
grant select, insert, update, delete on ops.second_factor, ops.recovery_code to @daemon@;
grant select, insert, update on ops.client_use to @daemon@;

reset role;
