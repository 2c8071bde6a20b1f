-- What comes from another deployment with a release: the things of the catalogues that its lists name. What goes: old facts.
set local role @owner@;

-- Keeps things that are not here yet, with the ids that they have elsewhere. Nobody reads them before something live names
-- them. What is known here by its id or at its source stays as it is.
create function curation.receive_catalogue(p_ids uuid[], p_kinds text[], p_sources text[], p_external_ids text[],
    p_titles text[], p_details jsonb[]) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into curation.catalogue_item (id, kind, source, external_id, title, details)
    select * from unnest(p_ids, p_kinds, p_sources, p_external_ids, p_titles, p_details)
    on conflict do nothing
$$;

revoke execute on function curation.receive_catalogue(uuid[], text[], text[], text[], text[], jsonb[]) from public;
grant execute on function curation.receive_catalogue(uuid[], text[], text[], text[], text[], jsonb[]) to @daemon@;

-- Only while curation.prune_facts works: what readers see of a slot goes before the slot does.
alter table curation.fact_slot add column is_old boolean not null default false;

-- Whether there are facts that were over for longer than the setting facts.keep_days says; never where that is 0 or no number.
create function curation.has_old_facts() returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return exists (
        select from curation.fact_slot
        where valid_to < now() - make_interval(days => nullif(
            substring(projection.setting('facts.keep_days') from '^[0-9]{1,5}$')::integer, 0)));
end $$;

-- Removes such facts, at most so many slots, with what they gave routes, in one publication: its number. The lock comes first.
create function curation.prune_facts(p_actor uuid, p_limit integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    days integer := nullif(substring(projection.setting('facts.keep_days') from '^[0-9]{1,5}$')::integer, 0);
    publication bigint;
begin
    perform from curation.publication_counter for update;
    with old as (
        update curation.fact_slot set is_old = true
        where id in (select id from curation.fact_slot where valid_to < now() - make_interval(days => days)
                     order by valid_to limit p_limit)
        returning id)
    insert into curation.fact_pending (kind, key) select 'slot', id::text from old on conflict do nothing;
    publication := curation.publish('{}', '{}', p_actor, null, format('facts older than %s days removed', days));
    delete from curation.fact f using curation.fact_slot s where s.id = f.slot_id and s.is_old;
    delete from curation.fact_slot where is_old;
    return publication;
end $$;

revoke execute on function curation.has_old_facts(), curation.prune_facts(uuid, integer) from public;
grant execute on function curation.has_old_facts(), curation.prune_facts(uuid, integer) to @daemon@;

reset role;
