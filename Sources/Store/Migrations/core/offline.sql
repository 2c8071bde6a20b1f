-- Read tables of offline manifests (A30, A39, A40): for entitled readers with a premium subscription.
set local role @owner@;

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
    -- relative to media.base_url, so that files of other servers are impossible
    path text not null constraint offline_file_path check (path ~ '^[0-9a-f]{2}/[0-9a-f]{62}\.(jpg|png)$'),
    mime text not null,
    bytes bigint not null constraint offline_file_bytes check (bytes > 0),
    sha256 text not null constraint offline_file_sha256 check (sha256 ~ '^[0-9a-f]{64}$'),
    requires text not null constraint offline_file_requires check (requires = 'premium'),
    document json not null,
    primary key (feed_id, media_id, width)
);
create trigger check_files after insert on api_v1.offline_file
    referencing new table as shown for each statement execute function curation.check_offline_files();

comment on table api_v1.offline_manifest is 'Offline manifests: the files of each feed that apps may store.';
comment on column api_v1.offline_manifest.feed_id is 'Feed (api_v1.feed.id).';
comment on column api_v1.offline_manifest.version is 'Version. It changes when any file of the feed changes.';
comment on column api_v1.offline_manifest.requires is 'premium: offline use requires a premium subscription.';
comment on column api_v1.offline_manifest.file_count is 'Number of files in api_v1.offline_file.';
comment on column api_v1.offline_manifest.bytes is 'Total size of the files, in bytes.';
comment on column api_v1.offline_manifest.document is 'API response, as JSON.';

comment on table api_v1.offline_file is 'Offline files of each feed: every width of every image that its items use.';
comment on column api_v1.offline_file.feed_id is 'Feed (api_v1.feed.id).';
comment on column api_v1.offline_file.media_id is 'Image (api_v1.media.id).';
comment on column api_v1.offline_file.width is 'Width, in pixels.';
comment on column api_v1.offline_file.path is 'Path, relative to the media base URL.';
comment on column api_v1.offline_file.mime is 'image/jpeg or image/png.';
comment on column api_v1.offline_file.bytes is 'Size, in bytes.';
comment on column api_v1.offline_file.sha256 is 'SHA-256, as 64 hexadecimal digits.';
comment on column api_v1.offline_file.requires is 'premium: offline use requires a premium subscription.';
comment on column api_v1.offline_file.document is 'API response, as JSON.';

grant select on api_v1.offline_manifest, api_v1.offline_file to @daemon@, @reader@;

reset role;
