-- Functions that the tables of catalogs and lists need.

-- The URL of a catalog item's image at its source; null if there is none.
create or replace function curation.catalog_image_url(details jsonb) returns text language sql immutable parallel safe as $$
    select u.url from (select coalesce(details ->> 'poster', details ->> 'cover', details ->> 'image') as url) u
    where u.url ~ '^https?://[!-~]+$' and length(u.url) <= 2048
$$;

grant execute on function curation.catalog_image_url(jsonb) to @daemon@;

-- Queues the images of catalog items that readers see.
create or replace function curation.fetch_catalog_images() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    insert into ops.external_image (url, source, state)
    select distinct on (i.url) i.url, s.source, 'waiting'
    from shown s cross join lateral (select curation.catalog_image_url(s.details) as url) i
    where i.url is not null order by i.url
    on conflict (url) do update set state = 'waiting', next_at = clock_timestamp() where external_image.state = 'known';
    return null;
end $$;

-- Records which items of lists a publication added, removed or moved, or whose note changed.
create or replace function curation.record_list_changes() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select from changed where kind = 'list') then return null; end if;
    insert into curation.list_item_change (publication, list_id, item_id)
    select c.publication, c.entry_id, m.item_id
    from changed c
    cross join lateral (
        select coalesce(n.item_id, o.item_id) as item_id
        from (select * from curation.catalog_use u where u.revision_id = c.old_revision and u.field = 'items') o
        full join (select * from curation.catalog_use u where u.revision_id = c.new_revision and u.field = 'items') n
            on n.item_id = o.item_id
        where o.position is distinct from n.position or o.note is distinct from n.note) m
    where c.kind = 'list';
    return null;
end $$;
