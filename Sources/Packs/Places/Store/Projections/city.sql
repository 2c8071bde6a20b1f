-- Cities, with the search terms of all their names (B26, B27) and their number of places. Key: id.
create view projection.city as
select v.id, v::api_v1.city as city
from (
    select l.entry_id as id,
           r.content ->> 'slug' as slug,
           r.content ->> 'title' as name,
           projection.terms(concat_ws(E'\n', r.content ->> 'title', r.content ->> 'names')) as terms,
           -coalesce((r.content ->> 'population')::bigint, 0) as rank,
           p.lat, p.lon,
           projection.coordinates(p.lat, p.lon) as coordinates,
           t.n as place_count,
           json_build_object('id', l.entry_id, 'slug', r.content ->> 'slug', 'name', r.content ->> 'title',
               'names', coalesce(array_remove(string_to_array(r.content ->> 'names', E'\n'), ''), '{}'),
               'country', r.content ->> 'country', 'zone', r.content ->> 'zone',
               'population', r.content -> 'population', 'center', r.content -> 'center',
               'bounds', json_build_object('south', b.south, 'west', b.west, 'north', b.north, 'east', b.east),
               'count', t.n) as document,
           projection.names_key(concat_ws(E'\n', r.content ->> 'title', r.content ->> 'names')) as names_key
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    cross join lateral (
        select (r.content -> 'center' ->> 'lat')::double precision as lat,
               (r.content -> 'center' ->> 'lon')::double precision as lon offset 0) p
    -- missing edges are a tenth of a degree from the center (B46)
    cross join lateral (
        select coalesce((r.content ->> 'south')::numeric, greatest(p.lat::numeric - 0.1, -90)) as south,
               coalesce((r.content ->> 'north')::numeric, least(p.lat::numeric + 0.1, 90)) as north,
               coalesce((r.content ->> 'west')::numeric,
                   case when p.lon < -179.9 then p.lon::numeric + 359.9 else p.lon::numeric - 0.1 end) as west,
               coalesce((r.content ->> 'east')::numeric,
                   case when p.lon > 179.9 then p.lon::numeric - 359.9 else p.lon::numeric + 0.1 end) as east offset 0) b
    cross join lateral (
        select coalesce(sum(n), 0)::bigint as n from curation.member_count
        where field = 'city' and target_entry_id = l.entry_id) t
    where l.kind = 'city') v;
