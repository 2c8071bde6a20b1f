-- Badge results of each route per validity period of its city that is not over (C16, C17, C18). Key: route_id, badge, valid_from.
--
-- A sample gets the value of the nearest site within reach (<=) that has an observation in the period; of several values
-- at a site (substances, sources), the highest counts. If a sample has no value, the result is unknown.
-- heart: the mean of the samples is less than the mean of all sites of the city; compared without division, so that
-- equality is exact.
-- zoom: the net elevation is at most the limit (<=), and no obstruction is within reach (<=) of the line, wherever the
-- samples are. Both comparators are settings (C19, K12).

-- The observation at the nearest site within reach, in a period.
create or replace function projection.nearest_observation(period bigint, at_latitude double precision, at_longitude double precision,
    reach_m double precision)
returns table (value numeric, site text, distance_m double precision) language sql stable rows 1 as $$
    select n.value, n.site, n.distance_m
    from (
        select f.value, f.site, projection.meters(at_latitude, at_longitude, f.latitude, f.longitude) as distance_m
        from curation.observation f
        where f.period_id = period and f.latitude between at_latitude - reach_m / 111000 and at_latitude + reach_m / 111000
        offset 0) n
    where n.distance_m <= reach_m
    order by n.distance_m, n.site, n.value desc limit 1
$$;

-- The obstructions within reach of the line of a path, with their distance from it and where along the path that is. The
-- line is straight in degrees between two points, as for samples; on a map around the obstruction its nearest point is
-- found. A separate function, so that the arrays are decompressed once.
create or replace function projection.obstructions_near(period bigint, distances double precision[], latitudes double precision[],
    longitudes double precision[], reach_m double precision)
returns table (site text, value numeric, distance_m double precision, along_m double precision)
language plpgsql stable rows 1 as $$
declare
    south double precision := (select min(v) from unnest(latitudes) v) - reach_m / 111000;
    north double precision := (select max(v) from unnest(latitudes) v) + reach_m / 111000;
    -- no point of a path is further from its start than the path is long
    furthest_m double precision := distances[cardinality(distances)] * 1.01 + reach_m;
begin
    return query
    select f.site, f.value, n.distance_m, n.along_m
    from curation.observation f
    cross join lateral (
        select projection.meters(f.latitude, f.longitude, x.lat + x.north * x.share, x.lon + x.east * x.share) as distance_m,
               x.from_m + x.length_m * x.share as along_m
        from (
            select s.*, greatest(0, least(1, coalesce(((f.latitude - s.lat) * s.north + s.away * s.east * s.narrow ^ 2)
                       / nullif(s.north ^ 2 + (s.east * s.narrow) ^ 2, 0), 0))) as share
            from (
                select latitudes[i] as lat, longitudes[i] as lon, latitudes[i + 1] - latitudes[i] as north,
                       longitudes[i + 1] - longitudes[i] as east, f.longitude - longitudes[i] as away,
                       cos(radians(f.latitude)) as narrow, distances[i] as from_m, distances[i + 1] - distances[i] as length_m
                from generate_series(1, cardinality(distances) - 1) i offset 0) s offset 0) x
        order by (f.latitude - x.lat - x.north * x.share) ^ 2 + ((x.away - x.east * x.share) * x.narrow) ^ 2 limit 1) n
    where f.period_id = period and f.value > 0 and f.latitude between south and north
      and projection.meters(f.latitude, f.longitude, latitudes[1], longitudes[1]) <= furthest_m
      and n.distance_m <= reach_m;
end $$;

