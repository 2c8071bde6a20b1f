-- Images in our own store: what they are, their files, which revisions show them, and what readers see of them.
set local role @owner@;

-- One uploaded image, as it was decoded and encoded anew. Its files never change; its description may.
create table ops.media (
    id uuid primary key default curation.uuid_v7(),
    upload_sha256 bytea not null constraint media_upload_sha256 check (length(upload_sha256) = 32),
    name text not null constraint media_name check (length(name) <= 200),
    type text not null constraint media_type check (type in ('image/jpeg', 'image/png')),
    alt text not null default '' constraint media_alt_length check (length(alt) <= 500),
    -- What must stay visible when the image is cut, from the left and from the top, in thousandths.
    focus_x integer not null default 500 constraint media_focus_x check (focus_x between 0 and 1000),
    focus_y integer not null default 500 constraint media_focus_y check (focus_y between 0 and 1000),
    state text not null default 'stored' constraint media_state check (state in ('stored', 'missing')),
    uploaded_by uuid not null constraint media_uploaded_by references ops.actor (id),
    uploaded_at timestamptz not null default clock_timestamp(),
    constraint media_upload_once unique (upload_sha256)
);
create index media_words on ops.media using gin (to_tsvector('simple', name || ' ' || alt));

-- The files of an image, one for each width; the widest is the image in full. The path names the content.
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

-- Which revision shows which image, and where in its content (image, screens/0/image); derived from the content when the revision is made.
create table curation.media_use (
    revision_id uuid not null constraint media_use_revision references curation.revision (id),
    place text not null,
    media_id uuid not null constraint media_use_media references ops.media (id),
    primary key (revision_id, place)
);
create index media_use_by_media on curation.media_use (media_id, revision_id);

-- Nothing goes live with an image whose file is missing, or that nobody described (A40).
create function curation.live_images_are_complete() returns trigger language plpgsql as $$
declare
    offender record;
begin
    select u.place, m.state, r.content ->> 'title' as title into offender
    from shown s
    join curation.media_use u on u.revision_id = s.revision_id
    join ops.media m on m.id = u.media_id
    join curation.revision r on r.id = s.revision_id
    where m.state <> 'stored' or coalesce(r.content #>> (string_to_array(u.place, '/') || 'alt'::text), '') = ''
    limit 1;
    if found then
        perform curation.refuse(
            case when offender.state <> 'stored' then 'live_media_file' else 'live_media_alt' end,
            format('the %s of "%s" %s', offender.place, offender.title, case when offender.state <> 'stored'
                then 'has no file in the store' else 'needs an alternative text before it can be published' end));
    end if;
    return null;
end $$;
create trigger images_are_complete after insert on curation.live
    referencing new table as shown for each statement execute function curation.live_images_are_complete();
create trigger changed_images_are_complete after update on curation.live
    referencing new table as shown for each statement execute function curation.live_images_are_complete();

-- The images that something live shows. Paths count from the configuration's media.base_url.
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

select ops.govern('ops.media');
select ops.govern('ops.media_file');

grant select, insert, delete on ops.media, ops.media_file to @daemon@;
grant update (alt, focus_x, focus_y, state) on ops.media to @daemon@;
grant select, insert on curation.media_use to @daemon@;
comment on table api_v1.media is 'The images that something live shows. Paths count from the address media.base_url of the configuration.';
comment on column api_v1.media.id is 'The id of the image; it never changes and is never used again.';
comment on column api_v1.media.path is 'Where the image in full is; the path names its content, so a file never changes.';
comment on column api_v1.media.mime is 'image/jpeg or image/png.';
comment on column api_v1.media.bytes is 'The size of the image in full.';
comment on column api_v1.media.sha256 is 'The SHA-256 of the image in full, 64 hexadecimal digits.';
comment on column api_v1.media.width is 'The width of the image in full, in pixels.';
comment on column api_v1.media.height is 'The height of the image in full, in pixels.';
comment on column api_v1.media.alt is 'What the image shows, in words.';
comment on column api_v1.media.document is 'What a reader gets, as JSON. With every width there is, and the focal point.';

grant select on api_v1.media to @reader@, @daemon@;

reset role;
