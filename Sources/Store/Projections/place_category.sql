-- Which place is in which category, with where it is: what finds the nearest of a category, however few there are and wherever
-- (B25, B32). Key: category_id, place_id.
create view projection.place_category as
select v.category_id, v.place_id, v::api_v1.place_category as place_category
from (
    select k.entry_id as category_id, l.entry_id as place_id, (r.content ->> 'city')::uuid as city_id,
           projection.spot((r.content -> 'point' ->> 'lat')::double precision,
                           (r.content -> 'point' ->> 'lon')::double precision) as spot
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    join curation.membership e on e.revision_id = l.revision_id and e.field = 'categories'
    join curation.live k on k.entry_id = e.target_entry_id and k.kind = 'category'
    where l.kind = 'place') v;

-- The categories that a changed place had, and has.
create or replace function projection.place_category_by_place(p_publication bigint)
returns table (category_id uuid, place_id uuid) language sql stable as $$
    select w.category_id, w.place_id
    from curation.changed(p_publication) c
    join api_v1.place_category w on w.place_id = c.entry_id
    where c.kind = 'place'
    union all
    select e.target_entry_id, c.entry_id
    from curation.changed(p_publication) c
    join curation.membership e on e.revision_id = c.new_revision and e.field = 'categories'
    where c.kind = 'place'
$$;

-- A category came or went.
create or replace function projection.place_category_by_category(p_publication bigint)
returns table (category_id uuid, place_id uuid) language sql stable as $$
    select c.entry_id, l.entry_id
    from curation.changed(p_publication) c
    join curation.reference f on f.target_entry_id = c.entry_id and f.field = 'categories'
    join curation.live l on l.revision_id = f.revision_id and l.kind = 'place'
    where c.kind = 'category' and (c.old_revision is null or c.new_revision is null)
$$;

-- A category was merged or parted: its places are in another one now.
create or replace function projection.place_category_by_merge(p_publication bigint)
returns table (category_id uuid, place_id uuid) language sql stable as $$
    select s.category_id, l.entry_id
    from curation.merged_change x
    cross join lateral (values (x.category_id), (x.old_into), (x.new_into)) s (category_id)
    join curation.reference f on f.target_entry_id = x.category_id and f.field = 'categories'
    join curation.live l on l.revision_id = f.revision_id and l.kind = 'place'
    where x.publication = p_publication and s.category_id is not null
$$;
