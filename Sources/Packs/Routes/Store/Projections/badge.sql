-- Badges of routes (C15). Key: id.
create view projection.badge as
select v.id, v::api_v1.badge as badge
from (
    select l.entry_id as id,
           r.content ->> 'slug' as key,
           r.content ->> 'title' as title,
           coalesce((r.content ->> 'position')::integer, 100) as position,
           json_build_object('id', l.entry_id, 'key', r.content ->> 'slug', 'title', r.content ->> 'title',
               'description', r.content ->> 'description', 'descriptions', d.by_locale, 'icon', r.preview -> 'icon',
               'position', coalesce((r.content ->> 'position')::integer, 100)) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    -- its description in every locale: the text badge.heart for the badge heart
    cross join lateral (
        select coalesce(json_object_agg(t.translation ->> 'locale', t.translation ->> 'value'
                   order by t.translation ->> 'locale'), '{}') as by_locale
        from curation.live tl
        join curation.revision tr on tr.id = tl.revision_id
        cross join lateral jsonb_array_elements(tr.content -> 'values') t (translation)
        where tl.kind = 'text' and tr.content ->> 'key' = 'badge.' || (r.content ->> 'slug')) d
    where l.kind = 'badge') v;

-- Its description changed.
create or replace function projection.badge_by_text(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select l.entry_id
    from curation.changed(p_publication) c
    join curation.revision t on t.id in (c.old_revision, c.new_revision)
    join curation.live l on l.kind = 'badge'
    join curation.revision r on r.id = l.revision_id and 'badge.' || (r.content ->> 'slug') = t.content ->> 'key'
    where c.kind = 'text'
$$;
