-- What apps may keep for offline use: which images each feed and category shows, the manifests, and what playlists were
-- found to be.
set local role @owner@;

-- How many live items show each image, for each feed that they name and each category (a feed may take a category); kept
-- by difference, as curation.member_count is, and checked by verify.
create table curation.media_count (
    field text not null,
    target_entry_id uuid not null,
    media_id uuid not null,
    n bigint not null constraint media_count_positive check (n > 0),
    primary key (field, target_entry_id, media_id)
);

-- What each publication changed in it; came is 1 where the image was not there before, -1 where it is gone.
create table curation.media_count_change (
    publication bigint not null,
    field text not null,
    target_entry_id uuid not null,
    media_id uuid not null,
    n bigint not null constraint media_count_change_differs check (n <> 0),
    came integer not null constraint media_count_change_added check (came in (-1, 0, 1)),
    primary key (publication, field, target_entry_id, media_id)
);

-- The files of these images together. The mark is the exclusive or of a hash of each file: it can be kept by difference,
-- and it is another as soon as one file is.
create table curation.media_total (
    field text not null,
    target_entry_id uuid not null,
    files bigint not null constraint media_total_files check (files > 0),
    bytes bigint not null constraint media_total_bytes check (bytes > 0),
    mark bit(256) not null,
    primary key (field, target_entry_id)
);

create function curation.media_weight(p_media uuid) returns table (files bigint, bytes bigint, mark bit(256))
language sql stable as $$
    select count(*), sum(f.bytes)::bigint,
           bit_xor(('x' || encode(sha256(convert_to(concat_ws(' ', f.media_id, f.width, f.path, f.sha256), 'UTF8')), 'hex'))::bit(256))
    from ops.media_file f where f.media_id = p_media
$$;

-- Adds what a publication changed to these counts; called by curation.change_live (m0009_publishing.sql).
create function curation.count_media(p_publication bigint) returns void language plpgsql as $$
begin
    if not exists (select from curation.changed(p_publication) c
            join curation.media_use u on u.revision_id in (c.old_revision, c.new_revision))
        and not exists (select from curation.category_merge_change where publication = p_publication) then
        return;
    end if;
    insert into curation.media_count_change (publication, field, target_entry_id, media_id, n, came)
    select p_publication, d.field, d.target_entry_id, d.media_id, d.n,
           case when t.n is null then 1 when t.n + d.n = 0 then -1 else 0 end
    from (
        select c.field, c.target_entry_id, u.media_id, sum(c.sign) as n
        from curation.contributions(p_publication) c
        join curation.content_type z on z.name = c.type and z.kind = 'item'
        cross join lateral (select distinct u.media_id from curation.media_use u where u.revision_id = c.revision_id) u
        where c.field in ('feeds', 'categories')
        group by c.field, c.target_entry_id, u.media_id) d
    left join curation.media_count t
      on t.field = d.field and t.target_entry_id = d.target_entry_id and t.media_id = d.media_id
    where d.n <> 0;
    if not found then return; end if;
    merge into curation.media_count t
    using (select * from curation.media_count_change where publication = p_publication) d
    on t.field = d.field and t.target_entry_id = d.target_entry_id and t.media_id = d.media_id
    when matched and t.n + d.n = 0 then delete
    when matched then update set n = t.n + d.n
    when not matched then insert (field, target_entry_id, media_id, n)
        values (d.field, d.target_entry_id, d.media_id, d.n);
    merge into curation.media_total t
    using (
        select d.field, d.target_entry_id, sum(d.came * w.files)::bigint as files, sum(d.came * w.bytes)::bigint as bytes,
               bit_xor(w.mark) as mark
        from curation.media_count_change d cross join lateral curation.media_weight(d.media_id) w
        where d.publication = p_publication and d.came <> 0
        group by d.field, d.target_entry_id) d
    on t.field = d.field and t.target_entry_id = d.target_entry_id
    when matched and t.files + d.files = 0 then delete
    when matched then update set files = t.files + d.files, bytes = t.bytes + d.bytes, mark = t.mark # d.mark
    when not matched then insert (field, target_entry_id, files, bytes, mark)
        values (d.field, d.target_entry_id, d.files, d.bytes, d.mark);
