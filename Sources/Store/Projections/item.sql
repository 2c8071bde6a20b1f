-- Articles, videos and similar items: the content for guests (A16), the full content for entitled readers, and the
-- playback sources of videos (A31, A37, A38). An item without a tier is premium if one of its published feeds is. Key:
-- id.
create view projection.item as
with groups as materialized (
    select gl.entry_id as id, (gr.content ->> 'number')::integer as number
    from curation.live gl join curation.revision gr on gr.id = gl.revision_id
    where gl.kind = 'category_group'),
cut as materialized (select projection.preview_length() as length)
select l.entry_id as id, item::api_v1.item as item, item_full::api_v1.item_full as item_full, video::api_v1.video as video
from curation.live l
join curation.revision r on r.id = l.revision_id
join curation.publish_approval a on a.revision_id = l.revision_id
join curation.content_type ct on ct.name = l.type
cross join lateral (
    select coalesce(array_agg(m.feed_id order by m.position, m.feed_id), '{}') as ids,
           coalesce(bool_or(fr.content ->> 'tier' = 'premium'), false) as premium
    from projection.feeds_of(l.revision_id) m
    join curation.revision fr on fr.id = m.feed_revision) f
cross join cut
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
    select (select f.approved_at from projection.first_approved(l.entry_id) f) as first_approval offset 0) z
cross join lateral (
    select coalesce(r.content ->> 'tier', case when f.premium then 'premium' else 'free' end) as tier,
           coalesce((r.content ->> 'published')::timestamptz, z.first_approval) as published_at, z.first_approval,
           r.content ->> 'slug' as slug, r.content ->> 'title' as title,
           projection.preview_text(r.preview, r.plain, cut.length) as preview offset 0) x
cross join lateral (
    select projection.access(x.tier) as access, projection.rfc3339(x.published_at) as published_at,
           projection.rfc3339(a.approved_at) as updated_at offset 0) y
cross join lateral (
    select l.entry_id as id,
           l.type,
           x.slug,
           x.title,
           x.tier,
           y.access,
           c.ids as category_ids,
           f.ids as feed_ids,
           (l.type = 'video') as has_video,
           x.published_at,
           projection.age(x.first_approval) as age,
           json_build_object('id', l.entry_id, 'type', l.type, 'slug', x.slug, 'title', x.title, 'tier', x.tier,
               'access', y.access, 'published_at', y.published_at, 'updated_at', y.updated_at, 'revision', r.number,
               'feeds', f.ids, 'categories', c.documents, 'preview', x.preview, 'fields', r.preview) as document,
           r.content ->> 'locale' as locale) item
cross join lateral (
    select l.entry_id as id,
           json_build_object('id', l.entry_id, 'type', l.type, 'slug', x.slug, 'title', x.title, 'tier', x.tier,
               'access', y.access, 'published_at', y.published_at, 'updated_at', y.updated_at, 'revision', r.number,
               'feeds', f.ids, 'categories', c.documents, 'preview', x.preview,
               'fields', r.content - array['feeds', 'categories'] - ct.internal_fields,
               'html', coalesce(r.html, '{}')) as document) item_full
left join lateral (
    select l.entry_id as id,
           x.slug,
           x.title,
           x.tier,
           (r.content ->> 'duration')::integer as duration_seconds,
           r.content ->> 'provider' as provider,
           r.content ->> 'account' as account,
           r.content ->> 'provider_ref' as provider_ref,
           r.content ->> 'hls_url' as hls_url,
           json_build_object('id', l.entry_id, 'slug', x.slug, 'title', x.title, 'tier', x.tier, 'access', y.access,
               'duration_seconds', (r.content ->> 'duration')::integer, 'provider', r.content ->> 'provider',
               'account', r.content ->> 'account', 'provider_ref', r.content ->> 'provider_ref',
               'hls_url', r.content ->> 'hls_url', 'poster', r.content -> 'poster', 'feeds', f.ids,
               'published_at', y.published_at, 'revision', r.number, 'preview', x.preview) as document) video
    on l.type = 'video'
where l.kind = 'item';

-- One of its feeds was published or unpublished, or changed its source or tier.
create or replace function projection.item_by_feed(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select m.item_id
    from projection.changed_feeds(p_publication) c
    cross join lateral (values (c.old), (c.new)) s (content)
    cross join lateral projection.feed_members(c.id, s.content) m
    where c.old is null or c.new is null
       or (c.old ->> 'tier', c.old ->> 'source_category') is distinct from (c.new ->> 'tier', c.new ->> 'source_category')
$$;

-- The source category of a feed was merged or unmerged.
create or replace function projection.item_by_merge(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select d.item_id from projection.merge_affected_feed_items(p_publication) d
$$;
