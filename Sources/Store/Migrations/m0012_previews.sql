-- Previews: the whole read image at another instant, for whoever holds a link.
set local role @owner@;

create table curation.preview (
    id uuid primary key default curation.uuid_v7(),
    token_hash bytea not null constraint preview_token_once unique,
    title text not null constraint preview_title check (length(title) between 1 and 300),
    instant timestamptz not null,
    local_time timestamp not null,
    zone text not null,
    created_by uuid not null constraint preview_created_by references ops.actor (id),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    revoked_at timestamptz,
    -- what the rows below were worked out from: they are worked out again when either is another by now
    base bigint,
    schedule text,
    constraint preview_expires_later check (expires_at > created_at)
);

-- Where the image at that instant differs from what readers see: the row as it is then, or null where there is none.
create table curation.preview_row (
    preview_id uuid not null constraint preview_row_preview references curation.preview (id) on delete cascade,
    read_table text not null,
    key text not null,
    content jsonb,
    primary key (preview_id, read_table, key)
);

-- What somebody without an account said of it.
create table curation.preview_approval (
    id uuid primary key default curation.uuid_v7(),
    preview_id uuid not null constraint preview_approval_preview references curation.preview (id) on delete cascade,
    name text not null constraint preview_approval_name check (length(btrim(name)) between 1 and 200),
    note text not null default '' constraint preview_approval_note check (length(note) <= 2000),
    base bigint not null,
    schedule text not null,
    approved_at timestamptz not null default clock_timestamp()
);
create index preview_approval_by_preview on curation.preview_approval (preview_id, approved_at);

select ops.govern('curation.preview');

-- What is scheduled until an instant, as a digest: another one means that the image may be another.
create function curation.schedule_until(p_instant timestamptz) returns text
language sql stable set search_path = pg_catalog, pg_temp as $$
    select md5(coalesce(string_agg(r.id::text || r.due_at::text || coalesce(i.entry_id::text, '')
        || coalesce(i.revision_id::text, '') || coalesce(a.revision_id::text, ''), ',' order by r.due_at, r.number, i.entry_id), ''))
    from curation.release r
    left join curation.release_item i on i.release_id = r.id
    left join curation.publish_approval a on a.revision_id = i.revision_id
    where r.state = 'scheduled' and r.due_at <= p_instant
$$;

-- The rows that are otherwise at an instant than now: worked out by doing what leads there and undoing it. Before now that
-- is the way back; after now it is every release that is scheduled until then, in its order, each by itself: one that the
-- read tables will refuse changes nothing, as it will be.
create function curation.snapshot_at(p_instant timestamptz) returns table (read_table text, key text, content jsonb)
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
                    perform curation.publish(c.entries, c.revisions, system, due.id, '') from curation.release_changes(due.id) c;
                exception when others then
                    -- What may pass by itself is no answer.
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

-- Works the rows of a preview out again when publications or the schedule moved since. Gives the publication that the
-- image starts from, or null when the preview is over.
create function curation.refresh_preview(p_preview uuid) returns bigint
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
        values ('00000000-0000-7000-8000-000000000001', 'preview.refresh', 'preview', p_preview::text);
        update curation.preview set base = current_base, schedule = current_schedule where id = p_preview;
    end if;
    return current_base;
end $$;

revoke execute on function curation.schedule_until(timestamptz), curation.snapshot_at(timestamptz),
    curation.refresh_preview(uuid) from public;
grant execute on function curation.refresh_preview(uuid), curation.snapshot_at(timestamptz),
    curation.schedule_until(timestamptz) to @daemon@;
grant select, insert, update, delete on curation.preview to @daemon@;
grant select, delete on curation.preview_row to @daemon@;
grant select, insert, delete on curation.preview_approval to @daemon@;

reset role;
