-- The hash chain of the audit trail: seal, verify, archive.

-- Callers set the time zone and the date style, because the text of timestamps depends on them.
create or replace function ops.audit_event_hash(event ops.audit_event) returns bytea language sql stable as $$
    select sha256(convert_to(row(event.id, event.happened_at, event.actor_id, event.actor_role, event.action, event.object_type,
        event.object_id, event.detail, event.request_id, event.remote_address, event.transaction)::text, 'UTF8'))
$$;

create or replace function ops.audit_block_hash(previous bytea, block ops.audit_block) returns bytea language sql stable as $$
    select sha256(coalesce(previous, '') || convert_to(row(block.position, block.event_ids, block.last_transaction)::text, 'UTF8')
        || block.event_hashes)
$$;

-- Seals all events that are older than every running transaction. Returns their number. No event can be inserted before
-- a sealed one later, so each run continues after the last block; checking each event against the chain would read
-- everything that this run added.
create or replace function ops.audit_seal() returns bigint language plpgsql security definer
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

-- Verifies a page of the chain: the blocks up to the position `p_until`, or the newest, of about `p_events` events, but none that is
-- archived. Returns how many events are archived (before them no event may remain), between which positions the page is and of
-- which transactions, how many sealed and unsealed events it has, and its first broken position with the event and the problem:
-- changed, removed or added for an event, chain for the block itself. The page before it ends at `after`.
create or replace function ops.audit_verify(p_until bigint, p_events bigint)
returns table (archived bigint, after bigint, until bigint, after_transaction xid8, until_transaction xid8, sealed bigint,
    unsealed bigint, broken_at bigint, event_id bigint, problem text)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set timezone = 'UTC' set datestyle = 'ISO' as $$
declare
    block ops.audit_block;
    last ops.audit_block;
    first bigint;
    found record;
begin
    sealed := 0;
    unsealed := 0;
    select b.* into last from ops.audit_block b where b.archived_at is not null order by b.position desc limit 1;
    archived := coalesce(last.position, 0);
    select b.position into until from ops.audit_block b
    where b.position <= coalesce(p_until, 9223372036854775807) order by b.position desc limit 1;
    select e.id into event_id from ops.audit_event e
    where (e.transaction, e.id) <= (last.last_transaction, last.event_ids[cardinality(last.event_ids)])
    order by e.transaction, e.id limit 1;
    if event_id is not null then
        broken_at := last.position;
        problem := 'added';
    end if;
    select b.* into last from ops.audit_block b where b.position <= greatest(until - p_events, archived)
    order by b.position desc limit 1;
    after := coalesce(last.position, 0);
    after_transaction := coalesce(last.last_transaction, '0');
    for block in select b.* from ops.audit_block b where b.position > after and b.position <= until order by b.position loop
        first := block.position - cardinality(block.event_ids) + 1;
        sealed := sealed + cardinality(block.event_ids);
        if broken_at is null and (first <> coalesce(last.position, 0) + 1
            or block.hash <> ops.audit_block_hash(last.hash, block)) then
            broken_at := first;
            problem := 'chain';
        elsif broken_at is null then
            select first - 1 + coalesce(u.position, e.position) as position, coalesce(u.id, e.id) as id,
                   case when e.id is null then 'removed' when u.id is null then 'added' else 'changed' end as problem
            into found
            from unnest(block.event_ids) with ordinality u (id, position)
            full join (
                select e.id, ops.audit_event_hash(e) as hash, row_number() over (order by e.transaction, e.id) as position
                from ops.audit_event e
                where (e.transaction, e.id) > (
                    coalesce(last.last_transaction, '0'), coalesce(last.event_ids[cardinality(last.event_ids)], 0))
                  and (e.transaction, e.id) <= (block.last_transaction, block.event_ids[cardinality(block.event_ids)])
            ) e on e.id = u.id
            where u.id is null or e.id is null or e.hash <> substr(block.event_hashes, 32 * u.position::integer - 31, 32)
            order by 1, u.position nulls last limit 1;
            broken_at := found.position;
            event_id := found.id;
            problem := found.problem;
        end if;
        last := block;
    end loop;
    until := coalesce(last.position, 0);
    until_transaction := coalesce(last.last_transaction, '0');
    if p_until is null then
        until_transaction := '18446744073709551615';
        select count(*) into unsealed from ops.audit_event e
        where (e.transaction, e.id) > (
            coalesce(last.last_transaction, '0'), coalesce(last.event_ids[cardinality(last.event_ids)], 0));
    end if;
    return next;
