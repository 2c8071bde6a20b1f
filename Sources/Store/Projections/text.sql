-- Texts, one row per locale (B61), with their used, allowed and required placeholders (B21, B60). Defaults of
-- packs that are off are left out. Key: id, locale.
create view projection.text as
select v.id, v.locale, v::api_v1.text as text
from (
    select l.entry_id as id,
           t.translation ->> 'locale' as locale,
           r.content ->> 'key' as key,
           r.content ->> 'section' as section,
           r.content ->> 'format' as format,
           t.translation ->> 'value' as value,
           r.html ->> format('values/%s/value', t.position - 1) as html,
           p.allowed as placeholders,
           p.required,
           array(select distinct m[1]
                 from regexp_matches(t.translation ->> 'value', '\{([A-Za-z0-9_.-]+)\}', 'g') m order by 1) as used,
           json_build_object('id', l.entry_id, 'key', r.content ->> 'key', 'locale', t.translation ->> 'locale',
               'section', r.content ->> 'section', 'format', r.content ->> 'format', 'value', t.translation ->> 'value',
               'html', r.html ->> format('values/%s/value', t.position - 1), 'placeholders', p.allowed, 'revision', r.number) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    cross join lateral (
        select coalesce(array_agg(e ->> 'name' order by position), '{}') as allowed,
               coalesce(array_agg(e ->> 'name' order by position) filter (where e -> 'required' = 'true'), '{}') as required
        from jsonb_array_elements(r.content -> 'placeholders') with ordinality u (e, position)) p
    cross join lateral jsonb_array_elements(r.content -> 'values') with ordinality t (translation, position)
    where l.kind = 'text'
      and not exists (
        select from projection.pack_default d where d.entry_id = l.entry_id and d.pack <> all ('{@packs@}'::text[]))) v;

-- The previous and current locales of the text.
create or replace function projection.text_by_text(p_publication bigint)
returns table (id uuid, locale text) language sql stable as $$
    select c.entry_id, t.translation ->> 'locale'
    from curation.changed(p_publication) c
    join curation.revision r on r.id in (c.old_revision, c.new_revision)
    cross join lateral jsonb_array_elements(r.content -> 'values') t (translation)
    where c.kind = 'text'
$$;
