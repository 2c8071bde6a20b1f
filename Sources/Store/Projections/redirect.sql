-- Old slugs of entries that are or were published (A33), and slugs and IDs of merged categories (B29). They lead to the
-- current slug permanently; after an unpublishing to the last one, which is gone. Key: kind, slug. `id` is the entry that
-- they lead to.
create view projection.redirect as
select v.kind, v.slug, v.id, v::api_v1.redirect as redirect
from (
    select s.kind, s.slug, e.id, r.content ->> 'slug' as new_slug
    from curation.slug s
    left join curation.category_merge m on m.category_id = s.entry_id
    cross join lateral (select coalesce(m.target_id, s.entry_id) as id offset 0) e
    cross join lateral (
        select coalesce((select l.revision_id from curation.live l where l.entry_id = e.id),
            (select c.old_revision from curation.publication_change c
             where c.entry_id = e.id order by c.publication desc limit 1)) as revision_id offset 0) x
    join curation.revision r on r.id = x.revision_id
    where s.published_in is not null and s.slug <> r.content ->> 'slug'
    union all
    select 'category' as kind, m.category_id::text, l.entry_id, r.content ->> 'slug'
    from curation.category_merge m
    join curation.live l on l.entry_id = m.target_id
    join curation.revision r on r.id = l.revision_id) v;

create or replace function projection.redirect_by_any(p_publication bigint)
returns table (kind text, slug text) language sql stable as $$
    select s.kind, s.slug
    from curation.changed(p_publication) c
    join curation.slug s on s.entry_id = c.entry_id
    where exists (select from curation.slug o where o.entry_id = c.entry_id and o.slug <> s.slug)
$$;

-- A category was merged or unmerged, or the slug of its target changed.
create or replace function projection.redirect_by_category(p_publication bigint)
returns table (kind text, slug text) language sql stable as $$
    select 'category', a.slug
    from curation.affected_categories(p_publication) c (id)
    cross join lateral (
        select s.slug from curation.slug s where s.entry_id = c.id union all select c.id::text) a
$$;
