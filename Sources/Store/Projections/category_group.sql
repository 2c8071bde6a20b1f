-- The two category groups. Key: id.
create view projection.category_group as
select v.id, v::api_v1.category_group as category_group
from (
    select l.entry_id as id,
           (r.content ->> 'number')::integer as number,
           r.content ->> 'slug' as slug,
           r.content ->> 'title' as name,
           json_build_object('id', l.entry_id, 'number', (r.content ->> 'number')::integer,
               'slug', r.content ->> 'slug', 'name', r.content ->> 'title',
               'names', projection.names(r.content)) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    where l.kind = 'category_group') v;
