-- Images that published entries use (A40, B9): files and description of the last approved revision. Key: id.
create view projection.media as
select v.id, v::api_v1.media as media
from (
    select m.id, w.path, n.type as mime, w.bytes, w.sha256, w.width, w.height, p.image ->> 'alt' as alt,
           json_build_object('id', m.id, 'path', w.path, 'mime', n.type, 'bytes', w.bytes, 'sha256', w.sha256,
               'width', w.width, 'height', w.height, 'alt', p.image ->> 'alt', 'focus', p.image -> 'focus',
               'renditions', p.image -> 'renditions', 'files', s.documents) as document,
           s.paths
    from ops.media m
    cross join lateral (
        select coalesce(u.image, r.content #> string_to_array(u.pointer, '/')) as image, u.version_id
        from curation.media_use u
        join curation.live l on l.revision_id = u.revision_id
        join curation.publish_approval a on a.revision_id = u.revision_id
        join curation.revision r on r.id = u.revision_id
        where u.media_id = m.id
        order by a.approved_at desc, u.revision_id desc, u.pointer limit 1) p
    join ops.media_version n on n.id = p.version_id
    cross join lateral (
        select f.* from ops.media_file f where f.version_id = p.version_id order by f.width desc limit 1) w
    -- of all versions that are shown
    cross join lateral (
        select array_agg(f.path order by f.path) as paths,
               json_agg(json_build_object('path', f.path, 'width', f.width, 'height', f.height, 'bytes', f.bytes,
                   'sha256', f.sha256) order by f.path) as documents
        from (
            select distinct on (f.path) f.*
            from (select distinct u.version_id from curation.media_use u
                  join curation.live l on l.revision_id = u.revision_id where u.media_id = m.id) u
            join ops.media_file f on f.version_id = u.version_id order by f.path, f.version_id) f) s) v;

create or replace function projection.media_by_any(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select u.media_id
    from curation.changed(p_publication) c
    join curation.media_use u on u.revision_id in (c.old_revision, c.new_revision)
    where u.media_id is not null
$$;
