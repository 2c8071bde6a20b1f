-- Trigger functions of entries and their approval.

-- Requires the approvals of the content type. With four eyes, the author's own approval does not count.
create or replace function curation.check_publish_approval() returns trigger language plpgsql as $$
declare
    required integer;
    approved integer;
begin
    select t.required_approvals, count(c.actor_id) filter (where not t.four_eyes or c.actor_id <> r.author_id)
    into required, approved
    from curation.revision r
    join curation.entry e on e.id = r.entry_id
    join curation.content_type t on t.name = e.type
    left join (select distinct revision_id, actor_id from curation.approval) c on c.revision_id = r.id
    where r.id = new.revision_id
    group by t.required_approvals;
    if approved < required then
        perform curation.refuse('publish_approval_approvals', format('%s of %s approvals', approved, required));
    end if;
    return new;
end $$;

-- Adds an approved revision to the revisions awaiting publication, unless a newer one is there.
create or replace function curation.mark_ready() returns trigger language plpgsql as $$
begin
    insert into curation.ready (entry_id, revision_id) values (new.entry_id, new.revision_id)
    on conflict (entry_id) do update set revision_id = excluded.revision_id, since = excluded.since
    where (select number from curation.revision where id = excluded.revision_id)
        > (select number from curation.revision where id = ready.revision_id);
    return null;
end $$;

-- Keeps exactly two category groups: refuses a third, and refuses to unpublish one.
create or replace function curation.limit_category_groups() returns trigger language plpgsql as $$
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
