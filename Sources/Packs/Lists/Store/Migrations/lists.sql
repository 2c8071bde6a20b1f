-- Curated lists: changes of their items, and read tables.
set local role @owner@;

-- List items that were added, removed or moved, or whose note changed, per publication.
create table curation.list_item_change (
    publication bigint not null,
    list_id uuid not null,
    item_id uuid not null,
    primary key (publication, list_id, item_id)
);
create index list_item_change_by_list on curation.list_item_change (list_id, item_id, publication);
create trigger list_items after insert on curation.publication_change referencing new table as changed
    for each statement execute function curation.record_list_changes();

create table api_v1.list (
    id uuid primary key,
    slug text not null,
    title text not null,
    owner text,
    subject_id uuid,
    photo json,
    item_count integer not null constraint list_not_empty check (item_count > 0),
    version bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    age bigint not null,
    text text not null,
    document json not null,
    constraint list_slug_once unique (slug)
);
create index list_order on api_v1.list (age, id);
create index list_owner on api_v1.list (owner, age, id);
create index list_subject on api_v1.list (subject_id, age, id);

create table api_v1.list_item (
    list_id uuid not null,
    catalog_item_id uuid not null,
    id uuid not null,
    kind text not null,
    item_id text not null,
    title text not null,
    sort_title text collate "und-x-icu" not null,
    details jsonb not null,
    note text not null,
    checked boolean not null constraint list_item_not_checked check (not checked),
    position bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    age bigint not null,
    document json not null,
    primary key (list_id, catalog_item_id),
    constraint list_item_id_once unique (id)
);
create index list_item_position on api_v1.list_item (list_id, position, id);
create index list_item_date on api_v1.list_item (list_id, age, id);
create index list_item_title on api_v1.list_item (list_id, sort_title, id);

comment on table api_v1.list is 'Curated lists.';
comment on column api_v1.list.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.list.slug is 'Slug, unique among lists.';
comment on column api_v1.list.title is 'Title.';
comment on column api_v1.list.owner is 'Owner as named by the portal; null for lists of the team.';
comment on column api_v1.list.subject_id is 'Subject of the list (api_v1.catalog_item.id); null if there is none.';
comment on column api_v1.list.photo is 'Image, with its URL or path and its alternative text.';
comment on column api_v1.list.item_count is 'Number of items; at least one.';
comment on column api_v1.list.version is 'Publication that last changed the content. Equal versions have equal content.';
comment on column api_v1.list.created_at is 'Creation time. It never changes.';
comment on column api_v1.list.updated_at is 'Time of the last content change. It changes if and only if the content changes.';
comment on column api_v1.list.age is 'updated_at in negative microseconds since 1970, so that ascending order is latest change first.';
comment on column api_v1.list.text is 'Title and items as plain text, one per line.';
comment on column api_v1.list.document is 'API response, as JSON.';

comment on table api_v1.list_item is 'Items of the curated lists.';
comment on column api_v1.list_item.list_id is 'List (api_v1.list.id).';
comment on column api_v1.list_item.catalog_item_id is 'Catalog item (api_v1.catalog_item.id).';
comment on column api_v1.list_item.id is 'ID of the list item. It stays the same if the item is removed and added again.';
comment on column api_v1.list_item.kind is 'Catalog of the item.';
comment on column api_v1.list_item.item_id is 'Item ID at the source.';
comment on column api_v1.list_item.title is 'Title of the item.';
comment on column api_v1.list_item.sort_title is 'Beginning of the title, with language-aware collation.';
comment on column api_v1.list_item.details is 'Details from the source, as JSON.';
comment on column api_v1.list_item.note is 'Note of the curator; empty if there is none.';
comment on column api_v1.list_item.checked is 'Always false. Apps store this state themselves.';
comment on column api_v1.list_item.position is 'Position, with gaps. Only the order matters.';
comment on column api_v1.list_item.created_at is 'Time at which the item was first added.';
comment on column api_v1.list_item.updated_at is 'Time at which the item was last added or moved, or its note or details changed.';
comment on column api_v1.list_item.age is 'created_at in negative microseconds since 1970, so that ascending order is newest first.';
comment on column api_v1.list_item.document is 'API response, as JSON.';

grant select on curation.list_item_change to @daemon@;
grant select on api_v1.list, api_v1.list_item to @daemon@, @reader@, @guest@;

reset role;
