-- Catalog items: recording source data, listing, moving.

-- The catalog items that a publication changed. A separate function for the same reason as curation.changed.
create or replace function curation.catalog_changed(p_publication bigint)
returns setof curation.catalog_change language plpgsql stable rows 1 as $$
begin
    return query select * from curation.catalog_change where publication = p_publication;
end $$;

create or replace function curation.list_changed(p_publication bigint)
returns setof curation.list_item_change language plpgsql stable rows 1 as $$
begin
    return query select * from curation.list_item_change where publication = p_publication;
end $$;

-- Whether readers see an item: it is listed, or a published list contains it.
create or replace function curation.is_public(item curation.catalog_item) returns boolean language sql stable as $$
    select item.listed_at is not null or exists (
        select from curation.catalog_use u join curation.live l on l.revision_id = u.revision_id where u.item_id = item.id)
$$;

-- Publishes catalog changes that readers see: items with new details, and those with a new title. The caller holds the
-- lock.
create or replace function curation.publish_catalog(p_items uuid[], p_described uuid[], p_renamed uuid[], p_actor uuid, p_note text)
returns bigint language plpgsql as $$
declare
    counter curation.publication_counter;
    counts record;
begin
    if cardinality(p_items) = 0 then return null; end if;
    select * into counter from curation.publication_counter;
    insert into curation.catalog_change (publication, item_id, is_described, is_renamed)
    select counter.number + 1, i, i = any (p_described), i = any (p_renamed) from unnest(p_items) i;
    perform curation.begin_publication(counter.number + 1, p_actor, null, p_note);
    counts := projection.apply_all(counter.number + 1, counter.change_number);
    perform curation.end_publication(counter.number + 1, counter.change_number,
        counts.inserted, counts.updated, counts.deleted);
    return counter.number + 1;
end $$;

-- Records source data. Inserts new items, updates changed ones, and publishes the affected rows in one publication.
-- Search results are often incomplete (p_is_whole false): then missing details are kept. Returns the IDs in the order
-- of the rows. Takes the lock first, so that a list published at the same time does not show replaced data.
create or replace function curation.record_catalog(p_kind text, p_source text, p_external_ids text[], p_titles text[], p_details jsonb[],
    p_is_whole boolean, p_actor uuid) returns uuid[] language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed uuid[];
    renamed uuid[];
    ids uuid[];
begin
    perform from curation.publication_counter for update;
    select coalesce(array_agg(c.id), '{}'), coalesce(array_agg(c.id) filter (where c.title <> n.title), '{}')
    into changed, renamed
    from unnest(p_external_ids, p_titles, p_details) n (external_id, title, details)
    join curation.catalog_item c on c.source = p_source and c.kind = p_kind and c.external_id = n.external_id
    where (c.title <> n.title or c.details <> case when p_is_whole then n.details else c.details || n.details end)
        and curation.is_public(c);

    insert into curation.catalog_item as c (kind, source, external_id, title, details)
    select p_kind, p_source, n.external_id, n.title, n.details
    from unnest(p_external_ids, p_titles, p_details) n (external_id, title, details)
    on conflict on constraint catalog_item_once do update set
        title = excluded.title, checked_at = clock_timestamp(),
        details = case when p_is_whole then excluded.details else c.details || excluded.details end,
        fetched_at = case when c.title = excluded.title
            and c.details = case when p_is_whole then excluded.details else c.details || excluded.details end
            then c.fetched_at else clock_timestamp() end;
    select array_agg(c.id order by n.position) into ids
    from unnest(p_external_ids) with ordinality n (external_id, position)
    join curation.catalog_item c on c.source = p_source and c.kind = p_kind and c.external_id = n.external_id;
    perform curation.publish_catalog(changed, changed, renamed, p_actor, format('Updated details of %s from %s', p_kind, p_source));
    return coalesce(ids, '{}');
end $$;

