-- Old addresses of what is public now (A33): they answer with the new one, for ever. Key: kind, slug.
create view projection.redirect as
select s.kind, s.slug, s.entry_id as id, r.content ->> 'slug' as new_slug
from curation.slug s
join curation.live l on l.entry_id = s.entry_id
join curation.revision r on r.id = l.revision_id
where s.published_in is not null and s.slug <> r.content ->> 'slug';

create or replace function projection.redirect_affected(p_publication bigint)
returns table (kind text, slug text) language sql stable as $$
    select s.kind, s.slug
    from curation.publication_change c cross join lateral (select * from curation.slug s where s.entry_id = c.entry_id offset 0) s
    where c.publication = p_publication
$$;
