-- The publication: one function, one transaction, the only way into the read tables.
set local role @owner@;

-- What a publication changed, for the `affected` functions. A function of its own, so that the planner takes the changes for
-- few whatever the table's statistics say, and begins with them.
create function curation.changed(p_publication bigint)
returns setof curation.publication_change language plpgsql stable rows 1 as $$
begin
    return query select * from curation.publication_change where publication = p_publication;
end $$;

-- The entries whose counts by one field a publication changed.
create function curation.recounted(p_publication bigint, p_field text) returns setof uuid language plpgsql stable rows 1 as $$
begin
    return query
    select distinct target_entry_id from curation.member_count_change where publication = p_publication and field = p_field;
end $$;

-- What a publication changed, in short: the kinds of its entries; `came_or_went` where one is live that was not, or not any
-- more; `recount_` and each field that was counted anew; `merge` where categories were merged or parted; `offline` where feeds
-- or categories show other images; `fact`. The functions projection.X_by_CAUSE say what that affects (projection.install).
create function curation.causes(p_publication bigint) returns text[] language plpgsql stable as $$
begin
    return array(
        select distinct kind from curation.changed(p_publication)
        union all
        select 'came_or_went' where exists (
            select from curation.changed(p_publication) where old_revision is null or new_revision is null)
        union all
        select distinct 'recount_' || field from curation.member_count_change where publication = p_publication
        union all
        select 'merge' where exists (select from curation.category_merge_change where publication = p_publication)
        union all
        select 'offline' where exists (select from curation.media_count_change where publication = p_publication and came <> 0)
        union all
        select 'observation' where exists (select from curation.observation_change where publication = p_publication)
            or exists (select from curation.catalog_change where publication = p_publication));
end $$;

-- Changes the live set: entry i shows revision i, or is withdrawn where the revision is null. Entries that already are
-- as asked are left out. Writes publication_change, live, slug, ready and tally; returns how many entries changed.
create function curation.change_live(p_publication bigint, p_entries uuid[], p_revisions uuid[])
returns bigint language plpgsql as $$
declare
    changed bigint;
    offender record;
    is_within boolean;
begin
    insert into curation.publication_change (publication, entry_id, type, kind, old_revision, new_revision)
    select p_publication, c.entry_id, e.type, e.kind, l.revision_id, c.revision_id
    from unnest(p_entries, p_revisions) c (entry_id, revision_id)
    join curation.entry e on e.id = c.entry_id
    left join curation.live l on l.entry_id = c.entry_id
    where l.revision_id is distinct from c.revision_id;
    get diagnostics changed = row_count;
    if changed = 0 then return 0; end if;

    delete from curation.live l using curation.changed(p_publication) c
    where c.new_revision is null and l.entry_id = c.entry_id;
    update curation.live l set revision_id = c.new_revision from curation.changed(p_publication) c
    where c.old_revision is not null and c.new_revision is not null and l.entry_id = c.entry_id;
    insert into curation.live (entry_id, revision_id, type, kind)
    select c.entry_id, c.new_revision, c.type, c.kind from curation.changed(p_publication) c where c.old_revision is null;

    with shown as materialized (
        select c.kind, c.entry_id, r.content ->> 'slug' as slug
        from curation.changed(p_publication) c join curation.revision r on r.id = c.new_revision
        where r.content ? 'slug'),
    owned as materialized (
        select w.*, s.published_in, s.entry_id = w.entry_id as is_own
        from shown w left join lateral (
            select * from curation.slug s where s.kind = w.kind and s.slug = w.slug offset 0) s on true),
    marked as (
        update curation.slug s set published_in = p_publication from owned w
        where w.is_own and w.published_in is null and s.kind = w.kind and s.slug = w.slug)
    select slug into offender from owned where is_own is not true limit 1;
    if found then
        perform curation.refuse('slug_owner', format('the address "%s" belongs to another entry', offender.slug));
    end if;

    delete from curation.ready w using curation.changed(p_publication) c, curation.revision shown, curation.revision waiting
    where w.entry_id = c.entry_id and waiting.id = w.revision_id
      and shown.id = coalesce(c.new_revision, c.old_revision) and waiting.number <= shown.number;

    -- m0018_taxonomy.sql
    perform curation.follow_merges(p_publication);
    with contribution as materialized (
        select c.field, c.target_entry_id, c.type, c.sign, c.within_entry_id from curation.contributions(p_publication) c),
    told as (
        insert into curation.member_count_change (publication, field, target_entry_id, type, n)
        select p_publication, c.field, c.target_entry_id, c.type, sum(c.sign)
        from contribution c
        group by c.field, c.target_entry_id, c.type having sum(c.sign) <> 0)
    select coalesce(bool_or(within_entry_id is not null), false) into is_within from contribution;
    merge into curation.member_count t
    using (select * from curation.member_count_change where publication = p_publication) d
    on t.field = d.field and t.target_entry_id = d.target_entry_id and t.type = d.type
    when matched and t.n + d.n = 0 then delete
    when matched then update set n = t.n + d.n
    when not matched then insert (field, target_entry_id, type, n) values (d.field, d.target_entry_id, d.type, d.n);
    if is_within then perform curation.count_within(p_publication); end if;
    perform curation.count_media(p_publication);
    return changed;
