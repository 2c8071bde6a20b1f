-- The feeds, as a guest may see them (A6, A16, A17, A24, A26). Key: id.
create view projection.feed as
select l.entry_id as id,
       r.content ->> 'slug' as slug,
       r.content ->> 'title' as title,
       r.content ->> 'tier' as tier,
       projection.access(r.content ->> 'tier') as access,
       c.ids as category_ids,
       exists (select from curation.tally v
               where v.field = 'feeds' and v.target_entry_id = l.entry_id and v.type = 'video') as has_video,
       false as offline,
       coalesce((r.content ->> 'featured')::bigint, 2147483647) as rank,
       projection.age(a.approved_at) as age,
       t.n as item_count,
       json_build_object('id', l.entry_id, 'type', l.type, 'slug', r.content ->> 'slug', 'title', r.content ->> 'title',
           'tier', r.content ->> 'tier', 'access', projection.access(r.content ->> 'tier'),
           'featured', r.content -> 'featured', 'categories', c.documents,
           'preview', projection.preview_text(r.preview, r.plain), 'count', t.n,
           'has_video', exists (select from curation.tally v
               where v.field = 'feeds' and v.target_entry_id = l.entry_id and v.type = 'video'),
           'updated_at', projection.rfc3339(a.approved_at), 'revision', r.number,
           'fields', r.preview) as document
from curation.live l
join curation.revision r on r.id = l.revision_id
join curation.approval a on a.revision_id = l.revision_id
cross join lateral (
    select coalesce(sum(n), 0)::bigint as n from curation.tally where field = 'feeds' and target_entry_id = l.entry_id) t
cross join lateral (
    select coalesce(array_agg(cl.entry_id order by f.position), '{}') as ids,
           coalesce(json_agg(json_build_object('id', cl.entry_id, 'slug', cr.content ->> 'slug',
               'name', cr.content ->> 'title') order by f.position), '[]') as documents
    from curation.reference f
    join curation.live cl on cl.entry_id = f.target_entry_id and cl.kind = 'category'
    join curation.revision cr on cr.id = cl.revision_id
    where f.revision_id = l.revision_id and f.field = 'categories') c
where l.kind = 'feed';

create or replace function projection.feed_affected(p_publication bigint) returns table (id uuid) language sql stable as $$
    select c.entry_id
    from curation.publication_change c
    cross join lateral (select * from curation.entry e where e.id = c.entry_id offset 0) e
    where c.publication = p_publication and e.kind = 'feed'
    union
    -- a member came or went: the count and has_video
    select f.target_entry_id
    from curation.publication_change c
    cross join lateral (select * from curation.reference f
        where f.revision_id in (c.old_revision, c.new_revision) and f.field = 'feeds' offset 0) f
    where c.publication = p_publication
    union
    -- one of its categories changed
    select l.entry_id
    from curation.publication_change c
    cross join lateral (select * from curation.reference f where f.target_entry_id = c.entry_id and f.field = 'categories' offset 0) f
    cross join lateral (select * from curation.live l where l.revision_id = f.revision_id and l.kind = 'feed' offset 0) l
    where c.publication = p_publication
$$;
