-- Catalog items that readers can browse (D6, D7): listed items of the kinds in the setting catalogs.offered (D3), and
-- items of published lists. Key: id.
create view projection.catalog_item as
select v.id, v::api_v1.catalog_item as catalog_item
from (
    select c.id, c.kind, c.source, c.external_id as item_id, c.title,
           left(c.title, 80) collate "und-x-icu" as sort_title, c.details, c.fetched_at,
           projection.terms(c.title) as terms,
           json_build_object('id', c.id, 'kind', c.kind, 'source', c.source, 'item_id', c.external_id,
               'title', c.title, 'details', c.details, 'image', projection.catalog_image(c.title, c.details), 'fetched_at', projection.rfc3339(c.fetched_at)) as document
    from curation.catalog_item c
    where c.listed_at is not null and coalesce(c.kind = any ((select projection.listed_kinds())::text[]), true)
       or exists (
           select from curation.catalog_use u join curation.live l on l.revision_id = u.revision_id where u.item_id = c.id)) v;

-- Its details changed, or it was listed or unlisted.
create or replace function projection.catalog_item_by_catalog(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select f.item_id from curation.catalog_changed(p_publication) f
$$;

-- A list that contains or contained it changed.
create or replace function projection.catalog_item_by_list(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select u.item_id
    from curation.changed(p_publication) c
    join curation.catalog_use u on u.revision_id in (c.old_revision, c.new_revision)
    where c.kind = 'list'
$$;

-- The offered kinds changed.
create or replace function projection.catalog_item_by_setting(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select i.id
    from curation.catalog_item i
    where i.listed_at is not null and (select projection.setting_changed(p_publication, 'catalogs.offered'))
$$;
