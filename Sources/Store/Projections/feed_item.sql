-- Items of feeds and their order (A2, A7): pinned items, then the manual order of the feed, then the others by date.
-- projection.feeds_of defines which items a feed contains. Key: feed_id, item_id.
create view projection.feed_item as
select v.feed_id, v.item_id, v::api_v1.feed_item as feed_item
from (
    select m.feed_id,
           l.entry_id as item_id,
           l.type,
           coalesce(p.position::bigint - 1000000, o.position, 2147483647) as rank,
           projection.age(coalesce(
               case when fr.content ->> 'order' is distinct from 'ranked' then (r.content ->> 'published')::timestamptz end,
               (select f.approved_at from projection.first_approved(l.entry_id) f))) as age
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    cross join lateral projection.feeds_of(l.revision_id) m
    join curation.revision fr on fr.id = m.feed_revision
    left join curation.reference p on p.revision_id = m.feed_revision and p.field = 'pins' and p.target_entry_id = l.entry_id
    left join curation.reference o on o.revision_id = m.feed_revision and o.field = 'manual_order'
        and o.target_entry_id = l.entry_id and fr.content ->> 'order' = 'ranked'
    where l.kind = 'item') v;

-- The previous and current feeds of an item, except those in which its position is unchanged.
create or replace function projection.feed_item_by_item(p_publication bigint)
returns table (feed_id uuid, item_id uuid) language sql stable as $$
    with item as materialized (
        select c.entry_id, c.old_revision, c.new_revision,
               o.content ->> 'published' is distinct from n.content ->> 'published' as is_moved
        from curation.changed(p_publication) c
        left join curation.revision o on o.id = c.old_revision
        left join curation.revision n on n.id = c.new_revision
        where c.kind = 'item'),
    named as materialized (
        select f.target_entry_id as feed_id, i.entry_id, i.is_moved or count(*) < 2 as is_moved
        from item i
        cross join lateral (values (i.old_revision), (i.new_revision)) s (revision_id)
        join curation.reference f on f.revision_id = s.revision_id and f.field = 'feeds'
        group by f.target_entry_id, i.entry_id, i.is_moved),
    listed as materialized (
        select distinct f.target_entry_id as category_id, i.entry_id
        from item i
        cross join lateral (values (i.old_revision), (i.new_revision)) s (revision_id)
        join curation.reference f on f.revision_id = s.revision_id and f.field = 'categories'
        where (select projection.has_category_feeds()))
    select w.feed_id, w.entry_id
    from named w
    where w.is_moved
    union all
    -- category feeds of its previous and current categories: one lookup per category
    select l.entry_id, w.entry_id
    from (select distinct category_id from listed) d
    left join curation.category_merge m on m.category_id = d.category_id
    cross join lateral projection.with_merged(coalesce(m.target_id, d.category_id)) t
    join curation.reference f on f.target_entry_id = t.id and f.field = 'source_category'
    join curation.live l on l.revision_id = f.revision_id
    join listed w on w.category_id = d.category_id
$$;

-- A feed was published or unpublished, or changed its source or order: its previous and current items.
create or replace function projection.feed_item_by_feed(p_publication bigint)
returns table (feed_id uuid, item_id uuid) language sql stable as $$
    with reordered as materialized (
        select c.id, c.new from projection.changed_feeds(p_publication) c
        where c.old is null or c.new is null
           or (c.old ->> 'order', c.old ->> 'source_category') is distinct from (c.new ->> 'order', c.new ->> 'source_category'))
    select f.feed_id, f.item_id from reordered c join api_v1.feed_item f on f.feed_id = c.id
    union all
    select c.id, m.item_id from reordered c cross join lateral projection.feed_members(c.id, c.new) m
    union all
    -- items whose position in its pins or its manual order differs
    select p.entry_id, p.target_entry_id
    from (
        select c.entry_id, f.target_entry_id, f.field, f.position
        from curation.changed(p_publication) c
        join curation.reference f on f.revision_id in (c.old_revision, c.new_revision)
            and f.field in ('pins', 'manual_order')
        where c.kind = 'feed') p
    group by p.entry_id, p.target_entry_id, p.field
    having count(*) = 1 or min(p.position) <> max(p.position)
$$;