end $$;

-- The live feeds whose images a publication changed, by what names them and by the category that they take.
create function curation.repictured(p_publication bigint) returns table (feed_id uuid, media_id uuid)
language plpgsql stable rows 1 as $$
begin
    return query
    select l.entry_id, d.media_id
    from curation.media_count_change d
    join curation.live l on l.entry_id = d.target_entry_id and l.kind = 'feed'
    where d.publication = p_publication and d.came <> 0 and d.field = 'feeds'
    union
    select l.entry_id, d.media_id
    from curation.media_count_change d
    cross join lateral projection.leading_to(d.target_entry_id) c
    join curation.reference f on f.target_entry_id = c.id and f.field = 'takes'
    join curation.live l on l.revision_id = f.revision_id
    where d.publication = p_publication and d.came <> 0 and d.field = 'categories';
end $$;

-- What may be kept of a feed (A30), and each of its files (A39, A40): for entitled readers with a premium subscription.
create table api_v1.offline_manifest (
    feed_id uuid primary key,
    version text not null constraint offline_manifest_version check (version ~ '^[0-9a-f]{64}$'),
    requires text not null constraint offline_manifest_requires check (requires = 'premium'),
    file_count bigint not null constraint offline_manifest_file_count check (file_count >= 0),
    bytes bigint not null constraint offline_manifest_bytes check ((bytes > 0) = (file_count > 0)),
    document json not null
);

create table api_v1.offline_file (
    feed_id uuid not null,
    media_id uuid not null,
    width integer not null,
    -- counts from the configuration's media.base_url; so nothing of another server can stand here
    path text not null constraint offline_file_path check (path ~ '^[0-9a-f]{2}/[0-9a-f]{62}\.(jpg|png)$'),
    mime text not null,
    bytes bigint not null constraint offline_file_bytes check (bytes > 0),
    sha256 text not null constraint offline_file_sha256 check (sha256 ~ '^[0-9a-f]{64}$'),
    requires text not null constraint offline_file_requires check (requires = 'premium'),
    document json not null,
    primary key (feed_id, media_id, width)
);

comment on table api_v1.offline_manifest is 'What may be kept of each feed for offline use, as a whole.';
comment on column api_v1.offline_manifest.feed_id is 'The feed (api_v1.feed.id).';
comment on column api_v1.offline_manifest.version is 'Another as soon as one of the feed''s files is.';
comment on column api_v1.offline_manifest.requires is 'premium: who may keep it has a premium subscription.';
comment on column api_v1.offline_manifest.file_count is 'How many files it has in api_v1.offline_file.';
comment on column api_v1.offline_manifest.bytes is 'How large they are together.';
comment on column api_v1.offline_manifest.document is 'What a reader gets, as JSON.';
comment on table api_v1.offline_file is 'The files of each feed: every width of every image that its items show.';
comment on column api_v1.offline_file.feed_id is 'The feed (api_v1.feed.id).';
comment on column api_v1.offline_file.media_id is 'The image (api_v1.media.id).';
comment on column api_v1.offline_file.width is 'In pixels.';
comment on column api_v1.offline_file.path is 'Its address, counted from the base address of media.';
comment on column api_v1.offline_file.mime is 'image/jpeg or image/png.';
comment on column api_v1.offline_file.bytes is 'How large it is.';
comment on column api_v1.offline_file.sha256 is 'The checksum of its bytes, in hexadecimal digits.';
comment on column api_v1.offline_file.requires is 'premium: who may keep it has a premium subscription.';
comment on column api_v1.offline_file.document is 'What a reader gets, as JSON.';

-- No manifest promises a file that is lost (A40).
create function curation.offline_files_are_complete() returns trigger language plpgsql as $$
declare
    offender record;
