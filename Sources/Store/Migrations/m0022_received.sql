-- What comes from another deployment with a release: the things of the catalogs that its lists name. What goes: old facts.
set local role @owner@;

-- Keeps things that are not here yet, with the ids that they have elsewhere. Nobody reads them before something live names
-- them. What is known here by its id or at its source stays as it is.
create function curation.receive_catalog(p_ids uuid[], p_kinds text[], p_sources text[], p_external_ids text[],
    p_titles text[], p_details jsonb[]) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into curation.catalog_item (id, kind, source, external_id, title, details)
    select * from unnest(p_ids, p_kinds, p_sources, p_external_ids, p_titles, p_details)
    on conflict do nothing
$$;

revoke execute on function curation.receive_catalog(uuid[], text[], text[], text[], text[], jsonb[]) from public;
grant execute on function curation.receive_catalog(uuid[], text[], text[], text[], text[], jsonb[]) to @daemon@;

-- Only while curation.prune_observations works: what readers see of a slot goes before the slot does.
alter table curation.validity_period add column is_old boolean not null default false;

-- Whether there are facts that were over for longer than the setting facts.keep_days says; never where that is 0 or no number.
create function curation.has_old_observations() returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return exists (
        select from curation.validity_period
        where valid_to < now() - make_interval(days => nullif(
            substring(projection.setting('facts.keep_days') from '^[0-9]{1,5}$')::integer, 0)));
end $$;

-- Removes such facts, at most so many slots, with what they gave routes, in one publication: its number. The lock comes first.
create function curation.prune_observations(p_actor uuid, p_limit integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    days integer := nullif(substring(projection.setting('facts.keep_days') from '^[0-9]{1,5}$')::integer, 0);
    publication bigint;
begin
    perform from curation.publication_counter for update;
    with old as (
        update curation.validity_period set is_old = true
        where id in (select id from curation.validity_period where valid_to < now() - make_interval(days => days)
                     order by valid_to limit p_limit)
        returning id)
    insert into curation.observation_pending (kind, key) select 'slot', id::text from old on conflict do nothing;
    publication := curation.publish('{}', '{}', p_actor, null, format('facts older than %s days removed', days));
    delete from curation.observation f using curation.validity_period s where s.id = f.period_id and s.is_old;
    delete from curation.validity_period where is_old;
    return publication;
end $$;

revoke execute on function curation.has_old_observations(), curation.prune_observations(uuid, integer) from public;
grant execute on function curation.has_old_observations(), curation.prune_observations(uuid, integer) to @daemon@;

reset role;
