-- What the Discover page features, in the curators' order (A20). Key: kind, id.
create view projection.discover as
select v.kind, v.id, v::api_v1.discover as discover
from (
    select l.kind, l.entry_id as id,
           (r.content ->> 'featured')::integer as position,
           json_build_object('kind', l.kind, 'id', l.entry_id, 'slug', r.content ->> 'slug', 'title', r.content ->> 'title',
               'tier', r.content ->> 'tier', 'preview', projection.preview_text(r.preview, r.plain),
               'picture', r.preview -> 'picture') as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    where l.kind = 'feed' and r.content ->> 'featured' is not null) v;

create or replace function projection.discover_affected(p_publication bigint)
returns table (kind text, id uuid) language sql stable as $$
    select c.kind, c.entry_id
    from curation.changed(p_publication) c
    where c.kind = 'feed'
$$;
