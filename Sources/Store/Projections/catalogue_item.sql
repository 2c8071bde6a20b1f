-- The catalogues as readers may browse them (D6, D7): what a curator offered, of the kinds that the setting
-- catalogues.offered names (D3), and what live lists name. Key: id.
create view projection.catalogue_item as
select v.id, v::api_v1.catalogue_item as catalogue_item
from (
    select c.id, c.kind, c.source, c.external_id as item_id, c.title,
           left(c.title, 80) collate "und-x-icu" as sort_title, c.details, c.fetched_at,
           to_tsvector('simple', projection.fold(c.title)) as words,
           json_build_object('objectId', c.id, 'kind', c.kind, 'source', c.source, 'itemId', c.external_id,
               'title', c.title, 'details', c.details, 'fetchedAt', projection.rfc3339(c.fetched_at)) as document
    from curation.catalogue_item c
    where c.offered_at is not null and coalesce(c.kind = any ((select projection.offered_kinds())::text[]), true)
       or exists (
           select from curation.catalogue_use u join curation.live l on l.revision_id = u.revision_id where u.item_id = c.id)) v;

-- Described anew, offered or taken back.
create or replace function projection.catalogue_item_by_fact(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select f.item_id from curation.catalogue_changed(p_publication) f
$$;

-- A list that names it, or named it, changed.
create or replace function projection.catalogue_item_by_list(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select u.item_id
    from curation.changed(p_publication) c
    join curation.catalogue_use u on u.revision_id in (c.old_revision, c.new_revision)
    where c.kind = 'list'
$$;

-- Kinds are offered now, or not any more.
create or replace function projection.catalogue_item_by_setting(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select i.id
    from curation.catalogue_item i
    where i.offered_at is not null and (select projection.setting_changed(p_publication, 'catalogues.offered'))
$$;
