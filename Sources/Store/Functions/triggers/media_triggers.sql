-- Trigger functions that check images and streams when entries are published.

-- Images without all their files, as the program found in this transaction before it publishes or plans.
create or replace function curation.images_without_files() returns uuid[] language sql stable as $$
    select coalesce(nullif(current_setting('vitrine.images_without_files', true), ''), '{}')::uuid[]
$$;

-- Images without a file or an alternative text (A40): files that the last verification did not find, or that the program does not find
-- now. This function and the next two return the entries that the triggers below refuse, so that all are found at once
-- (curation.leave_out_blocked). In SQL, so that a trigger stops at the first.
create or replace function curation.refused_images(p_revisions uuid[]) returns table (entry_id uuid, rule text, message text)
language sql stable as $$
    select r.entry_id, case when i.is_missing then 'live_media_file' else 'live_media_alt' end,
        format('the %s of "%s" %s', split_part(u.pointer, '#', 1), r.content ->> 'title', case when i.is_missing
            then 'is missing from media storage' else 'needs an alternative text before it can be published' end)
    from unnest(p_revisions) s (revision_id)
    join curation.media_use u on u.revision_id = s.revision_id
    join ops.media m on m.id = u.media_id
    join curation.revision r on r.id = s.revision_id
    cross join lateral (
        select m.state <> 'stored' or m.id = any ((select curation.images_without_files())::uuid[]) as is_missing) i
    where i.is_missing
       or coalesce(u.image ->> 'alt', r.content #>> (string_to_array(u.pointer, '/') || 'alt'::text), '') = ''
$$;

-- Videos whose stream was checked and is not an HLS playlist (A38).
create or replace function curation.refused_playlists(p_revisions uuid[]) returns table (entry_id uuid, rule text, message text)
language sql stable as $$
    select r.entry_id, 'live_video_playlist',
        format('the stream of "%s" is not an HLS playlist: %s', r.content ->> 'title', rtrim(k.detail, '.'))
    from unnest(p_revisions) s (revision_id)
    join curation.revision r on r.id = s.revision_id
    join curation.entry e on e.id = r.entry_id
    cross join lateral (
        select c.outcome, c.detail from curation.playlist_check c
        where c.stream_url = r.content ->> 'hls_url' and c.outcome <> 'unreachable' order by c.id desc limit 1) k
    where e.type = 'video' and k.outcome = 'malformed'
$$;

-- Images and files of other servers, in image and file fields and inside texts, if the setting images.hosted_only is true (A40, A41).
create or replace function curation.refused_image_hosts(p_revisions uuid[]) returns table (entry_id uuid, rule text, message text)
language sql stable as $$
    select r.entry_id, 'live_image_hosted',
        format('"%s" uses an image or file from another server; upload it to the media library first', r.content ->> 'title')
    from unnest(p_revisions) s (revision_id)
    join curation.revision r on r.id = s.revision_id
    where (select projection.setting('images.hosted_only')) = 'true' and (
        exists (select from curation.media_use u where u.revision_id = r.id and u.external_id is not null)
        or r.content @? '$.*.** ? (@.type() == "object" && exists (@.url))')
$$;

create or replace function curation.check_live_images() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    revisions constant uuid[] := array(select s.revision_id from shown s);
begin
    perform curation.refuse(x.rule, x.message, x.entry_id) from curation.refused_images(revisions) x limit 1;
    return null;
end $$;

create or replace function curation.check_live_playlists() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    revisions constant uuid[] := array(select s.revision_id from shown s where s.type = 'video');
begin
    perform curation.refuse(x.rule, x.message, x.entry_id) from curation.refused_playlists(revisions) x limit 1;
    return null;
end $$;

create or replace function curation.check_live_image_hosts() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    revisions constant uuid[] := array(select s.revision_id from shown s);
begin
    perform curation.refuse(x.rule, x.message, x.entry_id) from curation.refused_image_hosts(revisions) x limit 1;
    return null;
end $$;

-- Refuses offline files whose image is missing from media storage (A40).
create or replace function curation.check_offline_files() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    incomplete record;
begin
    select m.name into incomplete from shown s join ops.media_version v on v.id = s.media_id join ops.media m on m.id = v.media_id
    where m.state <> 'stored' limit 1;
    if found then
        perform curation.refuse('offline_file_stored', format('the image "%s" of this feed is missing from media storage', incomplete.name));
    end if;
    return null;
end $$;

-- Limits the unfinished uploads of an account. With the lock, two that begin at the same time count each other.
create or replace function ops.limit_uploads() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('upload ' || new.account_id, 0));
    if (select count(*) >= 20 or coalesce(sum(u.size), 0) + new.size > 209715200 from ops.upload u
            where u.account_id = new.account_id and u.media_id is null and u.key <> new.key) then
        perform curation.refuse('upload_limit', 'too many unfinished uploads');
    end if;
    return new;
end $$;

-- Queues the external images of an approved revision to be fetched (A30, A41).
create or replace function curation.fetch_approved_images() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    update ops.external_image x set state = 'waiting', next_at = clock_timestamp()
    from curation.media_use u
    where u.revision_id = new.revision_id and u.external_id = x.id and x.state = 'known';
    return null;
end $$;

-- Entries that were published with an external image that the library has: their next revision shows the library's.
create or replace function curation.replace_stored_images() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    update ops.external_image x set is_due = true
    from shown s join curation.media_use u on u.revision_id = s.revision_id
    where x.id = u.external_id and x.state = 'stored' and not x.is_due;
    return null;
end $$;

-- Which image of the library replaces an external one in published content, only the program decides: it has fetched the image.
create or replace function ops.check_stored_image() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if not ops.may_change('') then perform ops.refuse_change(tg_op, tg_table_name); end if;
    return new;
end $$;

-- Refuses files of a version that another transaction has added, unless somebody who may change images adds them. Others add a
-- version and its files in one transaction without savepoints, whose rows have its number.
create or replace function ops.check_added_files() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if exists (
            select from added a join ops.media_version v on v.id = a.version_id
            where v.media_id <> a.media_id or v.xmin <> pg_current_xact_id()::xid)
        and not ops.may_change('suggest,decide') then
        perform ops.refuse_change(tg_op, tg_table_name);
    end if;
    return null;
end $$;
