-- Places, with everything that lists, maps and cards show (B24, B34, B43). The constraints of the table refuse places
-- without a published city or category. Key: id.
create view projection.place as
with groups as materialized (
    select gl.entry_id as id, (gr.content ->> 'number')::integer as number
    from curation.live gl join curation.revision gr on gr.id = gl.revision_id
    where gl.kind = 'category_group')
select l.entry_id as id, place::api_v1.place as place
from curation.live l
join curation.revision r on r.id = l.revision_id
join curation.publish_approval a on a.revision_id = l.revision_id
left join lateral (
    select tl.entry_id as id, json_build_object('id', tl.entry_id, 'slug', tr.content ->> 'slug',
               'name', tr.content ->> 'title') as document
    from curation.live tl join curation.revision tr on tr.id = tl.revision_id
    where tl.entry_id = (r.content ->> 'city')::uuid and tl.kind = 'city') t on true
cross join lateral (
    select coalesce(array_agg(m.id), '{}') as ids,
           coalesce(json_agg(json_build_object('id', m.id, 'slug', m.slug, 'name', m.name, 'names', m.names,
               'group', m.group_number)), '[]') as documents
    from (
        select cl.entry_id as id, cr.content ->> 'slug' as slug, cr.content ->> 'title' as name,
               case when cr.content ? 'names' then (select n.names from projection.names_of(cr.content) n) else '{}' end as names,
               coalesce((cr.content ->> 'position')::integer, 0) as position, g.number as group_number
        from curation.membership e
        join curation.live cl on cl.entry_id = e.target_entry_id and cl.kind = 'category'
        join curation.revision cr on cr.id = cl.revision_id
        join groups g on g.id = (cr.content ->> 'group')::uuid
        where e.revision_id = l.revision_id and e.field = 'categories'
        order by group_number, position, id) m) c
cross join lateral (
    select (r.content -> 'point' ->> 'lat')::double precision as lat,
           (r.content -> 'point' ->> 'lon')::double precision as lon offset 0) p
cross join lateral (
    select coalesce(sum(n.n), 0)::bigint as n, round(sum(n.n * n.rating) / sum(n.n), 2) as mean,
           json_build_array(coalesce(sum(n.n) filter (where n.rating = 1), 0), coalesce(sum(n.n) filter (where n.rating = 2), 0),
               coalesce(sum(n.n) filter (where n.rating = 3), 0), coalesce(sum(n.n) filter (where n.rating = 4), 0),
               coalesce(sum(n.n) filter (where n.rating = 5), 0)) as counts
    from curation.rating_count n where n.place_id = l.entry_id) rating
cross join lateral (
    select l.entry_id as id,
           r.content ->> 'slug' as slug,
           r.content ->> 'title' as name,
           t.id as city_id,
           r.content ->> 'address' as address,
           coalesce(r.content -> 'image' ->> 'url', r.content -> 'image' ->> 'path') as image,
           c.ids as category_ids,
           p.lat, p.lon,
           projection.coordinates(p.lat, p.lon) as coordinates,
           projection.age((select f.approved_at from projection.first_approved(l.entry_id) f)) as age,
           json_build_object('id', l.entry_id, 'type', l.type, 'slug', r.content ->> 'slug', 'name', r.content ->> 'title',
               'city', t.document, 'address', r.content ->> 'address', 'lat', p.lat, 'lon', p.lon,
               'image', r.content -> 'image', 'categories', c.documents, 'summary', r.content ->> 'summary',
               'phone', r.content ->> 'phone', 'website', r.content ->> 'website', 'hours', r.content ->> 'hours',
               'extra', coalesce(r.content -> 'extra', '{}'),
               'rating', json_build_object('count', rating.n, 'mean', rating.mean, 'counts', rating.counts), 'link', '/v1/places/' || l.entry_id,
               'updated_at', projection.rfc3339(a.approved_at), 'revision', r.number) as document,
           -(coalesce(rating.mean, 0) * 100)::bigint * 1000000000 - rating.n as rating_rank) place
where l.kind = 'place';
