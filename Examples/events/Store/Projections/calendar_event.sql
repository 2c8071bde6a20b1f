-- Events at published venues. Key: id.
create view projection.calendar_event as
select v.id, v::api_v1.calendar_event as calendar_event
from (
    select l.entry_id as id,
           r.content ->> 'slug' as slug,
           (extract(epoch from (r.content ->> 'starts_at')::timestamptz) * 1000000)::bigint as starts,
           json_build_object('id', l.entry_id, 'slug', r.content ->> 'slug', 'title', r.content ->> 'title',
               'starts_at', projection.rfc3339((r.content ->> 'starts_at')::timestamptz),
               'venue', json_build_object('id', vl.entry_id, 'name', vr.content ->> 'title',
                   'address', vr.content ->> 'address'),
               'link', '/v1/calendar/' || l.entry_id,
               'updated_at', projection.rfc3339(a.approved_at), 'revision', r.number) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    join curation.publish_approval a on a.revision_id = l.revision_id
    join curation.live vl on vl.entry_id = (r.content ->> 'venue')::uuid and vl.kind = 'venue'
    join curation.revision vr on vr.id = vl.revision_id
    where l.kind = 'event') v;
