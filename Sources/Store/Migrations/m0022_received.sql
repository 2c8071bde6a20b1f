-- What comes from another deployment with a release: the things of the catalogues that its lists name.
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

reset role;
