-- Screens of onboarding sets (B16). Key: set_id, position.
create view projection.onboarding_screen as
select v.set_id, v.position, v::api_v1.onboarding_screen as onboarding_screen
from (
    select l.entry_id as set_id,
           s.position::integer as position,
           s.screen ->> 'title' as title,
           s.screen ->> 'text' as text,
           (s.screen -> 'image')::json as image,
           json_build_object('position', s.position, 'title', s.screen ->> 'title', 'text', s.screen ->> 'text',
               'image', s.screen -> 'image') as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    cross join lateral jsonb_array_elements(r.content -> 'screens') with ordinality s (screen, position)
    where l.kind = 'onboarding_set') v;

-- As many positions as the set had or has.
create or replace function projection.onboarding_screen_by_onboarding_set(p_publication bigint)
returns table (set_id uuid, "position" integer) language sql stable as $$
    select c.entry_id, s.position
    from curation.changed(p_publication) c
    left join curation.revision o on o.id = c.old_revision
    left join curation.revision n on n.id = c.new_revision
    cross join lateral generate_series(1, greatest(
        jsonb_array_length(o.content -> 'screens'), jsonb_array_length(n.content -> 'screens'))) s (position)
    where c.kind = 'onboarding_set'
$$;
