-- Old addresses of what is public now (A33): they answer with the new one, for ever. Key: kind, slug.
create view projection.redirect as
select v.kind, v.slug, v::api_v1.redirect as redirect
from (
    select s.kind, s.slug, s.entry_id as id, r.content ->> 'slug' as new_slug
    from curation.slug s
    join curation.live l on l.entry_id = s.entry_id
    join curation.revision r on r.id = l.revision_id
    where s.published_in is not null and s.slug <> r.content ->> 'slug') v;

create or replace function projection.redirect_affected(p_publication bigint)
returns table (kind text, slug text) language sql stable as $$
    select s.kind, s.slug
    from curation.changed(p_publication) c
    join curation.slug s on s.entry_id = c.entry_id
    where exists (select from curation.slug o where o.entry_id = c.entry_id and o.slug <> s.slug)
$$;
