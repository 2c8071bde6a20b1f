-- Publications: the only way to change the read tables. One function, one transaction, one lock.

-- The entries that a publication changed, for the `affected` functions. A separate function, so that the planner
-- expects few rows whatever the statistics say, and starts with them.
create or replace function curation.changed(p_publication bigint)
returns setof curation.publication_change language plpgsql stable rows 1 as $$
begin
    return query select * from curation.publication_change where publication = p_publication;
end $$;

-- The entries whose counts in a field a publication changed.
create or replace function curation.recounted(p_publication bigint, p_field text) returns setof uuid language plpgsql stable rows 1 as $$
begin
    return query
    select distinct target_entry_id from curation.member_count_change where publication = p_publication and field = p_field;
end $$;

-- What a publication changed, in short: the kinds of its entries; `added_or_removed` if an entry was published or
-- unpublished; `recount_` and each field whose counts changed; `merge` if categories were merged or unmerged; `offline`
-- if feeds or categories use other images; and what packs add. projection.dependency says
-- which rows each affects.
create or replace function curation.causes(p_publication bigint) returns text[] language plpgsql stable as $$
begin
    return array(
        select distinct kind from curation.changed(p_publication)
        union all
        select 'added_or_removed' where exists (
            select from curation.changed(p_publication) where old_revision is null or new_revision is null)
        union all
        select distinct 'recount_' || field from curation.member_count_change where publication = p_publication
        union all
        select 'merge' where exists (select from curation.category_merge_change where publication = p_publication)
        union all
        select 'offline' where exists (select from curation.media_count_change where publication = p_publication and added <> 0)
        -- packs: causes
    );
end $$;

-- Publishes revision i of entry i, or unpublishes the entry if the revision is null. Skips entries that are already in
-- that state. Writes publication_change, live, slug, ready and member_count. Returns the number of changed entries. If several
-- people act in the transaction, each change names the person whose approval it publishes.
create or replace function curation.change_live(p_publication bigint, p_entries uuid[], p_revisions uuid[])
returns bigint language plpgsql as $$
declare
    changed bigint;
    conflict record;
    has_within boolean;
    has_several_actors constant boolean := ops.has_several_actors();
begin
    insert into curation.publication_change (publication, entry_id, type, kind, old_revision, new_revision, actor_id)
    select p_publication, c.entry_id, e.type, e.kind, l.revision_id, c.revision_id, case when has_several_actors then (
        select d.decided_by from curation.decision d
        where d.submission_id = e.submission_id and d.verdict = 'approve'
          and d.audit_transaction = ops.audit_transaction(pg_current_xact_id())
        order by d.number desc limit 1) end
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
    select slug, entry_id into conflict from owned where is_own is not true limit 1;
    if found then
        perform curation.refuse('slug_owner', format('the slug "%s" belongs to another entry', conflict.slug), conflict.entry_id);
    end if;

    -- Mostly nothing awaits publication when PostgreSQL counts the rows: it would read all of them for each change.
    delete from curation.ready where entry_id = any (array(
        select c.entry_id
        from curation.changed(p_publication) c
        cross join lateral (select w.revision_id from curation.ready w where w.entry_id = c.entry_id offset 0) w
        join curation.revision waiting on waiting.id = w.revision_id
        join curation.revision shown on shown.id = coalesce(c.new_revision, c.old_revision)
        where waiting.number <= shown.number));

    perform curation.follow_merges(p_publication);
    with contribution as materialized (
        select c.field, c.target_entry_id, c.type, c.sign, c.within_entry_id from curation.contributions(p_publication) c),
    change as (
        insert into curation.member_count_change (publication, field, target_entry_id, type, n)
        select p_publication, c.field, c.target_entry_id, c.type, sum(c.sign)
        from contribution c
        group by c.field, c.target_entry_id, c.type having sum(c.sign) <> 0)
    select coalesce(bool_or(within_entry_id is not null), false) into has_within from contribution;
    merge into curation.member_count t
    using (select * from curation.member_count_change where publication = p_publication) d
    on t.field = d.field and t.target_entry_id = d.target_entry_id and t.type = d.type
    when matched and t.n + d.n = 0 then delete
    when matched then update set n = t.n + d.n
    when not matched then insert (field, target_entry_id, type, n) values (d.field, d.target_entry_id, d.type, d.n);
    if has_within then perform curation.count_within(p_publication); end if;
    perform curation.count_media(p_publication);
    -- packs: count
    return changed;
end $$;

