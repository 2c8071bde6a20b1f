-- Articles, videos and whatever else is read like them, as a guest may see them (A16). Key: id.
-- The tier is the item's own, or premium when any of its live feeds is.
create view projection.item_base as
select l.entry_id as id, l.type, r.number, r.content, r.preview, r.plain, a.approved_at,
       x.tier, x.published_at, c.ids as category_ids, c.documents as categories, f.ids as feed_ids
from curation.live l
join curation.revision r on r.id = l.revision_id
join curation.approval a on a.revision_id = l.revision_id
cross join lateral (
    select coalesce(array_agg(fl.entry_id order by e.position), '{}') as ids,
           coalesce(bool_or(fr.content ->> 'tier' = 'premium'), false) as premium
    from curation.reference e
    join curation.live fl on fl.entry_id = e.target_entry_id and fl.kind = 'feed'
    join curation.revision fr on fr.id = fl.revision_id
    where e.revision_id = l.revision_id and e.field = 'feeds') f
cross join lateral (
    select coalesce(r.content ->> 'tier', case when f.premium then 'premium' else 'free' end) as tier,
           coalesce((r.content ->> 'published')::timestamptz, a.approved_at) as published_at) x
cross join lateral (
    select coalesce(array_agg(m.id order by m.group_number, m.place, m.id), '{}') as ids,
           coalesce(json_agg(json_build_object('id', m.id, 'slug', m.slug, 'name', m.name, 'group', m.group_number)
               order by m.group_number, m.place, m.id), '[]') as documents
    from (
        select cl.entry_id as id, cr.content ->> 'slug' as slug, cr.content ->> 'title' as name,
               coalesce((cr.content ->> 'position')::integer, 0) as place,
               (gr.content ->> 'number')::integer as group_number
        from curation.reference e
        join curation.live cl on cl.entry_id = e.target_entry_id and cl.kind = 'category'
        join curation.revision cr on cr.id = cl.revision_id
        join curation.reference ge on ge.revision_id = cl.revision_id and ge.field = 'group'
        join curation.live gl on gl.entry_id = ge.target_entry_id
        join curation.revision gr on gr.id = gl.revision_id
        where e.revision_id = l.revision_id and e.field = 'categories') m) c
where l.kind = 'item';

create view projection.item as
select v.id, v.type,
       v.content ->> 'slug' as slug,
       v.content ->> 'title' as title,
       v.tier,
       projection.access(v.tier) as access,
       v.category_ids,
       v.feed_ids,
       (v.type = 'video') as has_video,
       v.published_at,
       projection.age(v.approved_at) as age,
       json_build_object('id', v.id, 'type', v.type, 'slug', v.content ->> 'slug', 'title', v.content ->> 'title',
           'tier', v.tier, 'access', projection.access(v.tier),
           'published_at', projection.rfc3339(v.published_at), 'updated_at', projection.rfc3339(v.approved_at),
           'revision', v.number, 'feeds', v.feed_ids, 'categories', v.categories,
           'preview', projection.preview_text(v.preview, v.plain), 'fields', v.preview) as document
from projection.item_base v;

create or replace function projection.item_affected(p_publication bigint) returns table (id uuid) language sql stable as $$
    select c.entry_id
    from curation.publication_change c
    cross join lateral (select * from curation.entry e where e.id = c.entry_id offset 0) e
    where c.publication = p_publication and e.kind = 'item'
    union
    -- one of its categories changed
    select l.entry_id
    from curation.publication_change c
    cross join lateral (select * from curation.reference f where f.target_entry_id = c.entry_id and f.field = 'categories' offset 0) f
    cross join lateral (select * from curation.live l where l.revision_id = f.revision_id and l.kind = 'item' offset 0) l
    where c.publication = p_publication
    union
    -- one of its feeds came, went or changed its tier
    select l.entry_id
    from curation.publication_change c
    left join curation.revision o on o.id = c.old_revision
    left join curation.revision n on n.id = c.new_revision
    cross join lateral (select * from curation.reference f where f.target_entry_id = c.entry_id and f.field = 'feeds' offset 0) f
    cross join lateral (select * from curation.live l where l.revision_id = f.revision_id and l.kind = 'item' offset 0) l
    where c.publication = p_publication
      and (o.id is null or n.id is null or o.content ->> 'tier' is distinct from n.content ->> 'tier')
$$;
