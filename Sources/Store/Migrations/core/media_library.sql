-- The media library: images, their files and uses, and checks of video streams.
set local role @owner@;

-- Uploaded images, re-encoded on upload. Files never change; descriptions can.
create table ops.media (
    id uuid primary key default curation.uuid_v7(),
    upload_sha256 bytea not null constraint media_upload_sha256 check (length(upload_sha256) = 32),
    name text not null constraint media_name check (length(name) <= 200),
    type text not null constraint media_type check (type in ('image/jpeg', 'image/png')),
    alt text not null default '' constraint media_alt_length check (length(alt) <= 500),
    -- focal point, from the left and from the top, in thousandths
    focus_x integer not null default 500 constraint media_focus_x check (focus_x between 0 and 1000),
    focus_y integer not null default 500 constraint media_focus_y check (focus_y between 0 and 1000),
    state text not null default 'stored' constraint media_state check (state in ('stored', 'missing')),
    uploaded_by uuid not null constraint media_uploaded_by references ops.actor (id),
    uploaded_at timestamptz not null default clock_timestamp(),
    constraint media_upload_once unique (upload_sha256)
);
create index media_search on ops.media using gin (to_tsvector('simple', name || ' ' || alt));
select ops.audit_changes('ops.media');

-- Files of an image, one per width; the widest is the full-size image. The path is derived from the content.
create table ops.media_file (
    media_id uuid not null constraint media_file_media references ops.media (id) on delete cascade,
    width integer not null constraint media_file_width check (width > 0),
    height integer not null constraint media_file_height check (height > 0),
    bytes bigint not null constraint media_file_bytes check (bytes > 0),
    sha256 text not null constraint media_file_sha256 check (sha256 ~ '^[0-9a-f]{64}$'),
    path text not null constraint media_file_path check (path ~ '^[0-9a-f]{2}/[0-9a-f]{62}\.(jpg|png)$'),
    primary key (media_id, width)
);
create index media_file_by_path on ops.media_file (path);
select ops.audit_changes('ops.media_file');

-- Images of other servers that revisions or catalog items show, by URL. Those of approved content are fetched into the
-- media library (A30, A41):
--   known ──approved──> waiting ──> stored | failed | external (its source forbids copies)
create table ops.external_image (
    id uuid primary key default curation.uuid_v7(),
    url text not null constraint external_image_url check (url ~ '^https?://' and octet_length(url) <= 2048),
    host text not null generated always as (lower(substring(url from '^https?://([^/?#:]*)'))) stored,
    -- catalog source; null for images of entries
    source text,
    state text not null default 'known'
        constraint external_image_state check (state in ('known', 'waiting', 'stored', 'failed', 'external')),
    media_id uuid constraint external_image_media references ops.media (id),
    -- size of the files that were added to the library for it
    bytes bigint not null default 0 constraint external_image_bytes check (bytes >= 0),
    attempts integer not null default 0 constraint external_image_attempts check (attempts >= 0),
    next_at timestamptz not null default clock_timestamp(),
    last_error text constraint external_image_last_error check (length(last_error) <= 500),
    -- stored, but published entries may still show the external image
    is_due boolean not null default false,
    -- catalog items show the stored image since then
    shown_at timestamptz,
    constraint external_image_once unique (url),
    constraint external_image_stored check ((state = 'stored') = (media_id is not null)),
    constraint external_image_reason check (state not in ('failed', 'external') or last_error is not null)
);
create index external_image_next on ops.external_image (next_at, id) where state = 'waiting';
create index external_image_by_host on ops.external_image (host) where state = 'waiting';
create index external_image_due on ops.external_image (id) where is_due;
create index external_image_by_media on ops.external_image (media_id) where media_id is not null;
create index external_image_problem on ops.external_image (id desc) where last_error is not null;

