-- Search (A27), tombstones and redirects.
set local role @owner@;

-- Parses texts as the search does, ignoring accents, so that highlights match the results.
create text search configuration api_v1.normalized (copy = pg_catalog.simple);
alter text search configuration api_v1.normalized
    alter mapping for hword, hword_part, word with public.unaccent, pg_catalog.simple;

-- Search index.
create table api_v1.search (
    id uuid primary key,
    kind text not null,
    type text not null,
    age bigint not null,
    terms tsvector not null,
    document json not null,
    ends_at timestamptz
);
create index search_terms on api_v1.search using gin (terms) with (gin_pending_list_limit = 256);

-- The same with the full text, for entitled readers: guests can't find out by searching what a text says.
create table api_v1.search_full (
    id uuid primary key,
    type text not null,
    age bigint not null,
    terms tsvector not null,
    ends_at timestamptz
);
create index search_full_terms on api_v1.search_full using gin (terms);

-- Terms of published previews, for correcting misspelled queries. A background task collects them from the change feed,
-- so publications do not wait for it. Terms that are no longer published are harmless: the search itself finds nothing
-- for them.
create table delivery.search_term (
    term text primary key constraint search_term_length check (length(term) between 3 and 40)
);
create index search_term_similarity on delivery.search_term using gin (term public.gin_trgm_ops);

-- Progress of that task: the last change that was read, and the last term that was checked.
create table delivery.search_progress (
    only_row boolean primary key default true constraint search_progress_only_row check (only_row),
    change bigint not null default 0,
    term text not null default ''
);

insert into delivery.search_progress default values;

-- Unpublished entries, so that saved references return 410 Gone.
create table api_v1.tombstone (
    id uuid primary key,
    type text not null,
    kind text not null,
    slug text,
    publication bigint not null,
    gone_at timestamptz not null
);
create index tombstone_slug on api_v1.tombstone (kind, slug);

-- Old slugs of entries that are or were published.
create table api_v1.redirect (
    kind text not null,
    slug text not null,
    id uuid not null,
    new_slug text not null,
    primary key (kind, slug)
);

comment on table api_v1.search is 'Search index, with one row per published entry.';
comment on column api_v1.search.id is 'Entry ID.';
comment on column api_v1.search.kind is 'Kind of entry, such as item, feed or place.';
comment on column api_v1.search.type is 'Content type.';
comment on column api_v1.search.age is 'Approval time in negative microseconds since 1970, so that ascending order is newest first.';
comment on column api_v1.search.terms is 'Search terms of the guest-visible text, lowercase and without accents.';
comment on column api_v1.search.document is 'Search result in the API response, as JSON. Contains only the preview.';
comment on column api_v1.search.ends_at is 'Time from which the row must be hidden; null for most rows.';

comment on table api_v1.search_full is 'Search index of the full text, for entitled readers, with one row per row of api_v1.search.';
comment on column api_v1.search_full.id is 'Entry ID (api_v1.search.id).';
comment on column api_v1.search_full.type is 'Content type.';
comment on column api_v1.search_full.age is 'Approval time in negative microseconds since 1970, so that ascending order is newest first.';
comment on column api_v1.search_full.terms is 'Search terms of the preview and of the first 100,000 characters of the full text, lowercase and without accents.';
comment on column api_v1.search_full.ends_at is 'Time from which the row must be hidden; null for most rows.';

comment on table api_v1.tombstone is 'Entries that are no longer published, so that saved IDs return 410 Gone.';
comment on column api_v1.tombstone.id is 'Entry ID. It is only used again if the entry is republished.';
comment on column api_v1.tombstone.type is 'Content type.';
comment on column api_v1.tombstone.kind is 'Kind of entry, such as item, feed or place.';
comment on column api_v1.tombstone.slug is 'Last slug; null for entries without one.';
comment on column api_v1.tombstone.publication is 'Publication that unpublished the entry.';
comment on column api_v1.tombstone.gone_at is 'Time of that publication.';

comment on table api_v1.redirect is 'Old slugs of entries that are or were published, with the current or last slug.';
comment on column api_v1.redirect.kind is 'Kind of entry, such as item, feed or place. Slugs are unique within a kind.';
comment on column api_v1.redirect.slug is 'Old slug. It never redirects to another entry.';
comment on column api_v1.redirect.id is 'Entry that the slug redirects to.';
comment on column api_v1.redirect.new_slug is 'Current slug; of an unpublished entry, the last one (api_v1.tombstone.slug).';

grant select on api_v1.search, api_v1.tombstone, api_v1.redirect to @daemon@, @reader@, @guest@;
grant select on api_v1.search_full to @daemon@, @reader@;
grant select, insert, delete on delivery.search_term to @daemon@;
grant select, update on delivery.search_progress to @daemon@;

reset role;