end $$;

-- Gives each governed table the trigger that records its changes (ops.record_changed_table), for the operations that need an audit
-- event. Inserted rows with a column audit_transaction record their transaction themselves. The trigger also runs where others
-- don't, as for a superuser with session_replication_role = replica. Transactions that changed the table without it have ended once the
-- table is locked. Others wait until these locks end: migrations call this in a transaction of its own.
create or replace function ops.record_changed_tables() returns void language plpgsql as $$
declare
    governed record;
begin
    for governed in
        select n.nspname || '.' || t.relname as name, concat_ws(' or ',
            case when a.tgtype & 4 <> 0 and not exists (select from pg_attribute c
                where c.attrelid = a.tgrelid and c.attname = 'audit_transaction') then 'insert' end,
            case when a.tgtype & 16 <> 0 then 'update' end, case when a.tgtype & 8 <> 0 then 'delete' end, 'truncate') as operations
        from pg_trigger a join pg_class t on t.oid = a.tgrelid join pg_namespace n on n.oid = t.relnamespace
        -- of each statement, before it: those after it are of tables whose rows name their transaction or their sender
        where a.tgname = 'audited' and a.tgtype & 3 = 2
            and not exists (select from pg_trigger r where r.tgrelid = a.tgrelid and r.tgname = 'recorded')
        order by 1
    loop
        execute format('lock table %s in share row exclusive mode', governed.name);
        insert into ops.recorded_table (name, since)
        values (governed.name, ops.audit_transaction(pg_snapshot_xmax(pg_current_snapshot())))
        on conflict (name) do update set since = excluded.since;
        execute format('create trigger recorded after %s on %s for each statement execute function ops.record_changed_table()',
            governed.operations, governed.name);
        execute format('alter table %s enable always trigger recorded', governed.name);
    end loop;
end $$;

-- What events of these actions change: one of the tables, always. Not listed are actions that may find nothing to do, such as
-- publishing what is published, actions that change no governed table, and actions on submissions, which are compared one by one.
create or replace function ops.changing_actions() returns table (action text, tables text[]) language sql immutable as $$
    values ('access_scope.update', '{ops.account}'::text[]),
        ('account.activate', '{ops.account}'), ('account.create', '{ops.account}'), ('account.disable', '{ops.account}'),
        ('account.enable', '{ops.account}'), ('account.invite', '{ops.account}'), ('account.update', '{ops.account,ops.actor}'),
        ('invitation.create', '{ops.account}'), ('password.update', '{ops.account}'),
        ('second_factor.create', '{ops.second_factor}'), ('second_factor.delete', '{ops.second_factor}'),
        ('role.create', '{ops.role}'), ('role.update', '{ops.role,ops.account}'), ('role.delete', '{ops.role}'),
        ('client.create', '{delivery.client}'), ('client.update', '{delivery.client}'), ('client.rotate', '{delivery.client}'),
        ('client.revoke', '{delivery.client}'), ('client_secret.revoke', '{delivery.client}'),
        ('webhook.create', '{ops.webhook}'), ('webhook.pause', '{ops.webhook}'), ('webhook.resume', '{ops.webhook}'),
        ('webhook.rotate', '{ops.webhook}'), ('webhook.delete', '{ops.webhook}'),
        ('submission_form.create', '{curation.submission_form}'), ('submission_form.update', '{curation.submission_form}'),
        ('submission_form.delete', '{curation.submission_form}'),
        ('stage.update', '{curation.review_stage}'),
        ('screening.create', '{curation.screening_rules}'), ('screening.activate', '{curation.screening_activation}'),
        ('contributor.trust', '{curation.contributor}'), ('contributor.untrust', '{curation.contributor}'),
        ('contributor.block', '{curation.contributor}'), ('contributor.unblock', '{curation.contributor}'),
        ('note.create', '{curation.note}'),
        ('entry.create', '{curation.entry}'),
        ('entry.update', '{curation.revision,curation.publish_approval}'),
        ('entry.approve', '{curation.approval,curation.publish_approval}'),
        ('category.create', '{curation.revision}'), ('category.update', '{curation.revision}'),
        ('category.move', '{curation.revision}'), ('category.reorder', '{curation.revision}'),
        ('category.merge', '{curation.revision}'), ('category.unmerge', '{curation.revision}'),
        ('release.create', '{curation.release}'), ('release.schedule', '{curation.release}'),
        ('release.unschedule', '{curation.release}'), ('release.cancel', '{curation.release}'),
        ('release.fail', '{curation.release}'), ('release.remove', '{curation.release_item}'),
        ('preview.create', '{curation.preview}'), ('preview.revoke', '{curation.preview}'),
        ('preview.approve', '{curation.preview_approval}'),
        ('media.update', '{ops.media}'), ('media.delete', '{ops.media}')
