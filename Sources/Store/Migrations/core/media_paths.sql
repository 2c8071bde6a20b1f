-- The paths of all files of images that published entries show, to look them up.
set local role @owner@;

alter table api_v1.media add column paths text[] not null default '{}';
update api_v1.media m set paths = coalesce((
    select array_agg(distinct f.path)
    from curation.media_use u
    join curation.live l on l.revision_id = u.revision_id
    join ops.media_file f on f.version_id = u.version_id
    where u.media_id = m.id), '{}');
create index media_paths on api_v1.media using gin (paths);

comment on column api_v1.media.paths is 'Paths of all files, also of other versions that published entries show.';

reset role;
