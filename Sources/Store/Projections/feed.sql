-- Feeds: the content for guests and the full content for entitled readers (A6, A16, A17, A24, A26). Key: id.
create view projection.feed as
with cut as materialized (select projection.preview_length() as length)
select l.entry_id as id, feed::api_v1.feed as feed, feed_full::api_v1.feed_full as feed_full
from curation.live l
join curation.revision r on r.id = l.revision_id
join curation.publish_approval a on a.revision_id = l.revision_id
join curation.content_type ct on ct.name = l.type
cross join lateral (
    select coalesce(sum(y.n), 0)::bigint as n, coalesce(bool_or(y.type = 'video'), false) as has_video
    from projection.feed_source(l.entry_id, r.content) b
    join curation.member_count y on y.field = b.field and y.target_entry_id = b.target
    join curation.content_type z on z.name = y.type and z.kind = 'item') t
cross join lateral (
    select exists (
        select from projection.feed_source(l.entry_id, r.content) b
        join curation.media_total m on m.field = b.field and m.target_entry_id = b.target
            and m.files > 0) as offline) o
cross join lateral (
    select coalesce(array_agg(cl.entry_id order by f.position), '{}') as ids,
           coalesce(json_agg(json_build_object('id', cl.entry_id, 'slug', cr.content ->> 'slug',
               'name', cr.content ->> 'title', 'names', projection.names(cr.content)) order by f.position), '[]') as documents
    from curation.membership f
    join curation.live cl on cl.entry_id = f.target_entry_id and cl.kind = 'category'
    join curation.revision cr on cr.id = cl.revision_id
    where f.revision_id = l.revision_id and f.field = 'categories') c
cross join cut
cross join lateral (
    select projection.access(r.content ->> 'tier') as access,
           projection.preview_text(r.preview, r.plain, cut.length) as preview,
           projection.rfc3339(a.approved_at) as updated_at) x
cross join lateral (
    select l.entry_id as id,
           r.content ->> 'slug' as slug,
           r.content ->> 'title' as title,
           r.content ->> 'tier' as tier,
           x.access,
           c.ids as category_ids,
           t.has_video,
           o.offline,
           coalesce((r.content ->> 'featured')::bigint, 2147483647) as rank,
           projection.age((select f.approved_at from projection.first_approved(l.entry_id) f)) as age,
           t.n as item_count,
           json_build_object('id', l.entry_id, 'type', l.type, 'slug', r.content ->> 'slug', 'title', r.content ->> 'title',
               'tier', r.content ->> 'tier', 'access', x.access, 'featured', r.content -> 'featured',
               'categories', c.documents, 'preview', x.preview, 'count', t.n, 'has_video', t.has_video,
               'offline', o.offline,
               'updated_at', x.updated_at, 'revision', r.number, 'fields', r.preview) as document) feed
cross join lateral (
    select l.entry_id as id,
           json_build_object('id', l.entry_id, 'type', l.type, 'slug', r.content ->> 'slug', 'title', r.content ->> 'title',
               'tier', r.content ->> 'tier', 'access', x.access, 'featured', r.content -> 'featured',
               'categories', c.documents, 'preview', x.preview, 'count', t.n, 'has_video', t.has_video,
               'offline', o.offline, 'updated_at', x.updated_at, 'revision', r.number,
               'fields', r.content - array['featured', 'categories', 'manual_order'] - ct.internal_fields,
               'html', coalesce(r.html, '{}')) as document) feed_full
where l.kind = 'feed';
