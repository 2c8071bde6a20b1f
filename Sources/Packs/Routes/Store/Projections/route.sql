-- Routes, and their path with samples (C13). Key: id. Begins with functions shared with badges: distances, settings,
-- samples.

-- Distance in meters on a sphere, by the haversine formula.
create or replace function projection.meters(lat1 double precision, lon1 double precision, lat2 double precision,
    lon2 double precision) returns double precision language sql immutable parallel safe as $$
    select 2 * 6371008.8 * asin(least(1, sqrt(
        sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lon2 - lon1) / 2) ^ 2)))
$$;

-- The route settings (C19, K13) in one row: simulated values first, then published ones, then the defaults here.
create view projection.route_settings as
select coalesce(max(s.value) filter (where s.key = 'routes.sample_miles'), 0.5) * 1609.344 as sample_m,
       coalesce(max(s.value) filter (where s.key = 'routes.zoom_max_elevation_m'), 10) as zoom_max_elevation_m,
       coalesce(max(s.value) filter (where s.key = 'routes.air_reach_m'), 5000) as air_reach_m,
       coalesce(max(s.value) filter (where s.key = 'routes.obstruction_reach_m'), 805) as obstruction_reach_m,
       coalesce(max(s.value) filter (where s.key = 'routes.multiplier.heart'), 1.25) as multiplier_heart,
       coalesce(max(s.value) filter (where s.key = 'routes.multiplier.zoom'), 1.25) as multiplier_zoom,
       coalesce(max(s.value) filter (where s.key = 'routes.multiplier.both'), 2) as multiplier_both,
       -- comparators: 1 if equality is enough
       coalesce(max(s.value) filter (where s.key = 'routes.heart_comparator'), 0) as heart_when_equal,
       coalesce(max(s.value) filter (where s.key = 'routes.zoom_comparator'), 1) as zoom_when_equal
from (
    select distinct on (u.key) u.key, u.value
    from (
        select 0 as rank, t.key, t.value from curation.simulated_setting t
        union all
        select 1, r.content ->> 'key', case
            when r.content ->> 'value' = '<' then 0
            when r.content ->> 'value' = '<=' then 1
            when r.content ->> 'value' ~ '^-?[0-9]{1,15}(\.[0-9]{1,15})?$' then (r.content ->> 'value')::double precision end
        from curation.live l join curation.revision r on r.id = l.revision_id
        where l.kind = 'setting' and r.content ->> 'key' like 'routes.%'
          and r.content ->> 'value' ~ '^(<=?|-?[0-9]{1,15}(\.[0-9]{1,15})?)$') u
    order by u.key, u.rank) s;

-- Whether a publication changed a setting of all routes.
create or replace function projection.route_settings_changed(p_publication bigint) returns boolean language sql stable as $$
    select exists (select from curation.changed_observations(p_publication, 'setting'))
        or exists (
            select from curation.changed(p_publication) c
            join curation.revision r on r.id in (c.old_revision, c.new_revision)
            where c.kind = 'setting' and r.content ->> 'key' like 'routes.%')
$$;

-- The points at 0, spacing, 2 x spacing ... before the end (<), and the end. A separate function, so that the arrays are
-- decompressed once.
create or replace function projection.path_samples(distances double precision[], latitudes double precision[],
    longitudes double precision[], spacing double precision)
returns table (number integer, distance_m double precision, latitude double precision, longitude double precision)
language plpgsql immutable rows 10 as $$
declare
    length double precision := distances[cardinality(distances)];
    i integer := 1;
    share double precision;
begin
    number := 1;
    distance_m := 0;
    while distance_m < length loop
        while distances[i + 1] < distance_m loop i := i + 1; end loop;
        share := coalesce((distance_m - distances[i]) / nullif(distances[i + 1] - distances[i], 0), 0);
        latitude := latitudes[i] + (latitudes[i + 1] - latitudes[i]) * share;
        longitude := longitudes[i] + (longitudes[i + 1] - longitudes[i]) * share;
        return next;
        distance_m := number * spacing;
        number := number + 1;
    end loop;
    distance_m := length;
    latitude := latitudes[cardinality(latitudes)];
    longitude := longitudes[cardinality(longitudes)];
    return next;
