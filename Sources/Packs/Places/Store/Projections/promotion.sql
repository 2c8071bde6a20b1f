-- Promotions of published places, with the place as readers see it (B22, B50, B51, B55). Nothing depends on the current
-- time: readers compute whether a promotion is current (B44). Key: id.
create view projection.promotion as
select v.id, v::api_v1.promotion as promotion
from (
    select l.entry_id as id,
           r.content ->> 'slug' as slug,
           r.content ->> 'title' as name,
           pl.entry_id as place_id,
           (pr.content ->> 'city')::uuid as city_id,
           s.starts_at, s.ends_at, s.lat, s.lon,
           projection.coordinates(s.lat, s.lon) as coordinates,
           json_build_object('id', l.entry_id, 'slug', r.content ->> 'slug', 'name', r.content ->> 'title',
               'description', r.content ->> 'description',
               'starts_at', projection.rfc3339(s.starts_at), 'ends_at', projection.rfc3339(s.ends_at),
               'place', json_build_object('id', pl.entry_id, 'slug', pr.content ->> 'slug', 'name', pr.content ->> 'title',
                   'city', pr.content ->> 'city', 'address', pr.content ->> 'address', 'lat', s.lat, 'lon', s.lon,
                   'image', pr.content -> 'image', 'link', '/v1/places/' || pl.entry_id),
               'link', '/v1/promotions/' || l.entry_id,
               'updated_at', projection.rfc3339(a.approved_at), 'revision', r.number) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    join curation.publish_approval a on a.revision_id = l.revision_id
    join curation.live pl on pl.entry_id = (r.content ->> 'place')::uuid and pl.kind = 'place'
    join curation.revision pr on pr.id = pl.revision_id
    cross join lateral (
        select (r.content ->> 'starts_at')::timestamptz as starts_at, (r.content ->> 'ends_at')::timestamptz as ends_at,
               (pr.content -> 'point' ->> 'lat')::double precision as lat,
               (pr.content -> 'point' ->> 'lon')::double precision as lon offset 0) s
    where l.kind = 'promotion') v;
