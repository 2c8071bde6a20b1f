-- Functions of catalogs and lists: the kinds that can be browsed, images.

-- The kinds of catalog items that can be browsed; null for all.
create or replace function projection.listed_kinds() returns text[] language sql stable parallel safe as $$
    select string_to_array(projection.setting('catalogs.offered'), E'\n')
$$;

-- The image of a catalog item in the media library, like an image in an entry; null until it is stored (A41). It is the file
-- that was fetched, which is the first version.
create or replace function projection.catalog_image(title text, details jsonb) returns json language sql stable as $$
    select json_build_object('media', m.id, 'type', n.type, 'alt', title, 'path', w.path, 'width', w.width,
        'height', w.height, 'bytes', w.bytes, 'sha256', w.sha256, 'renditions', f.files)
    from ops.external_image x
    join ops.media m on m.id = x.media_id
    join ops.media_version n on n.id = m.id
    cross join lateral (select * from ops.media_file where version_id = m.id order by width desc limit 1) w
    cross join lateral (
        select json_agg(json_build_object('path', f.path, 'width', f.width, 'height', f.height, 'bytes', f.bytes,
            'sha256', f.sha256) order by f.width) as files
        from ops.media_file f where f.version_id = m.id) f
    where x.url = curation.catalog_image_url(details) and x.shown_at is not null
$$;
