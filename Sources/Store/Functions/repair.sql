-- Verification and repair of everything derived from the published revisions.

-- Compares every read table, count and merge with the published revisions. Returns the rows that differ. Compiling
-- (JIT) would cost seconds more than it saves.
create or replace function curation.verify() returns table (read_table text, key text, operation text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off set work_mem = '64MB' as $$
begin
    return query
    select * from projection.differences_all() d
    -- packs: settled
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
    if counts.inserted + counts.updated + counts.deleted = 0 then
        delete from curation.publication where number = counter.number + 1;
        return null;
    end if;
    perform curation.end_publication(counter.number + 1, counter.change_number,
        counts.inserted, counts.updated, counts.deleted);
    return counter.number + 1;
end $$;

grant execute on function curation.verify(), curation.repair(uuid, text) to @daemon@;
