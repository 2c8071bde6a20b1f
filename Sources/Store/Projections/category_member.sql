-- Items of each category and what packs add, such as places, for finding its newest and nearest members (B25, B32). Key: category_id,
-- member_id.
create view projection.category_member as
select v.category_id, v.member_id, v::api_v1.category_member as category_member
from (
    select e.target_entry_id as category_id, l.entry_id as member_id, l.type,
           case l.kind when 'item' then projection.age((select f.approved_at from projection.first_approved(l.entry_id) f)) end as age,
           case l.kind when '' then null::uuid
               -- packs: member_city
           end as city_id,
           case l.kind when '' then null::public.cube
               -- packs: member_coordinates
           end as coordinates
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    -- lateral: a join would read all memberships first
    cross join lateral (
        select m.target_entry_id from curation.membership m
        where m.revision_id = l.revision_id and m.field = 'categories' offset 0) e
    -- a subquery: a join in the other direction would read all memberships of each category
    where l.kind in ('item'
        -- packs: member_kinds
    )
      and (select k.kind from curation.live k where k.entry_id = e.target_entry_id) = 'category') v;

-- The previous and the current categories of a changed member.
create or replace function projection.category_member_by_any(p_publication bigint)
returns table (category_id uuid, member_id uuid) language sql stable as $$
    select w.category_id, w.member_id
    from curation.changed(p_publication) c
    join api_v1.category_member w on w.member_id = c.entry_id
    where c.kind in ('item'
        -- packs: member_kinds
    ) and c.old_revision is not null
    union all
    select e.target_entry_id, c.entry_id
    from curation.changed(p_publication) c
    cross join lateral (
        select m.target_entry_id from curation.membership m
        where m.revision_id = c.new_revision and m.field = 'categories' offset 0) e
    where c.kind in ('item'
        -- packs: member_kinds
    )
$$;

-- A category was published or unpublished: its own members and those of categories that are merged into it.
create or replace function projection.category_member_by_category(p_publication bigint)
returns table (category_id uuid, member_id uuid) language sql stable as $$
    select c.entry_id, l.entry_id
    from curation.changed(p_publication) c
    cross join lateral (
        select c.entry_id as id
        union all
        select m.category_id from curation.category_merge m where m.target_id = c.entry_id) s
    join curation.reference f on f.target_entry_id = s.id and f.field = 'categories'
    join curation.live l on l.revision_id = f.revision_id and l.kind in ('item'
        -- packs: member_kinds
    )
    where c.kind = 'category' and (c.old_revision is null or c.new_revision is null)
$$;

-- A category was merged or unmerged, so its members moved.
create or replace function projection.category_member_by_merge(p_publication bigint)
returns table (category_id uuid, member_id uuid) language sql stable as $$
    select s.category_id, l.entry_id
    from curation.category_merge_change x
    cross join lateral (values (x.category_id), (x.old_target), (x.new_target)) s (category_id)
    join curation.reference f on f.target_entry_id = x.category_id and f.field = 'categories'
    join curation.live l on l.revision_id = f.revision_id and l.kind in ('item'
        -- packs: member_kinds
    )
    where x.publication = p_publication and s.category_id is not null
$$;