begin
    select m.name into offender from shown s join ops.media m on m.id = s.media_id where m.state <> 'stored' limit 1;
    if found then
        perform curation.refuse('offline_file_stored', format('the image "%s" of this feed has no file in the store', offender.name));
    end if;
    return null;
end $$;
create trigger files_are_complete after insert on api_v1.offline_file
    referencing new table as shown for each statement execute function curation.offline_files_are_complete();

-- What an address of a stream was found to be, each time that somebody looked: the newest answer counts.
create table curation.playlist_check (
    id uuid primary key default curation.uuid_v7(),
    address text not null constraint playlist_check_stream_url check (address like 'https://%'),
    source text not null constraint playlist_check_source check (source in ('fetched', 'pasted')),
    outcome text not null constraint playlist_check_outcome check (outcome in ('master', 'media', 'malformed', 'unanswered')),
    -- variants of a master playlist, segments of a media playlist
    parts integer constraint playlist_check_parts check ((parts is not null) = (outcome in ('master', 'media'))),
    detail text constraint playlist_check_detail check ((detail is not null) = (outcome in ('malformed', 'unanswered'))),
    checked_by uuid not null constraint playlist_check_checked_by references ops.actor (id),
    checked_at timestamptz not null default clock_timestamp()
);
create index playlist_check_by_stream_url on curation.playlist_check (address, id desc);

-- No video goes live whose playlist is known not to be one (A38).
create function curation.live_playlists_are_complete() returns trigger language plpgsql as $$
declare
    offender record;
begin
    select r.content ->> 'title' as title, k.detail into offender
    from shown s
    join curation.revision r on r.id = s.revision_id
    cross join lateral (
        select outcome, detail from curation.playlist_check
        where address = r.content ->> 'hls_url' and outcome <> 'unanswered' order by id desc limit 1) k
    where s.type = 'video' and k.outcome = 'malformed'
    limit 1;
    if found then
        perform curation.refuse('live_video_playlist',
            format('the stream of "%s" is no HLS playlist: %s', offender.title, rtrim(offender.detail, '.')));
    end if;
    return null;
end $$;
create trigger playlists_are_complete after insert on curation.live
    referencing new table as shown for each statement execute function curation.live_playlists_are_complete();
create trigger changed_playlists_are_complete after update on curation.live
    referencing new table as shown for each statement execute function curation.live_playlists_are_complete();

-- Where the setting images.only_ours says so, nothing goes live that shows what stands on another server (A40, A41): a
-- image or file by its address, or an image within a text.
create function curation.live_images_are_ours() returns trigger language plpgsql as $$
declare
    offender text;
begin
    if projection.setting('images.only_ours') is distinct from 'true' then return null; end if;
    select r.content ->> 'title' into offender
    from shown s
    join curation.revision r on r.id = s.revision_id
    where r.content @? '$.*.** ? (@.type() == "object" && exists (@.url))'
       or r.content::text ~ '<img [^>]*src=\\"https?://' or r.content::text ~ '!\[[^]]*\]\(<?https?://'
    limit 1;
    if found then
        perform curation.refuse('live_image_ours',
            format('"%s" shows an image or file of another server, and only those of the media library are published', offender));
    end if;
    return null;
end $$;
create trigger images_are_ours after insert on curation.live
    referencing new table as shown for each statement execute function curation.live_images_are_ours();
create trigger changed_images_are_ours after update on curation.live
    referencing new table as shown for each statement execute function curation.live_images_are_ours();

-- Whether feeds take categories is asked by every publication of items.
create index reference_takes on curation.reference (target_entry_id) where field = 'takes';

-- Settings and texts are asked for by their key.
create index revision_by_key on curation.revision ((content ->> 'key')) where content ? 'key';

select ops.govern('curation.playlist_check');

grant select, insert on curation.playlist_check to @daemon@;
grant select on curation.media_count, curation.media_total to @daemon@;
grant select on api_v1.offline_manifest, api_v1.offline_file to @reader@, @daemon@;
revoke execute on all functions in schema curation from public;

reset role;
