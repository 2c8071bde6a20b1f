-- Texts, one row for each language (B61), with the placeholders that they use, may use and must use (B21, B60). Key: id, locale.
create view projection.text as
select v.id, v.locale, v::api_v1.text as text
from (
    select l.entry_id as id,
           t.translation ->> 'locale' as locale,
           r.content ->> 'key' as key,
           r.content ->> 'section' as section,
           r.content ->> 'format' as format,
           t.translation ->> 'value' as value,
           p.allowed as placeholders,
           p.needed,
           array(select distinct m[1]
                 from regexp_matches(t.translation ->> 'value', '\{([A-Za-z0-9_.-]+)\}', 'g') m order by 1) as used,
           json_build_object('id', l.entry_id, 'key', r.content ->> 'key', 'locale', t.translation ->> 'locale',
               'section', r.content ->> 'section', 'format', r.content ->> 'format', 'value', t.translation ->> 'value',
               'placeholders', p.allowed, 'revision', r.number) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    cross join lateral (
        select coalesce(array_agg(e ->> 'name' order by place), '{}') as allowed,
               coalesce(array_agg(e ->> 'name' order by place) filter (where e -> 'needed' = 'true'), '{}') as needed
        from jsonb_array_elements(r.content -> 'placeholders') with ordinality u (e, place)) p
    cross join lateral jsonb_array_elements(r.content -> 'values') t (translation)
    where l.kind = 'text') v;

-- The languages that the text had or has.
create or replace function projection.text_by_text(p_publication bigint)
returns table (id uuid, locale text) language sql stable as $$
    select c.entry_id, t.translation ->> 'locale'
    from curation.changed(p_publication) c
    join curation.revision r on r.id in (c.old_revision, c.new_revision)
    cross join lateral jsonb_array_elements(r.content -> 'values') t (translation)
    where c.kind = 'text'
$$;
