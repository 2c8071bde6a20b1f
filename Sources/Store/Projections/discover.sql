-- What the Discover page features, in the curators' order (A20). Key: kind, id.
create view projection.discover as
select l.kind, l.entry_id as id,
       (r.content ->> 'featured')::integer as position,
       json_build_object('kind', l.kind, 'id', l.entry_id, 'slug', r.content ->> 'slug', 'title', r.content ->> 'title',
           'tier', r.content ->> 'tier', 'preview', projection.preview_text(r.preview, r.plain),
           'picture', r.preview -> 'picture') as document
from curation.live l
join curation.revision r on r.id = l.revision_id
where l.kind = 'feed' and r.content ->> 'featured' is not null;

create or replace function projection.discover_affected(p_publication bigint)
returns table (kind text, id uuid) language sql stable as $$
    select e.kind, c.entry_id
    from curation.publication_change c
    cross join lateral (select * from curation.entry e where e.id = c.entry_id offset 0) e
    where c.publication = p_publication and e.kind = 'feed'
$$;