$$;

-- Changes and events of the transactions after `p_after` up to `p_until` that have no partner in their transaction, at most `p_limit`.
-- The problem is `no_event` for a row whose author has no event, and neither has the program, which may write rows of any author;
-- people write content of contributors. It is also `no_event` for a table that was changed without any event, and `no_change` for
-- an event about a submission that nothing was written for, or of an action that always changes a table and has changed none. Rows
-- from before the column audit_transaction count as partners. An undone bulk action also has events of values that it restored.
create or replace function ops.audit_unpaired(p_after xid8, p_until xid8, p_limit integer)
returns table (problem text, object_type text, object_id text, event_id bigint) language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    with event as materialized (
        select e.id, e.transaction, e.actor_id, e.action, e.object_type, e.object_id, e.detail, case
            when e.object_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then e.object_id::uuid end as uuid
        from ops.audit_event e where e.transaction > p_after and e.transaction <= p_until),
    change (object_type, object_id, author, transaction) as materialized (
        select 'submission', s.id, s.client_id, s.audit_transaction from curation.submission s
            where s.audit_transaction > p_after and s.audit_transaction <= p_until
        union all select 'decision', d.id, d.decided_by, d.audit_transaction from curation.decision d
            where d.audit_transaction > p_after and d.audit_transaction <= p_until
        union all select 'submission_approval', a.id, a.approved_by, a.audit_transaction from curation.submission_approval a
            where a.audit_transaction > p_after and a.audit_transaction <= p_until
        union all select 'entry', e.id, e.created_by, e.audit_transaction from curation.entry e
            where e.audit_transaction > p_after and e.audit_transaction <= p_until
        union all select 'revision', r.id, r.author_id, r.audit_transaction from curation.revision r
            where r.audit_transaction > p_after and r.audit_transaction <= p_until
        union all select 'approval', a.revision_id, a.actor_id, a.audit_transaction from curation.approval a
            where a.audit_transaction > p_after and a.audit_transaction <= p_until
        union all select 'note', coalesce(n.submission_id, n.entry_id, n.contributor_id), n.author_id, n.audit_transaction
            from curation.note n where n.audit_transaction > p_after and n.audit_transaction <= p_until
        union all select 'publication', null, p.actor_id, p.audit_transaction from curation.publication p
            where p.audit_transaction > p_after and p.audit_transaction <= p_until),
    changing as materialized (
        select a.action, a.tables, (select max(r.since::text::bigint)::text::xid8
            from ops.recorded_table r where r.name = any (a.tables)) as since
        from ops.changing_actions() a),
    changed_table as materialized (
        select c.transaction, c.name from ops.changed_table c where c.transaction > p_after and c.transaction <= p_until),
    changed (transaction, name) as (
        select c.transaction, c.name from changed_table c
        union all select c.transaction, 'curation.' || c.object_type from change c),
    found as (
        select 'no_event' as problem, c.object_type, c.object_id::text as object_id, null::bigint as event_id
        from change c
        where not exists (
            select from event e
            where e.transaction = c.transaction and (e.actor_id = c.author or ops.is_program(e.actor_id)
                or c.object_type in ('entry', 'revision') and ops.is_visitor(c.author) and not ops.is_visitor(e.actor_id)))
        union all
        select 'no_event', c.name, null, null
        from changed_table c
        where not exists (select from event e where e.transaction = c.transaction)
        union all
        select 'no_change', e.object_type, e.object_id, e.id
        from event e join changing a on a.action = e.action
        where e.transaction >= a.since and not exists (
            select from changed c where c.transaction = e.transaction and c.name = any (a.tables))
        union all
        select 'no_change', e.object_type, e.object_id, e.id
        from event e
        where e.action = 'submission.create' and not exists (
            select from curation.submission s
            where s.id = e.uuid and coalesce(s.audit_transaction = e.transaction, true))
        union all
        select 'no_change', e.object_type, e.object_id, e.id
        from event e
        where e.action in ('submission.approve', 'submission.reject', 'submission.request_changes', 'submission.duplicate',
                'submission.undo', 'submission.resubmit', 'submission.appeal')
            and not (e.action = 'submission.undo' and e.detail ? 'bulk_action')
            and not exists (
                select from curation.decision d
                where d.submission_id = e.uuid and coalesce(d.audit_transaction = e.transaction, true))
            and not exists (
                select from curation.submission_approval a
                where a.submission_id = e.uuid and coalesce(a.audit_transaction = e.transaction, true)))
    select f.problem, f.object_type, f.object_id, f.event_id from found f
    order by f.problem, f.object_type, f.event_id, f.object_id limit p_limit