end $$;

-- Writes the publication's row with its number, before the read tables are computed: they may name it.
create function curation.begin_publication(p_number bigint, p_actor uuid, p_release uuid, p_note text)
returns void language sql as $$
    insert into curation.publication (number, actor_id, release_id, note, inserted, updated, deleted, duration_ms)
    values (p_number, p_actor, p_release, p_note, 0, 0, 0, 0)
$$;

-- Completes it with what was written, raises the counter and tells the listeners and the webhooks (m0011_webhooks.sql).
create function curation.end_publication(p_number bigint, p_change bigint,
    p_inserted bigint, p_updated bigint, p_deleted bigint) returns void language plpgsql as $$
declare
    changes bigint := p_inserted + p_updated + p_deleted;
begin
    update curation.publication set inserted = p_inserted, updated = p_updated, deleted = p_deleted,
        duration_ms = (extract(epoch from clock_timestamp() - published_at) * 1000)::integer
    where number = p_number;
    insert into api_v1.publication (number, published_at, changes)
    select number, published_at, changes from curation.publication where number = p_number;
    update curation.publication_counter set number = p_number, change_number = p_change + changes;
    perform pg_notify('vitrine_publication', p_number::text);
    perform ops.notify_publication(p_number);
end $$;

-- How publish and plan read, whatever the size: from the changed entries through indexes, in the order in which the joins
-- are written, by plans that are made once for a connection. The planner cannot know how many entries a publication has;
-- a guess that is too high would read whole tables for one entry, and planning takes ten times as long as publishing it.
create function curation.read_through_indexes(name text) returns void language plpgsql as $$
declare
    setting text;
begin
    foreach setting in array array['plan_cache_mode = force_generic_plan', 'enable_seqscan = off', 'enable_hashjoin = off',
            'enable_mergejoin = off', 'join_collapse_limit = 1', 'max_parallel_workers_per_gather = 0', 'jit = off',
            $q$work_mem = '64MB'$q$] loop
        execute format('alter function curation.%s set %s', name, setting);
    end loop;
end $$;

-- Publishes: everything or nothing, under the one lock, together with the facts that were recorded since
-- (m0016_routes.sql). Returns the publication's number, or null when the live set already is as asked and nothing was
-- recorded. The release, where one is given, is published with it.
create function curation.publish(p_entries uuid[], p_revisions uuid[], p_actor uuid, p_release uuid, p_note text)
returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    counter curation.publication_counter;
    publication bigint;
    counts record;
