-- Preview snapshots: the read tables at another point in time.

-- A digest of the schedule until a point in time. If it changes, the snapshot may be stale.
create or replace function curation.schedule_until(p_instant timestamptz) returns text
language sql stable set search_path = pg_catalog, pg_temp as $$
    select md5(coalesce(string_agg(r.id::text || r.due_at::text || coalesce(i.entry_id::text, '')
        || coalesce(i.revision_id::text, '') || coalesce(a.revision_id::text, '')
        || coalesce(i.base_revision::text, '-') || coalesce(i.confirmed_revision::text, '-'), ',' order by r.due_at, r.number, i.entry_id), ''))
    from curation.release r
    left join curation.release_item i on i.release_id = r.id
    left join curation.publish_approval a on a.revision_id = i.revision_id
    where r.state = 'scheduled' and r.due_at <= p_instant
$$;

-- The rows that differ at a point in time. Applies what leads there and undoes it: for the past a rollback, for the
-- future each scheduled release in order. Releases that would fail change nothing, as they will.
create or replace function curation.snapshot_at(p_instant timestamptz) returns table (read_table text, key text, content jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    counter curation.publication_counter;
    due record;
    rows jsonb := '[]';
    back_to bigint;
    system constant uuid := '00000000-0000-7000-8000-000000000001';
begin
    begin
        insert into ops.audit_event (actor_id, action, object_type) values (system, 'publication.plan', 'publication');
        select * into counter from curation.publication_counter for update;
        if p_instant <= clock_timestamp() then
            select coalesce(max(p.number), 0) into back_to from curation.publication p where p.published_at <= p_instant;
            perform curation.publish(c.entries, c.revisions, system, null, '') from curation.rollback_changes(back_to) c;
        else
            for due in
                select r.id from curation.release r
                where r.state = 'scheduled' and r.due_at <= p_instant order by r.due_at, r.number
            loop
                begin
                    perform curation.publish_scheduled(due.id, system, '');
                exception when others then
                    -- Temporary errors say nothing about the release.
                    if sqlstate ~ '^(40|53|57|58|55P03|25006)' then raise; end if;
                end;
            end loop;
        end if;
        select coalesce(jsonb_agg(to_jsonb(t)), '[]') into rows from projection.touched_all(counter.change_number) t;
        raise exception using errcode = 'VT000';
    exception when sqlstate 'VT000' then
        null;
    end;
    return query
        select r.read_table, r.key, nullif(r.content, 'null')
        from jsonb_to_recordset(rows) r (read_table text, key text, content jsonb);
end $$;

-- Recomputes the rows of a preview if publications or the schedule changed. Returns the publication on which the
-- snapshot is based, or null if the preview has expired or was revoked.
create or replace function curation.refresh_preview(p_preview uuid) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    preview curation.preview;
    current_base bigint;
    current_schedule text;
begin
    select * into preview from curation.preview p
    where p.id = p_preview and p.revoked_at is null and p.expires_at > clock_timestamp() for update;
    if not found then return null; end if;
    select number into current_base from curation.publication_counter;
    current_schedule := curation.schedule_until(preview.instant);
    if preview.base is distinct from current_base or preview.schedule is distinct from current_schedule then
        delete from curation.preview_row where preview_id = p_preview;
        insert into curation.preview_row (preview_id, read_table, key, content)
        select p_preview, r.read_table, r.key, r.content from curation.snapshot_at(preview.instant) r;
        insert into ops.audit_event (actor_id, action, object_type, object_id)
        values ('00000000-0000-7000-8000-000000000006', 'preview.refresh', 'preview', p_preview::text);
        update curation.preview set base = current_base, schedule = current_schedule where id = p_preview;
    end if;
    return current_base;
end $$;

-- Adds the approval of a visitor, or replaces the one by the same name from the same network. Nothing else changes approvals of
-- previews.
create or replace function curation.approve_preview(p_preview uuid, p_visitor text, p_name text, p_note text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into curation.preview_approval (preview_id, visitor, name, note, base, schedule)
    select p.id, p_visitor, p_name, p_note, p.base, p.schedule from curation.preview p where p.id = p_preview
    on conflict (preview_id, visitor, lower(name)) do update
    set name = excluded.name, note = excluded.note, base = excluded.base, schedule = excluded.schedule,
        approved_at = excluded.approved_at
$$;

grant execute on function curation.schedule_until(timestamptz), curation.snapshot_at(timestamptz),
    curation.refresh_preview(uuid), curation.approve_preview(uuid, text, text, text) to @daemon@;