$$;

-- The position of the last block whose events are all older; null if there is none.
create or replace function ops.audit_archivable(before timestamptz) returns bigint language plpgsql stable as $$
declare
    block ops.audit_block;
    last_archivable bigint;
begin
    for block in select b.* from ops.audit_block b where b.archived_at is null order by b.position loop
        exit when exists (
            select from ops.audit_event e where e.id = any(block.event_ids) and e.happened_at >= before);
        last_archivable := block.position;
    end loop;
    return last_archivable;
end $$;

-- Deletes the events up to the end of a block and keeps the block's hash. Only the owner may call this.
create or replace function ops.audit_delete_archived(until_position bigint) returns bigint language plpgsql as $$
declare
    removed bigint;
begin
    perform pg_advisory_xact_lock(hashtextextended('ops.audit_seal', 0));
    delete from ops.audit_event e using ops.audit_block b
    where b.archived_at is null and b.position <= until_position and e.id = any(b.event_ids);
    get diagnostics removed = row_count;
    delete from ops.audit_block where archived_at is null and position < until_position;
    update ops.audit_block set archived_at = clock_timestamp() where position = until_position and archived_at is null;
    delete from ops.changed_table c using ops.audit_block b where b.position = until_position and c.transaction <= b.last_transaction;
    return removed;
end $$;

-- The problem of a block and its events as stored in a file; null if they are intact.
create or replace function ops.audit_verify_block(after_hash bytea, block jsonb, events jsonb) returns text language plpgsql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
declare
    sealed_block ops.audit_block := jsonb_populate_record(null::ops.audit_block, block);
    item record;
begin
    if sealed_block.hash is distinct from ops.audit_block_hash(after_hash, sealed_block) then return 'chain'; end if;
    if jsonb_array_length(events) <> cardinality(sealed_block.event_ids) then return 'removed'; end if;
    for item in
        select jsonb_populate_record(null::ops.audit_event, v.value) as event, v.position::integer as position
        from jsonb_array_elements(events) with ordinality v (value, position) order by v.position
    loop
        if (item.event).id is distinct from sealed_block.event_ids[item.position]
            or ops.audit_event_hash(item.event) <> substr(sealed_block.event_hashes, 32 * item.position - 31, 32) then
            return 'changed';
        end if;
    end loop;
    return null;
end $$;

grant execute on function ops.audit_event_hash(ops.audit_event), ops.audit_block_hash(bytea, ops.audit_block),
    ops.audit_seal(), ops.audit_verify(bigint, bigint), ops.audit_unpaired(xid8, xid8, integer), ops.audit_verify_block(bytea, jsonb, jsonb) to @daemon@;
