-- Verification and repair of everything derived from the published revisions.

-- The parts of a comparison, in the order in which they are compared: the counts, then slices of each projection; those of
-- the largest last, so that all connections finish at the same time. With p_since, only slices with entries that
-- publications after it changed. p_rows: rows of a slice, by default as many as fit into memory.
create or replace function curation.verification_parts(p_since bigint, p_rows integer)
returns table (part text, first_entry uuid, end_entry uuid)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off as $$
begin
    if p_since is null then
        part := 'counts';
        return next;
    end if;
    for part in
        select t.projection from projection.read_table t group by t.projection
        order by sum(pg_table_size(format('api_v1.%I', t.name)::regclass)), t.projection
    loop
        return query execute format('select %L::text, s.first_entry, s.end_entry from projection.%I($1, $2) s', part, 'slices_' || part)
            using p_since, p_rows;
    end loop;
end $$;

-- Compares one part with the published revisions. Returns the rows that differ. Memory and processes are bounded, because
-- several connections compare parts while others read. A slice is read through indexes: a random page costs little more
-- than the next one, because slices follow the order in which entries were created. Compiling (JIT) would cost seconds
-- more than it saves.
create or replace function curation.verify_part(p_part text, p_since bigint, p_first uuid, p_end uuid)
returns table (read_table text, key text, operation text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off set work_mem = '64MB'
set random_page_cost = 1.1 set max_parallel_workers_per_gather = 0 as $$
declare
    entries uuid[];
begin
    if p_part = 'counts' then
        return query select * from curation.differing_counts();
        return;
    end if;
    if p_since is not null then
        execute format('select projection.%I($1, $2, $3)', 'entries_' || p_part) into entries using p_since, p_first, p_end;
    end if;
    return query
    select * from projection.differences(p_part, p_first, p_end, entries) d
    -- packs: settled
    ;
end $$;

-- Compares every read table, count and merge with the published revisions. Returns the rows that differ.
create or replace function curation.verify() returns table (read_table text, key text, operation text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
    piece record;
begin
    for piece in select * from curation.verification_parts(null, null) loop
        return query select * from curation.verify_part(piece.part, null, piece.first_entry, piece.end_entry);
    end loop;
end $$;

-- Compares counts and merges.
create or replace function curation.differing_counts() returns table (read_table text, key text, operation text)
language plpgsql stable as $$
begin
    return query
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
    -- packs: verify
    union all
    select 'category_merge', coalesce(n.category_id, m.category_id)::text,
           case when m.category_id is null then 'insert' when n.category_id is null then 'delete' else 'update' end
    from projection.category_merge n full join curation.category_merge m on m.category_id = n.category_id
    where n.target_id is distinct from m.target_id
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
    where (n.files, n.bytes, n.mark, n.excluded) is distinct from (t.files, t.bytes, t.mark, t.excluded);
end $$;

-- Applies the differences of curation.verify in one publication; readers see the old or the new rows.
create or replace function curation.repair(p_actor uuid, p_note text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp set jit = off set work_mem = '64MB' as $$
declare
    counter curation.publication_counter;
    counts record;
begin
    select * into counter from curation.publication_counter for update;
    delete from curation.category_merge m where not exists (select from projection.category_merge n
        where n.category_id = m.category_id and n.target_id = m.target_id);
    insert into curation.category_merge select category_id, target_id from projection.category_merge
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
    -- packs: repair
    delete from curation.media_count t where not exists (select from projection.media_count n
        where n.field = t.field and n.target_entry_id = t.target_entry_id and n.media_id = t.media_id and n.n = t.n);
    insert into curation.media_count select * from projection.media_count n
    on conflict (field, target_entry_id, media_id) do nothing;
    delete from curation.media_total t where not exists (select from projection.media_total n
        where n.field = t.field and n.target_entry_id = t.target_entry_id
            and (n.files, n.bytes, n.mark, n.excluded) = (t.files, t.bytes, t.mark, t.excluded));
    insert into curation.media_total select * from projection.media_total n
    on conflict (field, target_entry_id) do nothing;
    perform curation.begin_publication(counter.number + 1, p_actor, null, p_note);
    counts := projection.repair_all(counter.number + 1, counter.change_number);
    return curation.end_repair(counter.number + 1, counter.change_number, counts.inserted, counts.updated, counts.deleted);
end $$;

-- Applies those of these rows that differ, in one publication. The lock is held only while they are compared again.
create or replace function curation.repair_rows(p_actor uuid, p_note text, p_tables text[], p_keys text[]) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    counter curation.publication_counter;
    counts record;
begin
    select * into counter from curation.publication_counter for update;
    perform curation.begin_publication(counter.number + 1, p_actor, null, p_note);
    counts := projection.repair_rows_all(counter.number + 1, p_tables, p_keys, counter.change_number);
    return curation.end_repair(counter.number + 1, counter.change_number, counts.inserted, counts.updated, counts.deleted);
end $$;

select curation.read_through_indexes('repair_rows(uuid, text, text[], text[])');

-- Completes the publication of a repair and returns its number; null without rows, when there is none.
create or replace function curation.end_repair(p_number bigint, p_change bigint, p_inserted bigint, p_updated bigint, p_deleted bigint)
returns bigint language plpgsql as $$
begin
    if p_inserted + p_updated + p_deleted = 0 then
        delete from curation.publication where number = p_number;
        return null;
    end if;
    perform curation.end_publication(p_number, p_change, p_inserted, p_updated, p_deleted);
    return p_number;
end $$;

grant execute on function curation.verify(), curation.verification_parts(bigint, integer),
    curation.verify_part(text, bigint, uuid, uuid), curation.repair(uuid, text),
    curation.repair_rows(uuid, text, text[], text[]) to @daemon@;
