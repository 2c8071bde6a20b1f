-- Reviews of published places (B56). Key: id.
create view projection.place_review as
select v.id, v::api_v1.review as review
from (
    select l.entry_id as id,
           pl.entry_id as place_id,
           (r.content ->> 'rating')::integer as rating,
           projection.age(a.approved_at) as age,
           json_build_object('id', l.entry_id, 'type', l.type, 'title', r.content ->> 'title',
               'rating', (r.content ->> 'rating')::integer, 'text', r.content ->> 'text', 'author', r.content ->> 'author',
               'place', json_build_object('id', pl.entry_id, 'slug', pr.content ->> 'slug', 'name', pr.content ->> 'title',
                   'link', '/v1/places/' || pl.entry_id),
               'link', '/v1/reviews/' || l.entry_id,
               'updated_at', projection.rfc3339(a.approved_at), 'revision', r.number) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    join curation.publish_approval a on a.revision_id = l.revision_id
    join curation.live pl on pl.entry_id = (r.content ->> 'place')::uuid and pl.kind = 'place'
    join curation.revision pr on pr.id = pl.revision_id
    where l.kind = 'review') v;