-- Inserts the publication with its number before the read tables are computed, because they may reference it.
create or replace function curation.begin_publication(p_number bigint, p_actor uuid, p_release uuid, p_note text)
returns void language plpgsql as $$
begin
    insert into curation.publication (number, actor_id, release_id, note, inserted, updated, deleted, duration_ms)
    values (p_number, p_actor, p_release, p_note, 0, 0, 0, 0);
end $$;

-- Notifies listeners of the newest publication, as PublicationVersion reads it.
create or replace function curation.announce_publication() returns void language plpgsql as $$
begin
    perform pg_notify('vitrine_publication', p.number || '-' || p.tag)
    from curation.publication p order by p.number desc limit 1;
end $$;

-- Completes the publication with its numbers of rows, raises the counter, and notifies listeners and webhooks.
create or replace function curation.end_publication(p_number bigint, p_change bigint,
    p_inserted bigint, p_updated bigint, p_deleted bigint) returns void language plpgsql as $$
declare
    changes bigint := p_inserted + p_updated + p_deleted;
begin
    update curation.publication set inserted = p_inserted, updated = p_updated, deleted = p_deleted,
        duration_ms = (extract(epoch from clock_timestamp() - published_at) * 1000)::integer
    where number = p_number;
    insert into api_v1.publication (number, published_at, changes, tag)
    select number, published_at, changes, tag from curation.publication where number = p_number;
    update curation.publication_counter set number = p_number, change_number = p_change + changes;
    perform curation.announce_publication();
    perform ops.notify_publication(p_number);
end $$;

-- Sets how publish and plan read, whatever the size: from the changed entries through indexes, in the written join
-- order, with plans that are kept per connection. The planner cannot know the number of entries; overestimating it
-- would read whole tables for one entry, and planning takes ten times as long as publishing one.
create or replace function curation.read_through_indexes(name text) returns void language plpgsql as $$
declare
    setting text;
begin
    foreach setting in array array['plan_cache_mode = force_generic_plan', 'enable_seqscan = off', 'enable_hashjoin = off',
            'enable_mergejoin = off', 'join_collapse_limit = 1', 'max_parallel_workers_per_gather = 0', 'jit = off',
            $q$work_mem = '64MB'$q$] loop
        execute format('alter function curation.%s set %s', name, setting);
    end loop;
end $$;

