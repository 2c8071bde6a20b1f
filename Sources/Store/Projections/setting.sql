-- Settings, with their value as JSON of its kind (A42, A43, B20, C5, C6, C10, C11, C19, C25, C26, K1, K9). A value of
-- another kind becomes null, which the table refuses. Defaults of packs that are off are left out. Key: id.
create view projection.setting as
select v.id, v::api_v1.setting as setting
from (
    select l.entry_id as id,
           r.content ->> 'key' as key,
           r.content ->> 'section' as section,
           r.content ->> 'kind' as kind,
           s.value,
           (r.content ->> 'minimum')::numeric as minimum,
           (r.content ->> 'maximum')::numeric as maximum,
           json_build_object('id', l.entry_id, 'key', r.content ->> 'key', 'section', r.content ->> 'section',
               'kind', r.content ->> 'kind', 'value', s.value, 'name', r.content ->> 'title', 'revision', r.number) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    cross join lateral (select r.content ->> 'kind' as kind, r.content ->> 'value' as written offset 0) x
    cross join lateral (
        select case x.kind
            when 'integer' then case when x.written ~ '^-?[0-9]{1,15}$' then to_json(x.written::bigint) end
            when 'number' then case when x.written ~ '^-?[0-9]{1,15}(\.[0-9]{1,15})?$' then to_json(x.written::numeric) end
            when 'boolean' then case when x.written in ('true', 'false') then to_json(x.written::boolean) end
            when 'list' then coalesce((
                select json_agg(btrim(line, E' \t\r') order by position)
                from string_to_table(x.written, E'\n') with ordinality u (line, position)
                where line ~ '\S'), '[]')
            else to_json(x.written) end as value offset 0) s
    where l.kind = 'setting'
      and not exists (
        select from projection.pack_default d where d.entry_id = l.entry_id and d.pack <> all ('{@packs@}'::text[]))) v;
