-- Versions of images: a replaced file or another crop. Files never change, so published content keeps showing its version.
set local role @owner@;

-- The first version has the ID of its image. What no revision shows any more is deleted after some further versions.
create table ops.media_version (
    id uuid primary key default curation.uuid_v7(),
    media_id uuid not null constraint media_version_media references ops.media (id) on delete cascade,
    number integer not null constraint media_version_number check (number > 0),
    upload_sha256 bytea not null constraint media_version_upload_sha256 check (length(upload_sha256) = 32),
    type text not null constraint media_version_type check (type in ('image/jpeg', 'image/png')),
    -- path of the full-size file without a crop
    source text not null constraint media_version_source check (source ~ '^[0-9a-f]{2}/[0-9a-f]{62}\.(jpg|png)$'),
    -- the part of the source that the files show, in thousandths of its width and height
    crop_x integer not null default 0,
    crop_y integer not null default 0,
    crop_width integer not null default 1000,
    crop_height integer not null default 1000,
    created_by uuid not null constraint media_version_created_by references ops.actor (id),
    created_at timestamptz not null default clock_timestamp(),
    constraint media_version_once unique (media_id, number),
    constraint media_version_crop check (crop_x >= 0 and crop_y >= 0 and crop_width >= 10 and crop_height >= 10
        and crop_x + crop_width <= 1000 and crop_y + crop_height <= 1000)
);
insert into ops.media_version (id, media_id, number, upload_sha256, type, source, created_by, created_at)
select m.id, m.id, 1, m.upload_sha256, m.type, f.path, m.uploaded_by, m.uploaded_at
from ops.media m cross join lateral (
    select path from ops.media_file where media_id = m.id order by width desc limit 1) f;
create index media_version_by_source on ops.media_version (source);

-- The current version, to which type and upload_sha256 belong, and tags: lowercase, sorted, each once.
alter table ops.media add column version_id uuid generated always as (id) stored;
alter table ops.media alter column version_id drop expression, alter column version_id set not null;
alter table ops.media add constraint media_current_version foreign key (version_id) references ops.media_version (id)
    deferrable initially deferred;
alter table ops.media add column tags text[] not null default '{}'
    constraint media_tags check (cardinality(tags) <= 20 and array_position(tags, null) is null
        and array_to_string(tags, ',') ~ '^([^,[:cntrl:]]{1,40}(,[^,[:cntrl:]]{1,40})*)?$');
-- Words of file names, too: harbor-1.jpg is one word for the parser.
drop index ops.media_search;
create index media_search on ops.media using gin (to_tsvector('simple', translate(name, '._-', '   ') || ' ' || alt));
create index media_by_tag on ops.media using gin (tags);
create index media_undescribed on ops.media (id) where alt = '';

alter table ops.media_file add column version_id uuid generated always as (media_id) stored;
alter table ops.media_file alter column version_id drop expression, alter column version_id set not null,
    add constraint media_file_version foreign key (version_id) references ops.media_version (id) on delete cascade;
alter table ops.media_file drop constraint media_file_pkey, add primary key (version_id, width);
create index media_file_by_media on ops.media_file (media_id);

-- The version that a revision shows: in a field the one that was current, inside a text the one of the file.
alter table curation.media_use add column version_id uuid generated always as (media_id) stored;
alter table curation.media_use alter column version_id drop expression,
    add constraint media_use_version foreign key (version_id) references ops.media_version (id),
    add constraint media_use_of_version check ((media_id is null) = (version_id is null));
create index media_use_by_version on curation.media_use (version_id) where version_id is not null;

comment on column api_v1.offline_file.media_id is
    'Image (api_v1.media.id). Files of an image that was replaced or cropped later have an ID of their own here; document has the ID of the image.';

-- Uploads that are not finished, so that a lost connection or a restart loses nothing that has arrived. The key is chosen by
-- the sender. A finished upload names its image until it expires, so that the last request can be repeated.
create table ops.upload (
    account_id uuid not null constraint upload_account references ops.account (id) on delete cascade,
    key text not null constraint upload_key check (key ~ '^[0-9a-f]{32}$'),
    name text not null constraint upload_name check (length(name) <= 200),
    size bigint not null constraint upload_size check (size between 1 and 104857600),
    received bigint not null default 0,
    media_id uuid constraint upload_media references ops.media (id) on delete cascade,
    changed_at timestamptz not null default clock_timestamp(),
    primary key (account_id, key),
    constraint upload_received check (received between 0 and size),
    constraint upload_finished check (media_id is null or received = size)
);
create index upload_by_age on ops.upload (changed_at);
create index upload_by_media on ops.upload (media_id) where media_id is not null;

create table ops.upload_part (
    account_id uuid not null,
    key text not null,
    start bigint not null constraint upload_part_start check (start >= 0),
    bytes bytea not null constraint upload_part_bytes check (octet_length(bytes) between 1 and 1048576),
    primary key (account_id, key, start),
    constraint upload_part_upload foreign key (account_id, key) references ops.upload (account_id, key) on delete cascade
);
-- Images are compressed already.
alter table ops.upload_part alter column bytes set storage external;

create trigger limited before insert on ops.upload for each row execute function ops.limit_uploads();

create trigger authored before insert on ops.media_version for each row execute function ops.check_author('created_by');
select ops.govern('ops.media_version', 'suggest,decide,submit', 'none');

grant select, insert, delete on ops.media_version to @daemon@;
grant update (upload_sha256, type, version_id, tags) on ops.media to @daemon@;
grant select, insert, delete on ops.upload, ops.upload_part to @daemon@;
grant update (received, media_id, changed_at) on ops.upload to @daemon@;

reset role;