-- The entry that a violated rule is about, with what its message needs: its name, and the categories or the city that
-- are not published. `p_detail` is the detail of the error or the key of a row; the first ID in it is that of the entry
-- or of its revision.
create or replace function curation.blocked_entry(p_rule text, p_reason text, p_detail text) returns jsonb language sql stable as $$
    select jsonb_build_object('rule', p_rule, 'reason', p_reason, 'detail', p_detail, 'entry', e.id, 'type', e.type,
        'title', n.content ->> 'title', 'unpublished', (
            select string_agg(format('%s (%s)', t.content ->> 'title', f.target_entry_id), ', ' order by f.position)
            from curation.reference f
            cross join lateral (
                select v.content from curation.revision v where v.entry_id = f.target_entry_id order by v.number desc limit 1) t
            where f.revision_id = n.id and f.field = substring(replace(p_rule, '_category', '_categories') from '_(categories|city)$')
              and not exists (select from curation.live l where l.entry_id = f.target_entry_id)))
    from (select substring(p_detail from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}')::uuid as id) d
    left join curation.revision r on r.id = d.id
    left join curation.entry e on e.id = coalesce(r.entry_id, d.id)
    left join lateral (select * from curation.revision v where v.entry_id = e.id order by v.number desc limit 1) n on true
$$;

-- Applies what waits for a publication besides revisions, such as observations. Returns its number.
create or replace function curation.apply_pending(p_publication bigint) returns bigint language plpgsql as $$
begin
    return 0
        -- packs: pending
    ;
end $$;

-- Publishes everything or nothing, under the lock, together with what waits besides. Returns the publication number,
-- or null if nothing changed. The release, if given, is published with it. An error names the entry in its detail.
create or replace function curation.publish(p_entries uuid[], p_revisions uuid[], p_actor uuid, p_release uuid, p_note text)
returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    counter curation.publication_counter;
    publication bigint;
    counts record;
    rule text;
    reason text;
    detail text;
begin
    select * into counter from curation.publication_counter for update;
    publication := counter.number + 1;
    if curation.change_live(publication, p_entries, p_revisions) + curation.apply_pending(publication) = 0 then
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
            perform curation.refuse('release_published_once', 'the release is no longer open or scheduled');
        end if;
    end if;
    return publication;
exception when integrity_constraint_violation then
    get stacked diagnostics rule = constraint_name, reason = message_text, detail = pg_exception_detail;
    raise exception using errcode = 'check_violation', constraint = rule, message = reason,
        detail = curation.blocked_entry(rule, reason, detail)::text;
end $$;

-- Takes the publication lock until the end of the transaction and returns the latest publication number.
create or replace function curation.lock_publications() returns bigint
language sql security definer set search_path = pg_catalog, pg_temp as $$
    select number from curation.publication_counter for update
$$;

-- The changes of a release, as arguments of publish and plan.
create or replace function curation.release_changes(p_release uuid, out entries uuid[], out revisions uuid[])
language sql stable set search_path = pg_catalog, pg_temp as $$
    select coalesce(array_agg(entry_id order by entry_id), '{}'), coalesce(array_agg(revision_id order by entry_id), '{}')
    from curation.release_item where release_id = p_release
$$;

-- The changes that restore the state right after a publication: each entry that changed since gets its revision of that
-- time, or is unpublished.
create or replace function curation.rollback_changes(p_publication bigint, out entries uuid[], out revisions uuid[])
language sql stable set search_path = pg_catalog, pg_temp as $$
    select coalesce(array_agg(entry_id order by entry_id), '{}'), coalesce(array_agg(old_revision order by entry_id), '{}')
    from (
        select distinct on (c.entry_id) c.entry_id, c.old_revision, l.revision_id
        from curation.publication_change c left join curation.live l on l.entry_id = c.entry_id
        where c.publication > p_publication order by c.entry_id, c.publication) first
    where first.old_revision is distinct from first.revision_id
$$;

select curation.read_through_indexes('publish(uuid[], uuid[], uuid, uuid, text)');

-- The entries that the triggers of the live set refuse whatever else is published, with the first reason of each. An error names one
-- of them only.
create or replace function curation.refused_alone(p_entries uuid[], p_revisions uuid[]) returns jsonb language plpgsql stable as $$
declare
    changed uuid[];
begin
    select array_agg(c.revision_id) into changed
    from unnest(p_entries, p_revisions) c (entry_id, revision_id)
    -- what isn't approved is refused first
    join curation.publish_approval p on p.revision_id = c.revision_id and p.entry_id = c.entry_id
    left join curation.live l on l.entry_id = c.entry_id
    where l.revision_id is distinct from c.revision_id;
    return (
        select coalesce(jsonb_agg(curation.blocked_entry(f.rule, f.message, f.entry_id::text) order by f.entry_id), '[]')
        from (
            select distinct on (x.entry_id) x.* from (
                -- in the order of their triggers
                select 1 as position, r.* from curation.refused_image_hosts(changed) r
                -- which follows a setting that may be published, too
                where not exists (select from curation.entry e where e.id = any(p_entries) and e.kind = 'setting')
                union all select 2, r.* from curation.refused_images(changed) r
                union all select 3, r.* from curation.refused_playlists(changed) r) x
            order by x.entry_id, x.position) f);
end $$;

-- Leaves out the entries that a rule blocks, and returns their reasons. Where the rule names none of them, such as a key
-- that two entries share, the first that fails together with those before it is left out.
create or replace function curation.leave_out_blocked(inout entries uuid[], inout revisions uuid[], out blocked jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    refused jsonb;
    named jsonb := curation.refused_alone(entries, revisions);
    passed integer;
    failed integer;
    middle integer;
begin
    blocked := '[]';
    loop
        if named <> '[]' then
            blocked := blocked || named;
            select coalesce(array_agg(c.entry_id order by c.i), '{}'), coalesce(array_agg(c.revision_id order by c.i), '{}')
            into entries, revisions
            from unnest(entries, revisions) with ordinality c (entry_id, revision_id, i)
            where c.entry_id not in (select (b ->> 'entry')::uuid from jsonb_array_elements(named) b);
        end if;
        exit when coalesce(cardinality(entries), 0) = 0;
        refused := curation.plan(entries, revisions, 0) -> 'blocked';
        exit when refused = '[]';
        select coalesce(jsonb_agg(b), '[]') into named
        from jsonb_array_elements(refused) b where (b ->> 'entry')::uuid = any (entries);
        if named = '[]' then
            -- What waits besides and cannot be published is nobody's.
            exit when curation.plan('{}', '{}', 0) -> 'blocked' <> '[]';
            passed := 0;
            failed := cardinality(entries);
            while failed - passed > 1 loop
                middle := (passed + failed) / 2;
                if curation.plan(entries[:middle], revisions[:middle], 0) -> 'blocked' = '[]' then
                    passed := middle;
                else
                    failed := middle;
                end if;
            end loop;
            refused := curation.plan(entries[:failed], revisions[:failed], 0) -> 'blocked' -> 0;
            named := jsonb_build_array(curation.blocked_entry(refused ->> 'rule', refused ->> 'reason', entries[failed]::text)
                || jsonb_build_object('detail', refused -> 'detail'));
        end if;
    end loop;
end $$;

-- Publishes what no rule blocks, in one publication, and returns the blocked entries with their reasons.
create or replace function curation.publish_rest(p_entries uuid[], p_revisions uuid[], p_actor uuid, p_note text,
    out publication bigint, out blocked jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    rest record;
begin
    begin
        blocked := '[]';
        publication := curation.publish(p_entries, p_revisions, p_actor, null, p_note);
        return;
    exception when integrity_constraint_violation then
        null;
    end;
    select * into rest from curation.leave_out_blocked(p_entries, p_revisions);
    blocked := rest.blocked;
    if cardinality(rest.entries) > 0 then
        publication := curation.publish(rest.entries, rest.revisions, p_actor, null, p_note);
    end if;
end $$;

-- Publishes a scheduled release. Nobody looks at it at its time, so it never replaces a newer version than its own, unless
-- that version was published when the entry was added or when somebody confirmed it (`ReleaseStore.confirm`). Newer
-- versions are based on older ones, so replacing an older one loses nothing. An unpublishing applies to any version.
create or replace function curation.publish_scheduled(p_release uuid, p_actor uuid, p_note text) returns bigint
language plpgsql as $$
declare
    newer record;
    publication bigint;
begin
    select i.entry_id, published.number as published, item.number as item into newer
    from curation.release_item i
    join curation.live l on l.entry_id = i.entry_id
    join curation.revision published on published.id = l.revision_id
    join curation.revision item on item.id = i.revision_id
    where i.release_id = p_release and published.number > item.number
      and l.revision_id is distinct from i.base_revision and l.revision_id is distinct from i.confirmed_revision
    order by i.entry_id limit 1;
    if found then
        -- As errors of publish, it names its entry.
        raise exception using errcode = 'check_violation', constraint = 'replaces_newer',
            message = format('version %s violates "replaces_newer": the newer version %s was published after the release was scheduled',
                newer.item, newer.published),
            detail = jsonb_build_object('entry', newer.entry_id)::text;
    end if;
    select curation.publish(c.entries, c.revisions, p_actor, p_release, p_note) into publication
    from curation.release_changes(p_release) c;
    return publication;
end $$;

-- Publishes due releases, earliest first, under the publication lock, so that overdue ones keep their order on any
-- daemon. A release that cannot be published fails with its reason and changes nothing. Returns the results.
create or replace function curation.publish_due(p_actor uuid, p_limit integer)
returns table (release_id uuid, release_number bigint, publication bigint, failure text, late_ms bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    due record;
    published integer := 0;
    reason text;
    detail text;
begin
    while published < p_limit loop
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
            publication := curation.publish_scheduled(due.id, p_actor, due.title);
        exception when others then
            -- Temporary errors roll back and are retried later: deadlocks and serialization failures, full disks, lock
            -- timeouts, shutdown, read-only servers.
            if sqlstate ~ '^(40|53|57|58|55P03|25006)' then raise; end if;
            get stacked diagnostics reason = message_text, detail = pg_exception_detail;
            failure := reason;
            insert into ops.audit_event (actor_id, action, object_type, object_id, detail)
            values (p_actor, 'release.fail', 'release', due.number::text, jsonb_build_object('reason', reason));
            -- An error of a rule names its entry (publish).
            update curation.release set state = 'failed', failure = reason, finished_at = clock_timestamp(),
                failed_entry = case when sqlstate ~ '^23' then (detail::jsonb ->> 'entry')::uuid end
            where id = due.id;
            perform ops.notify_failure(due.id);
        end;
        late_ms := (extract(epoch from clock_timestamp() - due.due_at) * 1000)::bigint;
        published := published + 1;
        return next;
    end loop;
end $$;

grant execute on function curation.publish(uuid[], uuid[], uuid, uuid, text),
    curation.publish_rest(uuid[], uuid[], uuid, text), curation.leave_out_blocked(uuid[], uuid[]), curation.lock_publications(),
    curation.release_changes(uuid), curation.rollback_changes(bigint) to @daemon@;
grant execute on function curation.publish_due(uuid, integer) to @schedule@;
