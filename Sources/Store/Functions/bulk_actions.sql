-- What the undo of a bulk action on entries changes in tables that are only inserted into or derived otherwise.

-- Makes the revisions that awaited publication before the bulk action await it again, unless a newer one is published or waits.
create or replace function curation.restore_ready(p_bulk_action uuid, p_entries uuid[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if not ops.may_change('approve,publish') then perform ops.refuse_change('INSERT', 'ready'); end if;
    insert into curation.ready (entry_id, revision_id)
    select p.entry_id, p.revision_id
    from curation.bulk_action_item i
    join curation.publish_approval p on p.entry_id = i.entry_id and p.revision_id = (i.before ->> 'ready')::uuid
    join curation.revision r on r.id = p.revision_id
    where i.bulk_action_id = p_bulk_action and i.entry_id = any(p_entries) and not exists (
        select from curation.live l join curation.revision v on v.id = l.revision_id
        where l.entry_id = i.entry_id and v.number >= r.number)
    on conflict (entry_id) do nothing;
end $$;

-- Withdraws the approvals that a bulk action gave to these entries. A revision that others have approved often enough stays
-- approved.
create or replace function curation.withdraw_approvals(p_bulk_action uuid, p_entries uuid[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    accounts ops.account[] := ops.restricting('approve');
    given uuid[];
    unapproved uuid[];
begin
    if accounts is not null and exists (
        select from curation.entry e
        where e.id = any(p_entries) and not ops.contain_entry(accounts, e.type, curation.current_revisions(e.id))) then
        perform ops.refuse_scope('entry');
    end if;
    select array_agg(r.id order by r.id) into given
    from curation.bulk_action b
    join curation.bulk_action_item i on i.bulk_action_id = b.id and i.result = 'done' and i.entry_id = any(p_entries)
    join curation.revision r on r.entry_id = i.entry_id and r.number = i.version
    where b.id = p_bulk_action and b.object = 'entry' and b.action = 'approve';
    delete from curation.approval a using curation.bulk_action b
    where b.id = p_bulk_action and a.revision_id = any(given) and a.stage = 1 and a.actor_id = b.created_by;
    select array_agg(u.id order by u.id) into unapproved
    from unnest(given) u (id) cross join lateral curation.approvals_of(u.id) a where a.approved < a.required;
    delete from curation.ready where revision_id = any(unapproved);
    delete from curation.publish_approval where revision_id = any(unapproved);
    perform curation.restore_ready(p_bulk_action, p_entries);
end $$;

grant execute on function curation.restore_ready(uuid, uuid[]), curation.withdraw_approvals(uuid, uuid[]) to @daemon@;
