-- Which item stands where in which feed (A2, A7): pins first, then by the feed's rule. What is in a feed says
-- projection.feeds_of. Key: feed_id, item_id.
create view projection.feed_item as
select v.feed_id, v.item_id, v::api_v1.feed_item as feed_item
from (
    select m.feed_id,
           l.entry_id as item_id,
           l.type,
           coalesce(p.position::bigint - 1000000,
               case when fr.content ->> 'order' = 'ranked' then (r.content ->> 'rank')::bigint end, 2147483647) as rank,
           projection.age(case when fr.content ->> 'order' = 'ranked' then a.approved_at
               else coalesce((r.content ->> 'published')::timestamptz, a.approved_at) end) as age
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    join curation.approval a on a.revision_id = l.revision_id
    cross join lateral projection.feeds_of(l.revision_id) m
    join curation.revision fr on fr.id = m.feed_revision
    left join curation.reference p on p.revision_id = m.feed_revision and p.field = 'pins' and p.target_entry_id = l.entry_id
    where l.kind = 'item') v;

create or replace function projection.feed_item_affected(p_publication bigint)
returns table (feed_id uuid, item_id uuid) language sql stable as $$
    -- the feeds a changed item was in or is in, but for those where it stays and keeps its place
    select m.feed_id, m.entry_id
    from (
        select f.target_entry_id as feed_id, c.entry_id, c.old_revision, c.new_revision, count(*) as memberships
        from curation.changed(p_publication) c
        join curation.reference f on f.revision_id in (c.old_revision, c.new_revision) and f.field = 'feeds'
        where c.kind = 'item'
        group by f.target_entry_id, c.entry_id, c.old_revision, c.new_revision) m
    left join curation.revision o on o.id = m.old_revision
    left join curation.revision n on n.id = m.new_revision
    left join curation.live fl on fl.entry_id = m.feed_id
    left join curation.revision fr on fr.id = fl.revision_id
    where m.memberships < 2 or fr.content ->> 'order' = 'ranked'
       or n.content ->> 'published' is null or o.content ->> 'published' is distinct from n.content ->> 'published'
       or o.content ->> 'rank' is distinct from n.content ->> 'rank'
    union
    -- the feeds that take a category of a changed item, as it was or is
    select l.entry_id, c.entry_id
    from curation.changed(p_publication) c
    join curation.reference e on e.revision_id in (c.old_revision, c.new_revision) and e.field = 'categories'
    left join curation.merged m on m.category_id = e.target_entry_id
    cross join lateral projection.leading_to(coalesce(m.into_id, e.target_entry_id)) t
    join curation.reference f on f.target_entry_id = t.id and f.field = 'takes'
    join curation.live l on l.revision_id = f.revision_id
    where c.kind = 'item'
    union
    -- categories were merged or parted
    select d.feed_id, d.item_id from projection.diverted(p_publication) d
    union
    -- a feed came, went, takes something else or changed its order: what it held and what it holds
    select f.feed_id, f.item_id
    from projection.changed_feeds(p_publication) c
    join api_v1.feed_item f on f.feed_id = c.id
    where c.old is null or c.new is null
       or (c.old ->> 'order', c.old ->> 'takes') is distinct from (c.new ->> 'order', c.new ->> 'takes')
    union
    select c.id, m.item_id
    from projection.changed_feeds(p_publication) c
    cross join lateral projection.members_of(c.id, c.new) m
    where c.old is null or c.new is null
       or (c.old ->> 'order', c.old ->> 'takes') is distinct from (c.new ->> 'order', c.new ->> 'takes')
    union
    -- a feed's pins, before and after
    select c.entry_id, f.target_entry_id
    from curation.changed(p_publication) c
    join curation.reference f on f.revision_id in (c.old_revision, c.new_revision) and f.field = 'pins'
    where c.kind = 'feed'
$$;