-- Images that revisions use, and where (image, screens/0/image; inside a text: body#1). Derived from the content when
-- the revision is created.
create table curation.media_use (
    revision_id uuid not null constraint media_use_revision references curation.revision (id),
    pointer text not null,
    media_id uuid constraint media_use_media references ops.media (id),
    external_id uuid constraint media_use_external references ops.external_image (id),
    -- description of a library image inside a text; that of a field is part of the content
    image jsonb,
    primary key (revision_id, pointer),
    constraint media_use_one_image check (num_nonnulls(media_id, external_id) = 1)
);
create index media_use_by_media on curation.media_use (media_id, revision_id);
create index media_use_by_external_image on curation.media_use (external_id, revision_id) where external_id is not null;

-- Number of published items that use an image, per feed and per category (category feeds). media_id is also the ID of an
-- external image. Updated incrementally, like curation.member_count.
create table curation.media_count (
    field text not null,
    target_entry_id uuid not null,
    media_id uuid not null,
    n bigint not null constraint media_count_positive check (n > 0),
    primary key (field, target_entry_id, media_id)
);

-- Media count changes per publication; added is 1 if the image was new for the target and -1 if it is gone.
create table curation.media_count_change (
    publication bigint not null,
    field text not null,
    target_entry_id uuid not null,
    media_id uuid not null,
    n bigint not null constraint media_count_change_differs check (n <> 0),
    added integer not null constraint media_count_change_added check (added in (-1, 0, 1)),
    primary key (publication, field, target_entry_id, media_id)
);

-- Totals of the files of these images. mark is the XOR of the file hashes: it can be updated incrementally and changes
-- when any file does. excluded is the number of external images, which have no files.
create table curation.media_total (
    field text not null,
    target_entry_id uuid not null,
    files bigint not null constraint media_total_files check (files >= 0),
    bytes bigint not null constraint media_total_bytes check ((bytes > 0) = (files > 0)),
    mark bit(256) not null,
    excluded bigint not null constraint media_total_excluded check (excluded >= 0 and files + excluded > 0),
    primary key (field, target_entry_id)
);

-- Results of stream checks. The newest response counts.
create table curation.playlist_check (
    id uuid primary key default curation.uuid_v7(),
    stream_url text not null constraint playlist_check_stream_url check (stream_url like 'https://%'),
    source text not null constraint playlist_check_source check (source in ('fetched', 'pasted')),
    outcome text not null constraint playlist_check_outcome check (outcome in ('master', 'media', 'malformed', 'unreachable')),
    -- number of variants of a master playlist, or of segments of a media playlist
    parts integer constraint playlist_check_parts check ((parts is not null) = (outcome in ('master', 'media'))),
    detail text constraint playlist_check_detail check ((detail is not null) = (outcome in ('malformed', 'unreachable'))),
    checked_by uuid not null constraint playlist_check_checked_by references ops.actor (id),
    checked_at timestamptz not null default clock_timestamp()
);
create index playlist_check_by_stream_url on curation.playlist_check (stream_url, id desc);
select ops.audit_changes('curation.playlist_check');

-- Images that published entries use.
create table api_v1.media (
    id uuid primary key,
    path text not null,
    mime text not null,
    bytes bigint not null constraint api_media_bytes check (bytes > 0),
    sha256 text not null,
    width integer not null constraint api_media_width check (width > 0),
    height integer not null constraint api_media_height check (height > 0),
    alt text not null constraint api_media_alt check (alt <> ''),
    document json not null
);

comment on table api_v1.media is 'Images that published entries use. Paths are relative to the setting media.base_url.';
comment on column api_v1.media.id is 'Image ID. It never changes and is never reused.';
comment on column api_v1.media.path is 'Path of the full-size file. It is derived from the content, so files never change.';
comment on column api_v1.media.mime is 'image/jpeg or image/png.';
comment on column api_v1.media.bytes is 'Size of the full-size file, in bytes.';
comment on column api_v1.media.sha256 is 'SHA-256 of the full-size file, as 64 hexadecimal digits.';
comment on column api_v1.media.width is 'Width of the full-size file, in pixels.';
comment on column api_v1.media.height is 'Height of the full-size file, in pixels.';
comment on column api_v1.media.alt is 'Alternative text.';
comment on column api_v1.media.document is 'API response, as JSON, with all available widths and the focal point.';

grant select, insert, delete on ops.media, ops.media_file to @daemon@;
grant select, insert, update on ops.external_image to @daemon@;
grant select, insert on curation.media_use, curation.playlist_check to @daemon@;
grant select on curation.media_count, curation.media_total to @daemon@;
grant select on api_v1.media to @daemon@, @reader@;
grant update (alt, focus_x, focus_y, state) on ops.media to @daemon@;

reset role;