end $$;

-- The nearest postcode within a kilometer.
create or replace function projection.nearest_postcode(at_latitude double precision, at_longitude double precision)
returns text language sql stable as $$
    select n.code
    from (
        select p.code, projection.meters(at_latitude, at_longitude, p.latitude, p.longitude) as distance_m
        from curation.postcode p
        where point(p.longitude, p.latitude) <@ box(
            point(at_longitude - 0.009 / greatest(cos(radians(at_latitude)), 0.01), at_latitude - 0.009),
            point(at_longitude + 0.009 / greatest(cos(radians(at_latitude)), 0.01), at_latitude + 0.009))) n
    where n.distance_m <= 1000 order by n.distance_m, n.code limit 1
$$;

create view projection.route as
select l.entry_id as id, route::api_v1.route as route, route_path::api_v1.route_path as route_path
from curation.live l
join curation.revision r on r.id = l.revision_id
join curation.publish_approval a on a.revision_id = l.revision_id
join curation.route_path p on p.revision_id = l.revision_id
cross join (select *, projection.preview_length() as preview_length from projection.route_settings offset 0) s
cross join lateral (
    select count(*) as n,
           json_agg(json_build_object('distance_m', round(m.distance_m::numeric, 1),
               'lat', round(m.latitude::numeric, 5), 'lon', round(m.longitude::numeric, 5),
               'postcode', projection.nearest_postcode(m.latitude, m.longitude)) order by m.number) as documents
    from projection.path_samples(p.distances, p.latitudes, p.longitudes, s.sample_m) m) m
cross join lateral (
    select p.latitudes[1] as lat1, p.longitudes[1] as lon1, p.latitudes[cardinality(p.latitudes)] as lat2,
           p.longitudes[cardinality(p.longitudes)] as lon2 offset 0) o
cross join lateral (
    select l.entry_id as id,
           r.content ->> 'slug' as slug,
           r.content ->> 'title' as title,
           r.content ->> 'city' as city,
           p.city as city_key,
           p.length_m as distance_m,
           p.net_elevation_m,
           s.multiplier_heart,
           s.multiplier_zoom,
           s.multiplier_both,
           public.cube(array[
               cos(radians(o.lat1)) * cos(radians(o.lon1)), cos(radians(o.lat1)) * sin(radians(o.lon1)), sin(radians(o.lat1)),
               cos(radians(o.lat2)) * cos(radians(o.lon2)), cos(radians(o.lat2)) * sin(radians(o.lon2)), sin(radians(o.lat2))]) as ends,
           json_build_object('id', l.entry_id, 'type', l.type, 'slug', r.content ->> 'slug', 'title', r.content ->> 'title',
               'city', r.content ->> 'city', 'distance_m', round(p.length_m::numeric, 1),
               'distance_miles', round((p.length_m / 1609.344)::numeric, 3), 'net_elevation_m', p.net_elevation_m,
               'start', json_build_object('lat', o.lat1, 'lon', o.lon1), 'end', json_build_object('lat', o.lat2, 'lon', o.lon2),
               'points', cardinality(p.distances), 'samples', m.n, 'preview', projection.preview_text(r.preview, r.plain, s.preview_length),
               'image', r.preview -> 'image', 'updated_at', projection.rfc3339(a.approved_at),
               'revision', r.number) as document) route
cross join lateral (
    select l.entry_id as id,
           json_build_object('points', r.content -> 'path', 'samples', m.documents) as document) route_path
where l.kind = 'route';

-- Postcodes were recorded, or a setting of all routes changed or is simulated.
create or replace function projection.route_by_observation(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select l.entry_id
    from curation.changed_observations(p_publication, 'postcode') k
    join curation.live l on l.entry_id <= k.to_route and (k.after_route is null or l.entry_id > k.after_route)
    where l.kind = 'route'
    union
    select l.entry_id
    from curation.live l
    where l.kind = 'route' and (select projection.route_settings_changed(p_publication))
$$;
