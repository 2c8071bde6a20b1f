-- Offline files: all widths of all images that the published items of a feed use (A30, A40). Key: feed_id, media_id,
-- width. media_id is the ID of the version that the items show.
create view projection.offline_file as
select v.feed_id, v.media_id, v.width, v::api_v1.offline_file as offline_file
from (
    select l.entry_id as feed_id,
           t.media_id,
           w.width,
           w.path,
           m.type as mime,
           w.bytes,
           w.sha256,
           'premium' as requires,
           json_build_object('image', m.media_id, 'path', w.path, 'mime', m.type, 'bytes', w.bytes, 'sha256', w.sha256,
               'width', w.width, 'height', w.height) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    cross join lateral projection.feed_source(l.entry_id, r.content) b
    join curation.media_count t on t.field = b.field and t.target_entry_id = b.target
    join ops.media_version m on m.id = t.media_id
    join ops.media_file w on w.version_id = t.media_id
    where l.kind = 'feed') v;

-- Images were added or removed.
create or replace function projection.offline_file_by_offline(p_publication bigint)
returns table (feed_id uuid, media_id uuid, width integer) language sql stable as $$
    select p.feed_id, p.media_id, w.width
    from curation.feeds_with_changed_images(p_publication) p
    join ops.media_file w on w.version_id = p.media_id
$$;

-- The previous and current files of a feed.
create or replace function projection.offline_files_of(p_feed uuid) returns table (media_id uuid, width integer)
language sql stable as $$
    select f.media_id, f.width from api_v1.offline_file f where f.feed_id = p_feed
    union all
    select w.media_id, w.width
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    cross join lateral projection.feed_files(p_feed, r.content) w
    where l.entry_id = p_feed
$$;

-- A feed was published or unpublished, or changed its source.
create or replace function projection.offline_file_by_feed(p_publication bigint)
returns table (feed_id uuid, media_id uuid, width integer) language sql stable as $$
    select c.id, k.media_id, k.width
    from projection.feeds_with_new_source(p_publication) c cross join lateral projection.offline_files_of(c.id) k
$$;

-- The source category of a feed was merged or unmerged.
create or replace function projection.offline_file_by_merge(p_publication bigint)
returns table (feed_id uuid, media_id uuid, width integer) language sql stable as $$
    select c.id, k.media_id, k.width
    from projection.merge_affected_feeds(p_publication) c cross join lateral projection.offline_files_of(c.id) k
$$;
