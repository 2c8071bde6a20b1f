-- Which item stands where in which feed (A2, A7): pins first, then by the feed's rule. Key: feed_id, item_id.
create view projection.feed_item as
select v.feed_id, v.item_id, v::api_v1.feed_item as feed_item
from (
    select fl.entry_id as feed_id,
           l.entry_id as item_id,
           l.type,
           coalesce(p.position::bigint - 1000000,
               case when fr.content ->> 'order' = 'ranked' then (r.content ->> 'rank')::bigint end, 2147483647) as rank,
           projection.age(case when fr.content ->> 'order' = 'ranked' then a.approved_at
               else coalesce((r.content ->> 'published')::timestamptz, a.approved_at) end) as age
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    join curation.approval a on a.revision_id = l.revision_id
    join curation.reference e on e.revision_id = l.revision_id and e.field = 'feeds'
    join curation.live fl on fl.entry_id = e.target_entry_id and fl.kind = 'feed'
    join curation.revision fr on fr.id = fl.revision_id
    left join curation.reference p on p.revision_id = fl.revision_id and p.field = 'pins' and p.target_entry_id = l.entry_id
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
    -- a feed came, went or changed its order: all its members
    select c.entry_id, l.entry_id
    from curation.changed(p_publication) c
    left join curation.revision o on o.id = c.old_revision
    left join curation.revision n on n.id = c.new_revision
    join curation.reference f on f.target_entry_id = c.entry_id and f.field = 'feeds'
    join curation.live l on l.revision_id = f.revision_id
    where c.kind = 'feed' and (o.id is null or n.id is null or o.content ->> 'order' is distinct from n.content ->> 'order')
    union
    -- a feed's pins, before and after
    select c.entry_id, f.target_entry_id
    from curation.changed(p_publication) c
    join curation.reference f on f.revision_id in (c.old_revision, c.new_revision) and f.field = 'pins'
    where c.kind = 'feed'
$$;