-- Records that a source no longer has these items, so that others are refreshed first.
create or replace function curation.mark_catalog_checked(p_items uuid[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    update curation.catalog_item set checked_at = clock_timestamp() where id = any (p_items)
$$;

-- Inserts items of an imported release with their original IDs. Known items are kept.
create or replace function curation.receive_catalog(p_ids uuid[], p_kinds text[], p_sources text[], p_external_ids text[],
    p_titles text[], p_details jsonb[]) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into curation.catalog_item (id, kind, source, external_id, title, details)
    select * from unnest(p_ids, p_kinds, p_sources, p_external_ids, p_titles, p_details)
    on conflict do nothing
$$;

-- Lists or unlists items; items of published lists stay visible. Returns the publication, or null if nothing changed.
create or replace function curation.list_catalog(p_items uuid[], p_is_listed boolean, p_actor uuid)
returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed uuid[];
begin
    perform from curation.publication_counter for update;
    with updated as (
        update curation.catalog_item set
            listed_at = case when p_is_listed then clock_timestamp() end, listed_by = case when p_is_listed then p_actor end
        where id = any (p_items) and (listed_at is not null) <> p_is_listed returning id)
    select coalesce(array_agg(id), '{}') into changed from updated;
    return curation.publish_catalog(changed, '{}', '{}', p_actor,
        case when p_is_listed then 'Catalog items listed' else 'Catalog items unlisted' end);
end $$;

-- Gives an item another source or source ID; its own ID stays (D34). An unused item with that source ID is replaced.
create or replace function curation.move_catalog(p_item uuid, p_source text, p_external_id text, p_actor uuid)
returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    item curation.catalog_item;
    other curation.catalog_item;
    is_shown boolean;
begin
    perform from curation.publication_counter for update;
    select * into item from curation.catalog_item where id = p_item;
    if not found then perform curation.refuse('catalog_item_exists', 'this catalog item does not exist'); end if;
    is_shown := curation.is_public(item);
    select * into other from curation.catalog_item
    where source = p_source and kind = item.kind and external_id = p_external_id and id <> p_item;
    if found then
        if other.listed_at is not null or exists (select from curation.catalog_use where item_id = other.id)
            or exists (select from curation.catalog_change where item_id = other.id) then
            perform curation.refuse('catalog_item_in_use',
                format('%s is already used by item %s', p_external_id, other.id));
        end if;
        delete from curation.catalog_item where id = other.id;
    end if;
    update curation.catalog_item set source = p_source, external_id = p_external_id,
        title = coalesce(other.title, title), details = coalesce(other.details, details), fetched_at = clock_timestamp()
    where id = p_item;
    if not is_shown then return null; end if;
    return curation.publish_catalog(array[p_item], array[p_item],
        case when coalesce(other.title, item.title) <> item.title then array[p_item] else '{}' end, p_actor,
        format('Moved to %s of %s', p_external_id, p_source));
end $$;

-- Publishes the catalog items with these images, in one publication. Returns its number, or null if readers see no such item.
create or replace function curation.publish_catalog_images(p_images uuid[], p_actor uuid) returns bigint language plpgsql as $$
declare
    items uuid[];
begin
    select coalesce(array_agg(c.id), '{}') into items
    from ops.external_image x
    join curation.catalog_item c on curation.catalog_image_url(c.details) = x.url
    where x.id = any (p_images) and curation.is_public(c);
    return curation.publish_catalog(items, items, '{}', p_actor, 'Images of catalog items stored');
end $$;

select curation.read_through_indexes(f) from unnest(array['record_catalog(text, text, text[], text[], jsonb[], boolean, uuid)',
    'list_catalog(uuid[], boolean, uuid)', 'move_catalog(uuid, text, text, uuid)']) f;

grant execute on function curation.is_public(curation.catalog_item), curation.record_catalog(text, text, text[], text[],
    jsonb[], boolean, uuid), curation.mark_catalog_checked(uuid[]), curation.receive_catalog(uuid[], text[], text[], text[],
    text[], jsonb[]), curation.list_catalog(uuid[], boolean, uuid), curation.move_catalog(uuid, text, text, uuid) to
    @daemon@;
