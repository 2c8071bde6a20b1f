-- Creates the default content of a deployment, approved and published by the system: the two category groups, a category for
-- uncategorized entries, and what defaults.json and those of packs contain, such as settings and texts. Entries that were created before are not changed, even
-- if they were edited or unpublished since; defaults of a newer version are added.
do $$
declare
    system_actor uuid := '00000000-0000-7000-8000-000000000001';
    topic_group uuid := '00000000-0000-7000-8000-000000000011';
    place_group uuid := '00000000-0000-7000-8000-000000000012';
    unsorted uuid := '00000000-0000-7000-8000-000000000013';
    seeds jsonb := jsonb_build_array(
        jsonb_build_object('id', topic_group, 'type', 'category_group',
            'fields', jsonb_build_object('title', 'Topic', 'slug', 'topic', 'number', 1)),
        jsonb_build_object('id', place_group, 'type', 'category_group',
            'fields', jsonb_build_object('title', 'Place', 'slug', 'place', 'number', 2)),
        jsonb_build_object('id', unsorted, 'type', 'category',
            'fields', jsonb_build_object('title', 'Unsorted', 'slug', 'unsorted', 'group', topic_group, 'position', 1000)));
    created uuid[];
    -- Not published: people review and publish these first.
    drafts uuid[];
begin
    -- IDs of defaults are derived from type and key, so that they are created once and are the same in every deployment.
    seeds := seeds || (
        select jsonb_agg(d || jsonb_build_object('id', ('00000000-0000-7000-8' || substr(h, 1, 3) || '-' || substr(h, 4, 12))::uuid))
        from jsonb_array_elements(@defaults@) d
        cross join lateral (select md5((d ->> 'type') || '/' || coalesce(d -> 'fields' ->> 'key', d -> 'fields' ->> 'slug')) as h) h);
    insert into projection.pack_default (entry_id, pack)
    select (s ->> 'id')::uuid, s ->> 'pack' from jsonb_array_elements(seeds) s where s ? 'pack'
    on conflict (entry_id) do update set pack = excluded.pack where pack_default.pack <> excluded.pack;
    -- A deployment may omit some of the content types.
    seeds := (
        select jsonb_agg(s || jsonb_build_object('kind', t.kind))
        from jsonb_array_elements(seeds) s
        join curation.content_type t on t.name = s ->> 'type'
        where not exists (select from curation.entry e where e.id = (s ->> 'id')::uuid)
          -- The team may have created one with this slug before it was a default.
          and not exists (
            select from curation.slug g where g.kind = t.kind and g.slug = s -> 'fields' ->> 'slug'));
    if seeds is null then return; end if;
    created := array(select (s ->> 'id')::uuid from jsonb_array_elements(seeds) s);
    drafts := array(select (s ->> 'id')::uuid from jsonb_array_elements(seeds) s where s -> 'draft' = 'true');
    insert into ops.audit_event (actor_id, action, object_type, detail)
    values (system_actor, 'entry.create', 'deployment', jsonb_build_object('entries', cardinality(created)));
    insert into curation.entry (id, type, kind, created_by)
    select (s ->> 'id')::uuid, s ->> 'type', s ->> 'kind', system_actor from jsonb_array_elements(seeds) s;
    insert into curation.revision (entry_id, number, content, html, preview, content_hash, author_id, note)
    select (s ->> 'id')::uuid, 1, s -> 'fields', s -> 'html',
           case when s ->> 'type' in ('category_group', 'category') then jsonb_build_object('title', s -> 'fields' -> 'title')
               else s -> 'fields' end,
           sha256(convert_to((s -> 'fields')::text, 'UTF8')), system_actor, 'Created'
    from jsonb_array_elements(seeds) s;
    insert into curation.reference (revision_id, field, position, target_entry_id)
    select id, 'group', 1, topic_group from curation.revision where entry_id = unsorted and unsorted = any(created);
    insert into curation.slug (kind, slug, entry_id)
    select s ->> 'kind', s -> 'fields' ->> 'slug', (s ->> 'id')::uuid from jsonb_array_elements(seeds) s
    where s -> 'fields' ? 'slug';
    insert into curation.approval (revision_id, actor_id, actor_role)
    select id, system_actor, 'system' from curation.revision where entry_id = any(created) and entry_id <> all(drafts);
    insert into curation.publish_approval (revision_id, entry_id)
    select id, entry_id from curation.revision where entry_id = any(created) and entry_id <> all(drafts);
    perform curation.publish(array_agg(entry_id), array_agg(id), system_actor, null,
        case when topic_group = any(created) then 'First publication' else 'Defaults of a newer version' end)
    from curation.revision where entry_id = any(created) and entry_id <> all(drafts)
    having count(*) > 0;
end $$;