begin
    select * into counter from curation.publication_counter for update;
    publication := counter.number + 1;
    if curation.change_live(publication, p_entries, p_revisions) + curation.apply_observations(publication) = 0 then
        publication := null;
    else
        perform curation.begin_publication(publication, p_actor, p_release, p_note);
        counts := projection.apply_all(publication, counter.change_number);
        perform curation.end_publication(publication, counter.change_number,
            counts.inserted, counts.updated, counts.deleted);
    end if;
    if p_release is not null then
        update curation.release set state = 'published', publication = publish.publication, finished_at = clock_timestamp()
        from (select publication) publish where id = p_release and state in ('open', 'scheduled');
        if not found then
            perform curation.refuse('release_published_once', 'the release is not open or scheduled any more');
        end if;
    end if;
    return publication;
end $$;

-- Tells what publish would do and leaves nothing behind: the change is undone inside the function. An object with the
-- publication it starts from (base), the numbers of rows, the first p_limit rows (null: all) before and after, and a digest
-- of all rows: who has seen a plan can ask later whether it is still the same. What tombstones and lists say of their own
-- publication is left out of the digest.
create function curation.plan(p_entries uuid[], p_revisions uuid[], p_limit integer) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    plan jsonb;
    base bigint;
begin
    begin
        insert into ops.audit_event (actor_id, action, object_type)
        values ('00000000-0000-7000-8000-000000000001', 'publication.plan', 'publication');
        select number into base from curation.publication_counter for update;
        if curation.change_live(base + 1, p_entries, p_revisions) + curation.apply_observations(base + 1) > 0 then
            perform curation.begin_publication(base + 1, '00000000-0000-7000-8000-000000000001', null, '');
        end if;
        select jsonb_build_object('base', base, 'total', count(*),
                'inserted', count(*) filter (where d.operation = 'insert'),
                'updated', count(*) filter (where d.operation = 'update'),
                'deleted', count(*) filter (where d.operation = 'delete'),
                'digest', to_hex(coalesce(bit_xor(hashtextextended(concat(
                    d.read_table, ' ', d.key, d.operation, case when d.read_table not in ('tombstone', 'list', 'list_item') then d.mark end), 0)), 0)),
                'rows', coalesce(jsonb_agg(to_jsonb(d) - 'place' - 'mark' order by d.place)
                    filter (where d.place <= coalesce(p_limit, d.place)), '[]'))
        into plan
        from (
            select p.*, row_number() over (order by p.read_table, p.operation, p.key) as place
            from projection.plan_all(base + 1, coalesce(p_limit, 2147483647), curation.causes(base + 1)) p) d;
        raise exception using errcode = 'VT000';
    exception when sqlstate 'VT000' then
        null;
    end;
    return plan;
end $$;

-- Waits for the lock of publications and gives the newest number: nobody else publishes until the transaction ends.
create function curation.lock_publications() returns bigint
language sql security definer set search_path = pg_catalog, pg_temp as $$
    select number from curation.publication_counter for update
$$;

-- What a release holds, as publish and plan take it.
create function curation.release_changes(p_release uuid, out entries uuid[], out revisions uuid[])
language sql stable set search_path = pg_catalog, pg_temp as $$
    select coalesce(array_agg(entry_id order by entry_id), '{}'), coalesce(array_agg(revision_id order by entry_id), '{}')
    from curation.release_item where release_id = p_release
$$;

-- What brings the live set back to what it was right after a publication: each entry that changed since shows again what
-- it showed then, or is withdrawn.
create function curation.rollback_changes(p_publication bigint, out entries uuid[], out revisions uuid[])
language sql stable set search_path = pg_catalog, pg_temp as $$
    select coalesce(array_agg(entry_id order by entry_id), '{}'), coalesce(array_agg(old_revision order by entry_id), '{}')
    from (
        select distinct on (c.entry_id) c.entry_id, c.old_revision, l.revision_id
        from curation.publication_change c left join curation.live l on l.entry_id = c.entry_id
        where c.publication > p_publication order by c.entry_id, c.publication) first
    where first.old_revision is distinct from first.revision_id
