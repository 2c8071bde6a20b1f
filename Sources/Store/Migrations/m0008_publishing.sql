-- The publication: one function, one transaction, the only way into the read tables.
set local role @owner@;

-- The read tables that are projected, in the order in which they are computed; one row each, kept by projection.install.
create table projection.read_table (
    name text primary key,
    position integer not null,
    key text[] not null,
    checksum text not null
);

-- Makes the functions of one projection from its view, its key and its `affected` function:
--   apply_X(publication, change number)    writes the rows that differ among the affected keys, and their changes
--   plan_X(publication)                    the same difference, only told
--   differences_X()                        the full comparison of view and table
--   rebuild_X(publication, change number)  writes what differences_X names
create function projection.install(table_name text, table_position integer, table_key text[], table_checksum text)
returns void language plpgsql as $install$
declare
    columns text;
    assignments text;
    keys text := array_to_string(table_key, ', ');
    key_of_k text := 'k.' || array_to_string(table_key, ', k.');
    key_of_t text := 't.' || array_to_string(table_key, ', t.');
    key_text text := (select string_agg(format('x.%s::text', c), $q$ || '/' || $q$) from unnest(table_key) c);
    key_text_of_t text := (select string_agg(format('t.%s::text', c), $q$ || '/' || $q$) from unnest(table_key) c);
    key_text_of_n text := (select string_agg(format('n.%s::text', c), $q$ || '/' || $q$) from unnest(table_key) c);
    t_is_k text := (select string_agg(format('t.%s = k.%s', c, c), ' and ') from unnest(table_key) c);
    t_is_n text := (select string_agg(format('t.%s = n.%s', c, c), ' and ') from unnest(table_key) c);
    v_is_k text := (select string_agg(format('v.%s = k.%s', c, c), ' and ') from unnest(table_key) c);
    first_key text := table_key[1];
    write_body text;
begin
    select string_agg(quote_ident(attname), ', ' order by attnum),
           string_agg(format('%I = n.%I', attname, attname), ', ' order by attnum) filter (where attname <> all (table_key))
    into columns, assignments
    from pg_attribute
    where attrelid = format('api_v1.%I', table_name)::regclass and attnum > 0 and not attisdropped;

    write_body := format($body$
        n as materialized (
            select v.* from k cross join lateral (select * from projection.%1$I v where %2$s offset 0) v),
        d as (
            delete from api_v1.%1$I t using k
            where %3$s and not exists (select from n where %4$s) returning %5$s, 'delete'::text as operation),
        u as (
            update api_v1.%1$I t set %6$s from n where %4$s and t *<> n returning %5$s, 'update'::text as operation),
        i as (
            insert into api_v1.%1$I as t (%7$s)
            select n.* from n where not exists (select from api_v1.%1$I t where %4$s)
            returning %5$s, 'insert'::text as operation),
        x as (select * from d union all select * from u union all select * from i),
        c as (
            insert into api_v1.change (number, publication, read_table, key, operation)
            select p_change + row_number() over (order by %8$s), p_publication, %9$L, %8$s, x.operation from x
            returning operation)
        select count(*) filter (where operation = 'insert'), count(*) filter (where operation = 'update'),
               count(*) filter (where operation = 'delete')
        into inserted, updated, deleted from c $body$,
        table_name, v_is_k, t_is_k, t_is_n, key_of_t,
        coalesce(assignments, format('%I = n.%I', first_key, first_key)), columns, key_text, table_name);

    execute format($make$
        create or replace function projection.apply_%1$s(p_publication bigint, p_change bigint,
            out inserted bigint, out updated bigint, out deleted bigint) language plpgsql as $f$
        begin
            with k as materialized (select distinct %2$s from projection.%1$s_affected(p_publication) k), %3$s;
        end $f$ $make$, table_name, key_of_k, write_body);

    execute format($make$
        create or replace function projection.differences_%1$s()
        returns table (read_table text, key text, operation text) language sql stable as $f$
            select %2$L, coalesce(%3$s, %4$s),
                   case when t.%5$I is null then 'insert' when n.%5$I is null then 'delete' else 'update' end
            from projection.%1$I n full join api_v1.%1$I t on %6$s
            where t.%5$I is null or n.%5$I is null or t *<> n
        $f$ $make$, table_name, table_name, key_text_of_n, key_text_of_t, first_key, t_is_n);

    execute format($make$
        create or replace function projection.rebuild_%1$s(p_publication bigint, p_change bigint,
            out inserted bigint, out updated bigint, out deleted bigint) language plpgsql as $f$
        begin
            with k as materialized (
                select %2$s from (select %3$s from projection.%1$I n full join api_v1.%1$I t on %4$s
                    where t.%5$I is null or n.%5$I is null or t *<> n) k), %6$s;
        end $f$ $make$, table_name, key_of_k,
        (select string_agg(format('coalesce(n.%s, t.%s) as %s', c, c, c), ', ') from unnest(table_key) c),
        t_is_n, first_key, write_body);

    execute format($make$
        create or replace function projection.plan_%1$s(p_publication bigint)
        returns table (read_table text, key text, operation text, before jsonb, after jsonb) language sql as $f$
            with k as materialized (select distinct %2$s from projection.%1$s_affected(p_publication) k),
            n as materialized (
                select v.* from k cross join lateral (select * from projection.%1$I v where %3$s offset 0) v),
            t as materialized (
                select v.* from k cross join lateral (select * from api_v1.%1$I v where %3$s offset 0) v)
            select %4$L, coalesce(%5$s, %6$s),
                   case when t.%7$I is null then 'insert' when n.%7$I is null then 'delete' else 'update' end,
                   case when t.%7$I is not null then to_jsonb(t) end, case when n.%7$I is not null then to_jsonb(n) end
            from n full join t on %8$s
            where t.%7$I is null or n.%7$I is null or t *<> n
        $f$ $make$, table_name, key_of_k, v_is_k, table_name, key_text_of_n, key_text_of_t, first_key, t_is_n);

    insert into projection.read_table (name, position, key, checksum)
    values (table_name, table_position, table_key, table_checksum)
    on conflict (name) do update
    set position = excluded.position, key = excluded.key, checksum = excluded.checksum;