create view projection.route_badge as
select v.route_id, v.badge, v.valid_from, v::api_v1.route_badge as route_badge
from (
    select l.entry_id as route_id, k.badge, s.valid_from, s.valid_to, x.result,
           json_build_object('badge', k.badge, 'result', x.result, 'valid_from', projection.rfc3339(s.valid_from),
               'valid_to', projection.rfc3339(s.valid_to), 'samples', m.n, 'known', m.known,
               'mean', case when k.badge = 'heart' then round(m.total / nullif(m.known, 0), 3) end,
               'city_mean', case when k.badge = 'heart' then round(c.total / nullif(c.n, 0), 3) end,
               'net_elevation_m', case when k.badge = 'zoom' then p.net_elevation_m end,
               'obstructions', case when k.badge = 'zoom' then o.total end) as document
    from curation.live l
    join curation.route_path p on p.revision_id = l.revision_id
    join curation.validity_period s on s.city = p.city and not s.is_expired
    cross join lateral (select case s.kind when 'air' then 'heart' else 'zoom' end as badge) k
    cross join (select * from projection.route_settings offset 0) t
    cross join lateral (
        select case k.badge when 'heart' then t.air_reach_m else t.obstruction_reach_m end as meters offset 0) reach
    cross join lateral (
        select count(*) as n, count(f.value) as known, sum(f.value) as total
        from projection.path_samples(p.distances, p.latitudes, p.longitudes, t.sample_m) m
        left join lateral projection.nearest_observation(s.id, m.latitude, m.longitude, reach.meters) f on true) m
    cross join lateral (
        select count(*) as n, sum(d.value) as total
        from (select max(f.value) as value from curation.observation f
              where f.period_id = s.id and k.badge = 'heart' group by f.site) d) c
    cross join lateral (
        select coalesce(sum(f.value), 0) as total
        from (select where k.badge = 'zoom') z
        cross join lateral projection.obstructions_near(s.id, p.distances, p.latitudes, p.longitudes, reach.meters) f) o
    cross join lateral (
        select case
            when m.known < m.n then 'unknown'
            when k.badge = 'heart' then case
                when c.n = 0 then 'unknown'
                when m.total * c.n < c.total * m.n then 'given'
                when m.total * c.n = c.total * m.n and t.heart_when_equal = 1 then 'given'
                else 'not_given' end
            when p.net_elevation_m is null then 'unknown'
            when (p.net_elevation_m < t.zoom_max_elevation_m
                  or p.net_elevation_m = t.zoom_max_elevation_m and t.zoom_when_equal = 1) and o.total = 0 then 'given'
            else 'not_given' end as result) x
    where l.kind = 'route') v;

create or replace function projection.route_badge_by_route(p_publication bigint)
returns table (route_id uuid, badge text, valid_from timestamptz) language sql stable as $$
    -- previous results of a changed route
    select w.route_id, w.badge, w.valid_from
    from curation.changed(p_publication) c
    join api_v1.route_badge w on w.route_id = c.entry_id
    where c.kind = 'route'
    union all
    -- possible results: every period of its city that is not over
    select c.entry_id, case s.kind when 'air' then 'heart' else 'zoom' end, s.valid_from
    from curation.changed(p_publication) c
    join curation.route_path p on p.revision_id = c.new_revision
    join curation.validity_period s on s.city = p.city and not s.is_expired
    where c.kind = 'route'
$$;

-- A setting of all routes changed or is simulated: all results.
create or replace function projection.route_badge_by_setting(p_publication bigint)
returns table (route_id uuid, badge text, valid_from timestamptz) language sql stable as $$
    select l.entry_id, case s.kind when 'air' then 'heart' else 'zoom' end, s.valid_from
    from (select where projection.route_settings_changed(p_publication)) x
    join curation.live l on l.kind = 'route'
    join curation.route_path p on p.revision_id = l.revision_id
    join curation.validity_period s on s.city = p.city and not s.is_expired
$$;

-- Observations were recorded in a period, or it ended: the routes of the city that this publication is about.
create or replace function projection.route_badge_by_observation(p_publication bigint)
returns table (route_id uuid, badge text, valid_from timestamptz) language sql stable as $$
    select l.entry_id, case s.kind when 'air' then 'heart' else 'zoom' end, s.valid_from
    from curation.changed_observations(p_publication, 'period') k
    join curation.validity_period s on s.id = k.key::bigint
    join curation.route_path p on p.city = s.city
    join curation.live l on l.revision_id = p.revision_id
    where l.entry_id <= k.to_route and (k.after_route is null or l.entry_id > k.after_route)
$$;
