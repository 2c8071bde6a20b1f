-- The badges that routes can have (C15). Key: id.
create view projection.badge as
select v.id, v::api_v1.badge as badge
from (
    select l.entry_id as id,
           r.content ->> 'slug' as key,
           r.content ->> 'title' as title,
           coalesce((r.content ->> 'position')::integer, 100) as position,
           json_build_object('id', l.entry_id, 'key', r.content ->> 'slug', 'title', r.content ->> 'title',
               'description', r.content ->> 'description', 'icon', r.preview -> 'icon',
               'position', coalesce((r.content ->> 'position')::integer, 100)) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    where l.kind = 'badge') v;

create or replace function projection.badge_affected(p_publication bigint) returns table (id uuid) language sql stable as $$
    select c.entry_id
    from curation.changed(p_publication) c
    where c.kind = 'badge'
$$;
