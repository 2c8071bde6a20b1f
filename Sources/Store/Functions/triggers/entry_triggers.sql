-- Trigger functions of entries and their approval.

-- Requires the approvals of the content type.
create or replace function curation.check_publish_approval() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    required integer;
    approved integer;
begin
    select a.required, a.approved into required, approved from curation.approvals_of(new.revision_id) a;
    if approved < required then
        perform curation.refuse('publish_approval_approvals', format('%s of %s approvals', approved, required));
    end if;
    return new;
end $$;

-- Adds an approved revision to the revisions awaiting publication, unless a newer one is there.
create or replace function curation.mark_ready() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    insert into curation.ready (entry_id, revision_id) values (new.entry_id, new.revision_id)
    on conflict (entry_id) do update set revision_id = excluded.revision_id, since = excluded.since
    where (select number from curation.revision where id = excluded.revision_id)
        > (select number from curation.revision where id = ready.revision_id);
    return null;
end $$;

-- Keeps exactly two category groups: refuses a third, and refuses to unpublish one.
create or replace function curation.limit_category_groups() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if tg_table_name = 'entry' then
        if new.kind = 'category_group' then
            perform pg_advisory_xact_lock(hashtextextended('curation.category_group', 0));
            if (select count(*) from curation.entry where kind = 'category_group') > 2 then
                perform curation.refuse('entry_category_group_limit', 'there are exactly two category groups');
            end if;
        end if;
    elsif old.kind = 'category_group' then
        perform curation.refuse('live_category_group_required', 'a category group cannot be unpublished');
    end if;
    return null;
end $$;

-- Refuses to assign an entry to an archived category. A revision may keep those of the revision before it.
create or replace function curation.check_archived_references() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    archived uuid[];
    assigned record;
begin
    archived := array(
        select e.id from curation.entry e
        where e.id in (select target_entry_id from added) and e.kind = 'category' and curation.is_archived(e.id));
    -- Mostly there are none.
    if archived = '{}' then return null; end if;
    select a.target_entry_id as id, r.entry_id, n.content ->> 'title' as title into assigned
    from added a
    join unnest(archived) x (id) on x.id = a.target_entry_id
    join curation.revision r on r.id = a.revision_id
    cross join lateral (
        select content from curation.revision v where v.entry_id = x.id order by v.number desc limit 1) n
    where not exists (
        select from curation.revision p join curation.reference k on k.revision_id = p.id
        where p.entry_id = r.entry_id and p.number = r.number - 1 and k.target_entry_id = a.target_entry_id)
    limit 1;
    if found then
        perform curation.refuse('reference_archived',
            format('the category "%s" (%s) is archived; choose another category', assigned.title, assigned.id), assigned.entry_id);
    end if;
    return null;
end $$;

-- Refuses rows that are derived from a revision of another transaction, or of one that somebody has approved: nothing is added to what
-- was written, approved and published before. Such tables need no audit events of their own.
create or replace function curation.check_derived() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if exists (
        select from added a join curation.revision r on r.id = a.revision_id
        where r.audit_transaction is distinct from ops.audit_transaction(pg_current_xact_id())
            or exists (select from curation.approval p where p.revision_id = r.id)
            or exists (select from curation.publish_approval p where p.revision_id = r.id)) then
        perform curation.refuse('audit_event_revision', format('%s: its revision was written or approved before', tg_table_name));
    end if;
    return null;
end $$;

-- Checks what depends on categories, which follow after the statement that inserts a revision: its access scope, and the approvals
-- in stages, which are otherwise checked at commit or earlier, if the session wants it.
create or replace function curation.check_references() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    accounts ops.account[];
begin
    if ops.has_restricted_accounts() and not ops.has_event(null) then
        accounts := ops.restricting(ops.permissions_for('curation.revision'::regclass));
        if exists (
            select from (select distinct a.revision_id from added a) a
            join curation.revision r on r.id = a.revision_id
            join curation.entry e on e.id = r.entry_id
            cross join lateral (select ops.restricted_author(r.author_id, e.submission_id) as account) author
            cross join lateral (
                select case when (author.account).id is null then accounts else array[author.account] end as accounts) acting
            where acting.accounts is not null and not ops.contain_row(acting.accounts, 'revision', r.id, null)) then
            perform ops.refuse_scope('revision');
        end if;
    end if;
    if exists (select from curation.review_stage where archived_at is null) then
        perform curation.require_stage_approvals(d.submission_id)
        from (select distinct a.revision_id from added a) a
        join curation.revision r on r.id = a.revision_id
        join curation.entry e on e.id = r.entry_id
        join curation.decision d on d.submission_id = e.submission_id and d.verdict = 'approve'
            and d.audit_transaction = ops.audit_transaction(pg_current_xact_id());
    end if;
    return null;
end $$;