$$;

select curation.read_through_indexes('publish(uuid[], uuid[], uuid, uuid, text)'),
    curation.read_through_indexes('plan(uuid[], uuid[], integer)');

-- Compares every read table (and the counts and merges) with what the live set says; names every row that differs.
create function curation.verify() returns table (read_table text, key text, operation text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query
    select * from projection.differences_all()
    union all
    select 'member_count', coalesce(n.field, t.field) || '/' || coalesce(n.target_entry_id, t.target_entry_id)::text || '/'
               || coalesce(n.type, t.type),
           case when t.field is null then 'insert' when n.field is null then 'delete' else 'update' end
    from projection.member_count n full join curation.member_count t
      on t.field = n.field and t.target_entry_id = n.target_entry_id and t.type = n.type
    where n.n is distinct from t.n
    union all
    select 'member_count_within', coalesce(n.field, t.field) || '/' || coalesce(n.target_entry_id, t.target_entry_id)::text || '/'
               || coalesce(n.within_entry_id, t.within_entry_id)::text || '/' || coalesce(n.type, t.type),
           case when t.field is null then 'insert' when n.field is null then 'delete' else 'update' end
    from projection.member_count_within n full join curation.member_count_within t
      on t.field = n.field and t.target_entry_id = n.target_entry_id and t.within_entry_id = n.within_entry_id
          and t.type = n.type
    where n.n is distinct from t.n
    union all
    select 'category_merge', coalesce(n.category_id, m.category_id)::text,
           case when m.category_id is null then 'insert' when n.category_id is null then 'delete' else 'update' end
    from projection.category_merge n full join curation.category_merge m on m.category_id = n.category_id
    where n.into_id is distinct from m.into_id
    union all
    select 'media_count', coalesce(n.field, t.field) || '/' || coalesce(n.target_entry_id, t.target_entry_id)::text || '/'
               || coalesce(n.media_id, t.media_id)::text,
           case when t.field is null then 'insert' when n.field is null then 'delete' else 'update' end
    from projection.media_count n full join curation.media_count t
      on t.field = n.field and t.target_entry_id = n.target_entry_id and t.media_id = n.media_id
    where n.n is distinct from t.n
    union all
    select 'media_total', coalesce(n.field, t.field) || '/' || coalesce(n.target_entry_id, t.target_entry_id)::text,
           case when t.field is null then 'insert' when n.field is null then 'delete' else 'update' end
    from projection.media_total n full join curation.media_total t
      on t.field = n.field and t.target_entry_id = n.target_entry_id
    where (n.files, n.bytes, n.mark) is distinct from (t.files, t.bytes, t.mark);
end $$;

-- Applies what verify names in one publication; readers see the old rows or the new ones, never a gap.
create function curation.rebuild(p_actor uuid, p_note text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    counter curation.publication_counter;
    counts record;
begin
    select * into counter from curation.publication_counter for update;
    delete from curation.category_merge m where not exists (select from projection.category_merge n
        where n.category_id = m.category_id and n.into_id = m.into_id);
    insert into curation.category_merge select category_id, into_id from projection.category_merge
    on conflict (category_id) do nothing;
    delete from curation.member_count t where not exists (select from projection.member_count n
        where n.field = t.field and n.target_entry_id = t.target_entry_id and n.type = t.type and n.n = t.n);
    insert into curation.member_count select * from projection.member_count n
    on conflict (field, target_entry_id, type) do nothing;
    delete from curation.member_count_within t where not exists (select from projection.member_count_within n
        where n.field = t.field and n.target_entry_id = t.target_entry_id and n.within_entry_id = t.within_entry_id
            and n.type = t.type and n.n = t.n);
    insert into curation.member_count_within select * from projection.member_count_within n
    on conflict (field, target_entry_id, within_entry_id, type) do nothing;
    delete from curation.media_count t where not exists (select from projection.media_count n
        where n.field = t.field and n.target_entry_id = t.target_entry_id and n.media_id = t.media_id and n.n = t.n);
    insert into curation.media_count select * from projection.media_count n
    on conflict (field, target_entry_id, media_id) do nothing;
    delete from curation.media_total t where not exists (select from projection.media_total n
        where n.field = t.field and n.target_entry_id = t.target_entry_id
            and (n.files, n.bytes, n.mark) = (t.files, t.bytes, t.mark));
    insert into curation.media_total select * from projection.media_total n
    on conflict (field, target_entry_id) do nothing;
    perform curation.begin_publication(counter.number + 1, p_actor, null, p_note);
    counts := projection.rebuild_all(counter.number + 1, counter.change_number);
    if counts.inserted + counts.updated + counts.deleted = 0 then
        delete from curation.publication where number = counter.number + 1;
        return null;
    end if;
    perform curation.end_publication(counter.number + 1, counter.change_number,
        counts.inserted, counts.updated, counts.deleted);
    return counter.number + 1;
end $$;

-- Publishes every due release, earliest first, under the publication lock, so that late ones keep their order whatever
-- daemon runs them. One that cannot be published ends as failed with its reason and leaves the live set as it was.
-- Returns what was done.
create function curation.publish_due(p_actor uuid, p_limit integer)
returns table (release_id uuid, release_number bigint, publication bigint, failure text, late_ms bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    due record;
    done integer := 0;
    reason text;
begin
    while done < p_limit loop
        perform from curation.publication_counter for update;
        select r.id, r.number, r.title, r.due_at into due from curation.release r
        where r.state = 'scheduled' and r.due_at <= clock_timestamp() order by r.due_at, r.number limit 1 for update;
        exit when not found;
        release_id := due.id;
        release_number := due.number;
        publication := null;
        failure := null;
        begin
            insert into ops.audit_event (actor_id, action, object_type, object_id, detail)
            values (p_actor, 'release.publish', 'release', due.number::text, jsonb_build_object('due_at', due.due_at));
            select curation.publish(c.entries, c.revisions, p_actor, due.id, due.title)
            into publication from curation.release_changes(due.id) c;
        exception when others then
            -- What may pass by itself undoes this turn and is tried again at the next: deadlocks and serialization, no room,
            -- a lock that was not free in time, a server that shuts down or is read only.
            if sqlstate ~ '^(40|53|57|58|55P03|25006)' then raise; end if;
            get stacked diagnostics reason = message_text;
            failure := reason;
            insert into ops.audit_event (actor_id, action, object_type, object_id, detail)
            values (p_actor, 'release.fail', 'release', due.number::text, jsonb_build_object('reason', reason));
            update curation.release set state = 'failed', failure = reason, finished_at = clock_timestamp()
            where id = due.id;
            perform ops.notify_failure(due.id);
        end;
        late_ms := (extract(epoch from clock_timestamp() - due.due_at) * 1000)::bigint;
        done := done + 1;
        return next;
    end loop;
end $$;

-- Over everything the planner is right about the joins; only compiling (JIT) costs more than it saves, by seconds.
alter function curation.verify() set jit = off;
alter function curation.verify() set work_mem = '64MB';
alter function curation.rebuild(uuid, text) set jit = off;
alter function curation.rebuild(uuid, text) set work_mem = '64MB';

revoke execute on all functions in schema curation from public;
grant execute on function curation.publish(uuid[], uuid[], uuid, uuid, text), curation.plan(uuid[], uuid[], integer),
    curation.lock_publications(), curation.release_changes(uuid), curation.rollback_changes(bigint),
    curation.verify(), curation.rebuild(uuid, text), curation.publish_due(uuid, integer), curation.uuid_v7(),
    curation.submission_state(uuid), curation.refuse(text, text) to @daemon@;

reset role;
