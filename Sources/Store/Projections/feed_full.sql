-- The feeds with everything an entitled reader may see (A16). Key: id.
create view projection.feed_full as
select l.entry_id as id,
       json_build_object('id', l.entry_id, 'type', l.type, 'slug', r.content ->> 'slug', 'title', r.content ->> 'title',
           'tier', r.content ->> 'tier', 'access', projection.access(r.content ->> 'tier'),
           'featured', r.content -> 'featured', 'preview', projection.preview_text(r.preview, r.plain),
           'updated_at', projection.rfc3339(a.approved_at), 'revision', r.number,
           'fields', r.content - array['slug', 'tier', 'featured', 'pins', 'categories']) as document
from curation.live l
join curation.revision r on r.id = l.revision_id
join curation.approval a on a.revision_id = l.revision_id
where l.kind = 'feed';

create or replace function projection.feed_full_affected(p_publication bigint) returns table (id uuid) language sql stable as $$
    select c.entry_id
    from curation.publication_change c
    cross join lateral (select * from curation.entry e where e.id = c.entry_id offset 0) e
    where c.publication = p_publication and e.kind = 'feed'
$$;
