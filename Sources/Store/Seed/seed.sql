-- What every deployment starts with: the two category groups and one category for what nobody has sorted yet,
-- approved and published by the system. Does nothing when they are there.
do $$
declare
    system_actor uuid := '00000000-0000-7000-8000-000000000001';
    topic uuid := '00000000-0000-7000-8000-000000000011';
    place uuid := '00000000-0000-7000-8000-000000000012';
    unsorted uuid := '00000000-0000-7000-8000-000000000013';
    seeds jsonb := jsonb_build_array(
        jsonb_build_object('id', topic, 'type', 'category_group',
            'content', jsonb_build_object('title', 'Topic', 'slug', 'topic', 'number', 1)),
        jsonb_build_object('id', place, 'type', 'category_group',
            'content', jsonb_build_object('title', 'Place', 'slug', 'place', 'number', 2)),
        jsonb_build_object('id', unsorted, 'type', 'category',
            'content', jsonb_build_object('title', 'Unsorted', 'slug', 'unsorted', 'group', topic, 'position', 1000)));
begin
    if exists (select from curation.entry where id = topic) then return; end if;
    insert into ops.audit_event (actor_id, act, object_type, detail)
    values (system_actor, 'system.seed', 'deployment', '{}');
    insert into curation.entry (id, type, kind, created_by)
    select (s ->> 'id')::uuid, s ->> 'type', s ->> 'type', system_actor from jsonb_array_elements(seeds) s;
    insert into curation.revision (entry_id, number, content, preview, content_hash, author_id, note)
    select (s ->> 'id')::uuid, 1, s -> 'content', jsonb_build_object('title', s -> 'content' ->> 'title'),
           sha256(convert_to((s -> 'content')::text, 'UTF8')), system_actor, 'made by the system'
    from jsonb_array_elements(seeds) s;
    insert into curation.reference (revision_id, field, position, target_entry_id)
    select id, 'group', 1, topic from curation.revision where entry_id = unsorted;
    insert into curation.slug (kind, slug, entry_id)
    select s ->> 'type', s -> 'content' ->> 'slug', (s ->> 'id')::uuid from jsonb_array_elements(seeds) s;
    insert into curation.consent (revision_id, actor_id, actor_role)
    select id, system_actor, 'system' from curation.revision where entry_id in (topic, place, unsorted);
    insert into curation.approval (revision_id, entry_id)
    select id, entry_id from curation.revision where entry_id in (topic, place, unsorted);
    perform curation.publish(array_agg(entry_id), array_agg(id), system_actor, null, 'first publication')
    from curation.revision where entry_id in (topic, place, unsorted);
end $$;