end $install$;

-- Makes the functions that go over all projections, so that their statements are planned once and kept.
create function projection.install_all() returns void language plpgsql as $install$
declare
    names text[] := array(select name from projection.read_table order by position);
    calls text := '';
    rebuilds text := '';
    name text;
begin
    foreach name in array names loop
        calls := calls || format('counts := projection.apply_%s(p_publication, p_change + total);
            total := total + counts.inserted + counts.updated + counts.deleted; inserted := inserted + counts.inserted;
            updated := updated + counts.updated; deleted := deleted + counts.deleted; ', name);
        rebuilds := rebuilds || format('counts := projection.rebuild_%s(p_publication, p_change + total);
            total := total + counts.inserted + counts.updated + counts.deleted; inserted := inserted + counts.inserted;
            updated := updated + counts.updated; deleted := deleted + counts.deleted; ', name);
    end loop;
    execute format($make$
        create or replace function projection.apply_all(p_publication bigint, p_change bigint,
            out inserted bigint, out updated bigint, out deleted bigint) language plpgsql as $f$
        declare counts record; total bigint := 0;
        begin inserted := 0; updated := 0; deleted := 0; %s end $f$ $make$, calls);
    execute format($make$
        create or replace function projection.rebuild_all(p_publication bigint, p_change bigint,
            out inserted bigint, out updated bigint, out deleted bigint) language plpgsql as $f$
        declare counts record; total bigint := 0;
        begin inserted := 0; updated := 0; deleted := 0; %s end $f$ $make$, rebuilds);
    execute format($make$
        create or replace function projection.plan_all(p_publication bigint)
        returns table (read_table text, key text, operation text, before jsonb, after jsonb) language sql as $f$ %s $f$
        $make$, (select string_agg(format('select * from projection.plan_%s(p_publication)', n), ' union all ') from unnest(names) n));
    execute format($make$
        create or replace function projection.differences_all()
        returns table (read_table text, key text, operation text) language sql stable as $f$ %s $f$
        $make$, (select string_agg(format('select * from projection.differences_%s()', n), ' union all ') from unnest(names) n));
end $install$;

-- Changes the live set: entry i shows revision i, or is withdrawn where the revision is null. Entries that already are
-- as asked are left out. Writes publication_change, live, slug, ready and tally; returns how many entries changed.
create function curation.change_live(p_publication bigint, p_entries uuid[], p_revisions uuid[])
returns bigint language plpgsql as $$
declare
    changed bigint;
    offender record;
begin
    insert into curation.publication_change (publication, entry_id, old_revision, new_revision)
    select p_publication, c.entry_id, l.revision_id, c.revision_id
    from unnest(p_entries, p_revisions) c (entry_id, revision_id)
    left join curation.live l on l.entry_id = c.entry_id
    where l.revision_id is distinct from c.revision_id;
    get diagnostics changed = row_count;
    if changed = 0 then return 0; end if;

    delete from curation.live l using curation.publication_change c
    where c.publication = p_publication and c.new_revision is null and l.entry_id = c.entry_id;
    insert into curation.live (entry_id, revision_id, type, kind)
    select c.entry_id, c.new_revision, e.type, e.kind
    from curation.publication_change c join curation.entry e on e.id = c.entry_id
    where c.publication = p_publication and c.new_revision is not null
    on conflict (entry_id) do update set revision_id = excluded.revision_id;

    update curation.slug s set published_in = p_publication
    from (
        select c.entry_id, e.kind, r.content ->> 'slug' as slug
        from curation.publication_change c
        join curation.entry e on e.id = c.entry_id
        join curation.revision r on r.id = c.new_revision
        where c.publication = p_publication offset 0) x
    where s.kind = x.kind and s.slug = x.slug and s.entry_id = x.entry_id and s.published_in is null;
    select c.entry_id, r.content ->> 'slug' as slug into offender
    from curation.publication_change c
    join curation.entry e on e.id = c.entry_id
    join curation.revision r on r.id = c.new_revision
    where c.publication = p_publication and r.content ->> 'slug' is not null
      and not exists (select from curation.slug s
                      where s.kind = e.kind and s.slug = r.content ->> 'slug' and s.entry_id = c.entry_id)
    limit 1;
    if found then
        perform curation.refuse('slug_owner', format('the address "%s" belongs to another entry', offender.slug));
    end if;

    delete from curation.ready w using curation.publication_change c, curation.revision shown, curation.revision waiting
    where c.publication = p_publication and w.entry_id = c.entry_id and waiting.id = w.revision_id
      and shown.id = coalesce(c.new_revision, c.old_revision) and waiting.number <= shown.number;

    merge into curation.tally t
    using (
        select r.field, r.target_entry_id, e.type, sum(x.sign) as n
        from (select entry_id, old_revision as revision_id, -1 as sign from curation.publication_change
              where publication = p_publication and old_revision is not null
              union all
              select entry_id, new_revision, 1 from curation.publication_change
              where publication = p_publication and new_revision is not null) x
        join curation.reference r on r.revision_id = x.revision_id and r.counted
        join curation.entry e on e.id = x.entry_id
        group by r.field, r.target_entry_id, e.type
        having sum(x.sign) <> 0) d
    on t.field = d.field and t.target_entry_id = d.target_entry_id and t.type = d.type
    when matched and t.n + d.n = 0 then delete
    when matched then update set n = t.n + d.n
    when not matched then insert (field, target_entry_id, type, n) values (d.field, d.target_entry_id, d.type, d.n);
    return changed;
end $$;

create view projection.tally as
select r.field, r.target_entry_id, l.type, count(*) as n
from curation.live l join curation.reference r on r.revision_id = l.revision_id and r.counted
group by r.field, r.target_entry_id, l.type;

-- Writes the publication's row with its number, before the read tables are computed: they may name it.
create function curation.begin_publication(p_number bigint, p_actor uuid, p_release uuid, p_note text)
returns void language sql as $$
    insert into curation.publication (number, actor_id, release_id, note, inserted, updated, deleted, took_ms)
    values (p_number, p_actor, p_release, p_note, 0, 0, 0, 0)
$$;

-- Completes it with what was written, raises the counter and tells the listeners.
create function curation.end_publication(p_number bigint, p_change bigint,
    p_inserted bigint, p_updated bigint, p_deleted bigint) returns void language plpgsql as $$
declare
    changes bigint := p_inserted + p_updated + p_deleted;
begin
    update curation.publication set inserted = p_inserted, updated = p_updated, deleted = p_deleted,
        took_ms = (extract(epoch from clock_timestamp() - published_at) * 1000)::integer
    where number = p_number;
    insert into api_v1.publication (number, published_at, changes)
    select number, published_at, changes from curation.publication where number = p_number;
    update curation.publication_counter set number = p_number, change_number = p_change + changes;
    perform pg_notify('vitrine_publication', p_number::text);
end $$;

-- Planning a publication's statements takes ten times as long as running them for one entry. So small publications keep
-- their plans, and these always go from the changed entries to an index: a kept plan knows no row counts, and a guess
-- that is too high would read whole tables. Large ones are worth plans of their own. Compiling (JIT) never pays here.
create function curation.choose_plans(p_entries integer) returns void language plpgsql as $$
declare
    is_small boolean := p_entries <= 100;
    choice text := case when is_small then 'off' else 'on' end;
begin
    perform set_config('plan_cache_mode', case when is_small then 'force_generic_plan' else 'force_custom_plan' end, true),
        set_config('enable_seqscan', choice, true), set_config('enable_hashjoin', choice, true),
        set_config('enable_mergejoin', choice, true),
        set_config('join_collapse_limit', case when is_small then '1' else '8' end, true),
        set_config('jit', 'off', true);
end $$;

-- Publishes: everything or nothing, under the one lock. Returns the publication's number, or null when the live set
-- already is as asked. p_release marks the release published; p_base refuses when other publications came between.
create function curation.publish(p_entries uuid[], p_revisions uuid[], p_actor uuid, p_release uuid, p_note text)
returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    counter curation.publication_counter;
    publication bigint;
    counts record;
begin
    perform curation.choose_plans(cardinality(p_entries));
    select * into counter from curation.publication_counter for update;
    publication := counter.number + 1;
    if curation.change_live(publication, p_entries, p_revisions) = 0 then
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

-- Tells what publish would do, row by row, and leaves nothing behind: the change is undone inside the function.
create function curation.plan(p_entries uuid[], p_revisions uuid[])
returns table (read_table text, key text, operation text, before jsonb, after jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    rows jsonb := '[]';
    publication bigint;
begin
    perform curation.choose_plans(cardinality(p_entries));
    begin
        insert into ops.audit_event (actor_id, act, object_type)
        values ('00000000-0000-7000-8000-000000000001', 'publication.plan', 'publication');
        select number + 1 into publication from curation.publication_counter for update;
        if curation.change_live(publication, p_entries, p_revisions) > 0 then
            perform curation.begin_publication(publication, '00000000-0000-7000-8000-000000000001', null, '');
            select coalesce(jsonb_agg(to_jsonb(d)), '[]') into rows from projection.plan_all(publication) d;
        end if;
        raise exception using errcode = 'VT000';
    exception when sqlstate 'VT000' then
        null;
    end;
    return query
        select d.read_table, d.key, d.operation, nullif(d.before, 'null'), nullif(d.after, 'null')
        from jsonb_to_recordset(rows) d (read_table text, key text, operation text, before jsonb, after jsonb);
end $$;

-- Compares every read table (and the tally) with what the live set says; names every row that differs.
create function curation.verify() returns table (read_table text, key text, operation text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query
    select * from projection.differences_all()
    union all
    select 'tally', coalesce(n.field, t.field) || '/' || coalesce(n.target_entry_id, t.target_entry_id)::text || '/'
               || coalesce(n.type, t.type),
           case when t.field is null then 'insert' when n.field is null then 'delete' else 'update' end
    from projection.tally n full join curation.tally t
      on t.field = n.field and t.target_entry_id = n.target_entry_id and t.type = n.type
    where n.n is distinct from t.n;
end $$;

-- Applies what verify names in one publication; readers see the old rows or the new ones, never a gap.
create function curation.rebuild(p_actor uuid, p_note text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    counter curation.publication_counter;
    counts record;
begin
    select * into counter from curation.publication_counter for update;
    delete from curation.tally t where not exists (select from projection.tally n
        where n.field = t.field and n.target_entry_id = t.target_entry_id and n.type = t.type and n.n = t.n);
    insert into curation.tally select * from projection.tally n
    on conflict (field, target_entry_id, type) do nothing;
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
            insert into ops.audit_event (actor_id, act, object_type, object_id, detail)
            values (p_actor, 'release.publish', 'release', due.number::text, jsonb_build_object('due_at', due.due_at));
            select curation.publish(array_agg(i.entry_id order by i.entry_id), array_agg(i.revision_id order by i.entry_id),
                p_actor, due.id, due.title)
            into publication from curation.release_item i where i.release_id = due.id;
        exception when others then
            -- What may pass by itself undoes this turn and is tried again at the next: deadlocks and serialization, no room,
            -- a lock that was not free in time, a server that shuts down or is read only.
            if sqlstate ~ '^(40|53|57|58|55P03|25006)' then raise; end if;
            get stacked diagnostics reason = message_text;
            failure := reason;
            insert into ops.audit_event (actor_id, act, object_type, object_id, detail)
            values (p_actor, 'release.fail', 'release', due.number::text, jsonb_build_object('reason', reason));
            update curation.release set state = 'failed', failure = reason, finished_at = clock_timestamp()
            where id = due.id;
        end;
        late_ms := (extract(epoch from clock_timestamp() - due.due_at) * 1000)::bigint;
        done := done + 1;
        return next;
    end loop;
end $$;

revoke execute on all functions in schema curation, projection from public;
grant execute on function curation.publish(uuid[], uuid[], uuid, uuid, text), curation.plan(uuid[], uuid[]),
    curation.verify(), curation.rebuild(uuid, text), curation.publish_due(uuid, integer), curation.uuid_v7(),
    curation.submission_state(uuid), curation.refuse(text, text) to @daemon@;
grant select on projection.read_table to @daemon@;

reset role;
