-- Categories with their number of published members: those with at least one (B31), or all if the setting
-- categories.include_empty is true (A23, K1). Merged categories are not included: their members count for the target,
-- and their names are its synonyms. Key: id.
create view projection.category as
select v.id, v::api_v1.category as category
from (
    select l.entry_id as id,
           g.entry_id as group_id,
           (gr.content ->> 'number')::integer as group_number,
           r.content ->> 'slug' as slug,
           r.content ->> 'title' as name,
           coalesce((r.content ->> 'position')::integer, 0) as position,
           m.n as item_count,
           json_build_object('id', l.entry_id, 'slug', r.content ->> 'slug', 'name', r.content ->> 'title',
               'names', projection.names(r.content), 'synonyms', projection.synonyms(l.entry_id, r.content),
               'group', json_build_object('id', g.entry_id, 'number', (gr.content ->> 'number')::integer,
                                          'slug', gr.content ->> 'slug', 'name', gr.content ->> 'title',
                                          'names', projection.names(gr.content)),
               'position', coalesce((r.content ->> 'position')::integer, 0),
               'about', r.content ->> 'about', 'count', m.n) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    join curation.reference gref on gref.revision_id = l.revision_id and gref.field = 'group'
    join curation.live g on g.entry_id = gref.target_entry_id and g.kind = 'category_group'
    join curation.revision gr on gr.id = g.revision_id
    cross join lateral (
        select coalesce(sum(n), 0)::bigint as n from curation.member_count
        where field = 'categories' and target_entry_id = l.entry_id) m
    where l.kind = 'category'
      and not exists (select from curation.category_merge o where o.category_id = l.entry_id)
      and (m.n > 0 or (select projection.setting('categories.include_empty')) = 'true')) v;

create or replace function projection.category_by_category(p_publication bigint)
returns table (id uuid) language sql stable as $$
    -- the category itself, and merged or unmerged categories
    select c.id
    from curation.affected_categories(p_publication) c (id)
    union all
    -- the target that shows their names as synonyms
    select m.target_id
    from curation.affected_categories(p_publication) c (id)
    join curation.category_merge m on m.category_id = c.id
$$;

-- A category was merged into it or unmerged from it.
create or replace function projection.category_by_merge(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select x.category
    from curation.category_merge_change c
    cross join lateral (values (c.old_target), (c.new_target)) x (category)
    where c.publication = p_publication and x.category is not null
$$;
