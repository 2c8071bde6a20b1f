-- Trigger functions that check images and streams when entries are published.

-- Refuses images without a file or an alternative text (A40).
create or replace function curation.check_live_images() returns trigger language plpgsql as $$
declare
    incomplete record;
begin
    select u.pointer, m.state, r.content ->> 'title' as title into incomplete
    from shown s
    join curation.media_use u on u.revision_id = s.revision_id
    join ops.media m on m.id = u.media_id
    join curation.revision r on r.id = s.revision_id
    where m.state <> 'stored' or coalesce(r.content #>> (string_to_array(u.pointer, '/') || 'alt'::text), '') = ''
    limit 1;
    if found then
        perform curation.refuse(
            case when incomplete.state <> 'stored' then 'live_media_file' else 'live_media_alt' end,
            format('the %s of "%s" %s', incomplete.pointer, incomplete.title, case when incomplete.state <> 'stored'
                then 'is missing from media storage' else 'needs an alternative text before it can be published' end));
    end if;
    return null;
end $$;

-- Refuses offline files whose image is missing from media storage (A40).
create or replace function curation.check_offline_files() returns trigger language plpgsql as $$
declare
    incomplete record;
begin
    select m.name into incomplete from shown s join ops.media m on m.id = s.media_id where m.state <> 'stored' limit 1;
    if found then
        perform curation.refuse('offline_file_stored', format('the image "%s" of this feed is missing from media storage', incomplete.name));
    end if;
    return null;
end $$;

-- Refuses videos whose stream was checked and is not an HLS playlist (A38).
create or replace function curation.check_live_playlists() returns trigger language plpgsql as $$
declare
    incomplete record;
begin
    select r.content ->> 'title' as title, k.detail into incomplete
    from shown s
    join curation.revision r on r.id = s.revision_id
    cross join lateral (
        select outcome, detail from curation.playlist_check
        where stream_url = r.content ->> 'hls_url' and outcome <> 'unreachable' order by id desc limit 1) k
    where s.type = 'video' and k.outcome = 'malformed'
    limit 1;
    if found then
        perform curation.refuse('live_video_playlist',
            format('the stream of "%s" is not an HLS playlist: %s', incomplete.title, rtrim(incomplete.detail, '.')));
    end if;
    return null;
end $$;

-- Refuses images and files of other servers if the setting images.hosted_only is true (A40, A41): in image and file
-- fields and inside texts.
create or replace function curation.check_live_image_hosts() returns trigger language plpgsql as $$
declare
    incomplete text;
begin
    if projection.setting('images.hosted_only') is distinct from 'true' then return null; end if;
    select r.content ->> 'title' into incomplete
    from shown s
    join curation.revision r on r.id = s.revision_id
    where r.content @? '$.*.** ? (@.type() == "object" && exists (@.url))'
       or r.content::text ~ '<img [^>]*src=\\"https?://' or r.content::text ~ '!\[[^]]*\]\(<?https?://'
    limit 1;
    if found then
        perform curation.refuse('live_image_hosted',
            format('"%s" uses an image or file from another server; upload it to the media library first', incomplete));
    end if;
    return null;
end $$;
