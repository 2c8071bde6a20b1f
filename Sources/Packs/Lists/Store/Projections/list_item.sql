-- Items of curated lists (D24), sortable in three orders (D14). The ID is derived from list and item, so it stays the
-- same if the item is removed and added again; created_at is when it was first added, updated_at when it was last added
-- or moved, or its note or details changed. Key: list_id, catalog_item_id.

create or replace function projection.list_item_id(list uuid, item uuid) returns uuid language sql immutable parallel safe as $$
    select overlay(overlay(md5(list::text || item::text) placing '8' from 13) placing '8' from 17)::uuid
$$;

create view projection.list_item as
select v.list_id, v.catalog_item_id, v::api_v1.list_item as list_item
from (
    select l.entry_id as list_id,
           u.item_id as catalog_item_id,
           x.id,
           c.kind,
           c.external_id as item_id,
           c.title,
           left(c.title, 80) collate "und-x-icu" as sort_title,
           c.details,
           u.note,
           false as checked,
           u.position,
           first_change.published_at as created_at,
           last_change.published_at as updated_at,
           projection.age(first_change.published_at) as age,
           json_build_object('id', x.id, 'list', l.entry_id, 'item_id', c.external_id, 'catalog_item_id', c.id,
               'kind', c.kind, 'title', c.title, 'note', u.note, 'details', c.details,
               'image', projection.catalog_image(c.title, c.details), 'checked', false,
               'position', u.position, 'created_at', projection.rfc3339(first_change.published_at),
               'updated_at', projection.rfc3339(last_change.published_at)) as document
    from curation.live l
    join curation.catalog_use u on u.revision_id = l.revision_id and u.field = 'items'
    join curation.catalog_item c on c.id = u.item_id
    cross join lateral (select projection.list_item_id(l.entry_id, u.item_id) as id) x
    cross join lateral (
        select min(m.publication) as first, max(m.publication) as last from curation.list_item_change m
        where m.list_id = l.entry_id and m.item_id = u.item_id) m
    cross join lateral (
        select max(f.publication) as last from curation.catalog_change f
        where f.item_id = u.item_id and f.is_described) f
    join curation.publication first_change on first_change.number = m.first
    join curation.publication last_change on last_change.number = greatest(m.last, f.last)
    where l.kind = 'list') v;

create or replace function projection.list_item_by_list(p_publication bigint)
returns table (list_id uuid, catalog_item_id uuid) language sql stable as $$
    select m.list_id, m.item_id from curation.list_changed(p_publication) m
$$;

-- The details of an item changed.
create or replace function projection.list_item_by_catalog(p_publication bigint)
returns table (list_id uuid, catalog_item_id uuid) language sql stable as $$
    select l.entry_id, f.item_id
    from curation.catalog_changed(p_publication) f
    join curation.catalog_use u on u.item_id = f.item_id and u.field = 'items'
    join curation.live l on l.revision_id = u.revision_id and l.kind = 'list'
$$;
