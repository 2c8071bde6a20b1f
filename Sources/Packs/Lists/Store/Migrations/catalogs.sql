-- Catalog items and their sources.
set local role @owner@;

-- Catalog items (films, books, restaurants ...) as described by their sources. IDs are ours and stay the same when a
-- source is replaced (D34). fetched_at is when the source first returned these details, checked_at when it last
-- confirmed them.
create table curation.catalog_item (
    id uuid primary key default curation.uuid_v7(),
    kind text not null constraint catalog_item_kind check (kind ~ '^[a-z][a-z0-9_]{0,62}$'),
    source text not null constraint catalog_item_source check (source ~ '^[a-z][a-z0-9_]{0,62}$'),
    external_id text not null constraint catalog_item_external_id check (length(external_id) between 1 and 500),
    title text not null constraint catalog_item_title check (length(title) > 0 and title !~ '[\r\n]'),
    details jsonb not null constraint catalog_item_details check (jsonb_typeof(details) = 'object'),
    fetched_at timestamptz not null default clock_timestamp(),
    checked_at timestamptz not null default clock_timestamp(),
    -- listed by a curator; items of published lists are visible in any case
    listed_at timestamptz,
    listed_by uuid constraint catalog_item_listed_by references ops.actor (id),
    constraint catalog_item_once unique (source, kind, external_id),
    constraint catalog_item_listing_whole check ((listed_at is null) = (listed_by is null))
);
create index catalog_item_by_kind on curation.catalog_item (kind, id);
create index catalog_item_title_trigram on curation.catalog_item using gin (title gin_trgm_ops);
create index catalog_item_by_image on curation.catalog_item (curation.catalog_image_url(details))
    where curation.catalog_image_url(details) is not null;
select ops.audit_changes('curation.catalog_item');

-- Catalog items that a revision references. Derived from the content when the revision is created. position keeps the
-- order of the items and has gaps: unmoved items keep their position in the next revision.
create table curation.catalog_use (
    revision_id uuid not null constraint catalog_use_revision references curation.revision (id),
    field text not null,
    position bigint not null,
    item_id uuid not null constraint catalog_use_item references curation.catalog_item (id),
    note text not null default '',
    primary key (revision_id, field, position),
    constraint catalog_use_once unique (revision_id, field, item_id)
);
create index catalog_use_by_item on curation.catalog_use (item_id, revision_id);

-- Catalog items whose details changed, or that were listed or unlisted, per publication.
create table curation.catalog_change (
    publication bigint not null,
    item_id uuid not null constraint catalog_change_item references curation.catalog_item (id),
    is_described boolean not null,
    is_renamed boolean not null,
    primary key (publication, item_id)
);
create index catalog_change_by_item on curation.catalog_change (item_id, publication desc);

-- Cached source responses: identical queries are not repeated within the cache time, and the last response is used when
-- the source is unavailable.
create table ops.catalog_query (
    kind text not null,
    source text not null,
    query text not null constraint catalog_query_query check (length(query) between 1 and 2000),
    items uuid[] not null,
    hints text[] not null default '{}',
    fetched_at timestamptz not null default clock_timestamp(),
    primary key (kind, source, query)
);
create index catalog_query_age on ops.catalog_query (fetched_at);

-- Status of each source: calls in the current minute and recent errors.
create table ops.catalog_source (
    name text primary key,
    minute_at timestamptz not null default clock_timestamp(),
    calls integer not null default 0 constraint catalog_source_calls check (calls >= 0),
    paused_until timestamptz,
    failing_since timestamptz,
    last_error text constraint catalog_source_last_error check (length(last_error) <= 500),
    responded_at timestamptz
);

-- Catalog items. sort_title is the beginning of the title, short enough for a cursor.
create table api_v1.catalog_item (
    id uuid primary key,
    kind text not null,
    source text not null,
    item_id text not null,
    title text not null,
    sort_title text collate "und-x-icu" not null,
    details jsonb not null constraint catalog_item_details_object check (jsonb_typeof(details) = 'object'),
    fetched_at timestamptz not null,
    terms tsvector not null,
    document json not null,
    constraint catalog_item_source_once unique (kind, source, item_id)
);
create trigger fetch_images after insert on api_v1.catalog_item
    referencing new table as shown for each statement execute function curation.fetch_catalog_images();
create trigger fetch_changed_images after update on api_v1.catalog_item
    referencing new table as shown for each statement execute function curation.fetch_catalog_images();
create index catalog_item_order on api_v1.catalog_item (kind, sort_title, id);
create index catalog_item_search on api_v1.catalog_item using gin (terms);

comment on table api_v1.catalog_item is 'Catalog items that published lists contain or that curators listed.';
comment on column api_v1.catalog_item.id is 'Item ID. It stays the same when the source is replaced.';
comment on column api_v1.catalog_item.kind is 'Catalog, such as movie, book or restaurant.';
comment on column api_v1.catalog_item.source is 'Source of the details.';
comment on column api_v1.catalog_item.item_id is 'Item ID at the source.';
comment on column api_v1.catalog_item.title is 'Title.';
comment on column api_v1.catalog_item.sort_title is 'Beginning of the title, with language-aware collation.';
comment on column api_v1.catalog_item.details is 'Details from the source, as JSON.';
comment on column api_v1.catalog_item.fetched_at is 'Time at which the source first returned these details.';
comment on column api_v1.catalog_item.terms is 'Search terms of the title, lowercase and without accents.';
comment on column api_v1.catalog_item.document is 'API response, as JSON.';

grant select on curation.catalog_item, curation.catalog_change to @daemon@;
grant select, insert on curation.catalog_use to @daemon@;
grant select, insert, update, delete on ops.catalog_query, ops.catalog_source to @daemon@;
grant select on api_v1.catalog_item to @daemon@, @reader@, @guest@;

reset role;
