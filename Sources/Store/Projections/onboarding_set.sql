-- Onboarding sets with all their screens in the document (B16, B17, C25). Key: id.
create view projection.onboarding_set as
select v.id, v::api_v1.onboarding_set as onboarding_set
from (
    select l.entry_id as id,
           r.content ->> 'key' as key,
           r.content ->> 'locale' as locale,
           (r.content ->> 'set_version')::integer as set_version,
           (r.content ->> 'min_screens')::integer as min_screens,
           (r.content ->> 'max_screens')::integer as max_screens,
           coalesce(jsonb_array_length(r.content -> 'screens'), 0) as screen_count,
           json_build_object('id', l.entry_id, 'key', r.content ->> 'key', 'locale', r.content ->> 'locale',
               'set_version', (r.content ->> 'set_version')::integer, 'revision', r.number,
               'screens', coalesce((
                   select json_agg(json_build_object('position', s.position, 'title', s.screen ->> 'title',
                       'text', s.screen ->> 'text', 'image', s.screen -> 'image') order by s.position)
                   from jsonb_array_elements(r.content -> 'screens') with ordinality s (screen, position)), '[]')) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    where l.kind = 'onboarding_set') v;
