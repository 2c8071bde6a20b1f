-- Observations of air quality and obstructions, and what routes read of them.

-- Moves pending observations into a publication. Returns their number.
create or replace function curation.apply_observations(p_publication bigint) returns bigint language plpgsql as $$
declare
    applied bigint;
begin
    with t as (delete from curation.observation_pending returning kind, key)
    insert into curation.observation_change (publication, kind, key) select p_publication, kind, key from t;
    get diagnostics applied = row_count;
    return applied;
end $$;

-- The observations that a publication applied, for the `affected` functions, like curation.changed.
create or replace function curation.changed_observations(p_publication bigint, p_kind text) returns setof text
language plpgsql stable rows 1 as $$
begin
    return query select key from curation.observation_change where publication = p_publication and kind = p_kind;
end $$;

-- Whether observations are older than the setting observations.keep_days; never if it is 0 or not a number.
create or replace function curation.has_expired_observations() returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return exists (
        select from curation.validity_period
        where valid_to < now() - make_interval(days => nullif(
            substring(projection.setting('observations.keep_days') from '^[0-9]{1,5}$')::integer, 0)));
end $$;

-- Deletes up to p_limit expired periods with their badge results in one publication. Returns its number. The lock comes
-- first.
create or replace function curation.prune_observations(p_actor uuid, p_limit integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    days integer := nullif(substring(projection.setting('observations.keep_days') from '^[0-9]{1,5}$')::integer, 0);
    publication bigint;
begin
    perform from curation.publication_counter for update;
    with expired as (
        update curation.validity_period set is_expired = true
        where id in (select id from curation.validity_period where valid_to < now() - make_interval(days => days)
                     order by valid_to limit p_limit)
        returning id)
    insert into curation.observation_pending (kind, key) select 'period', id::text from expired on conflict do nothing;
    publication := curation.publish('{}', '{}', p_actor, null, format('deleted observations older than %s days', days));
    delete from curation.observation f using curation.validity_period s where s.id = f.period_id and s.is_expired;
    delete from curation.validity_period where is_expired;
    return publication;
end $$;

-- The route settings, for the admin interface.
create or replace function curation.route_settings()
returns table (sample_m double precision, zoom_max_elevation_m double precision, air_reach_m double precision,
    obstruction_reach_m double precision, multiplier_heart double precision, multiplier_zoom double precision,
    multiplier_both double precision, heart_when_equal double precision, zoom_when_equal double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query select * from projection.route_settings;
end $$;

-- The samples of a published route, with the nearest observation in the newest period of each kind.
create or replace function curation.route_samples(p_route uuid)
returns table (badge text, number integer, distance_m double precision, latitude double precision,
    longitude double precision, postcode text, value double precision, site text, site_distance_m double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query
    select case s.kind when 'air' then 'heart' when 'obstruction' then 'zoom' end, m.number, m.distance_m, m.latitude,
           m.longitude, projection.nearest_postcode(m.latitude, m.longitude), f.value::double precision, f.site, f.distance_m
    from curation.live l
    join curation.route_path p on p.revision_id = l.revision_id
    cross join projection.route_settings t
    cross join lateral (
        select null::bigint as id, null as kind
        union all
        (select distinct on (k.kind) k.id, k.kind from curation.validity_period k
         where k.city = p.city and k.valid_from <= now() order by k.kind, k.valid_from desc)) s
    cross join lateral projection.path_samples(p.distances, p.latitudes, p.longitudes, t.sample_m) m
    left join lateral projection.nearest_observation(s.id, m.latitude, m.longitude,
        case s.kind when 'air' then t.air_reach_m else t.obstruction_reach_m end) f on true
    where l.entry_id = p_route and l.kind = 'route';
end $$;

-- The obstructions near the line of a published route in the newest period.
create or replace function curation.route_obstructions(p_route uuid)
returns table (site text, value double precision, distance_m double precision, along_m double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query
    select o.site, o.value::double precision, o.distance_m, o.along_m
    from curation.live l
    join curation.route_path p on p.revision_id = l.revision_id
    cross join projection.route_settings t
    cross join lateral (
        select k.id from curation.validity_period k
        where k.city = p.city and k.kind = 'obstruction' and k.valid_from <= now() order by k.valid_from desc limit 1) s
    cross join lateral projection.obstructions_near(s.id, p.distances, p.latitudes, p.longitudes, t.obstruction_reach_m) o
    where l.entry_id = p_route and l.kind = 'route'
    order by o.along_m, o.site limit 100;
end $$;

grant execute on function curation.has_expired_observations(), curation.prune_observations(uuid, integer),
    curation.route_settings(), curation.route_samples(uuid), curation.route_obstructions(uuid) to @daemon@;
