-- Category merges, member counts, and the read tables of categories.
set local role @owner@;

-- Merged categories and the category at the end of their merge chain. Derived from the field merged_into of published
-- revisions (projection.category_merge), updated by publications and compared by curation.verify.
create table curation.category_merge (
    category_id uuid primary key,
    target_id uuid not null,
    constraint category_merge_not_itself check (target_id <> category_id)
);
create index category_merge_by_target on curation.category_merge (target_id);
create index category_merge_by_text on curation.category_merge ((category_id::text));

-- Merges and unmerges per publication.
create table curation.category_merge_change (
    publication bigint not null,
    category_id uuid not null,
    old_target uuid,
    new_target uuid,
    primary key (publication, category_id),
    constraint category_merge_change_differs check (old_target is distinct from new_target)
);

-- Number of published entries of each type that reference a target in a counted field. Updated incrementally by
-- publications and compared by curation.verify.
create table curation.member_count (
    field text not null,
    target_entry_id uuid not null,
    type text not null,
    n bigint not null constraint member_count_positive check (n > 0),
    primary key (field, target_entry_id, type)
);

-- Member counts per entry of another field, such as the places of a category per city.
create table curation.member_count_within (
    field text not null,
    target_entry_id uuid not null,
    within_entry_id uuid not null,
    type text not null,
    n bigint not null constraint member_count_within_positive check (n > 0),
    primary key (field, target_entry_id, within_entry_id, type)
);
create index member_count_within_by_within on curation.member_count_within (within_entry_id, field, target_entry_id);

-- Member count changes per publication.
create table curation.member_count_change (
    publication bigint not null,
    field text not null,
    target_entry_id uuid not null,
    type text not null,
    n bigint not null constraint member_count_change_differs check (n <> 0),
    primary key (publication, field, target_entry_id, type)
);

create table api_v1.category_group (
    id uuid primary key,
    number integer not null constraint category_group_number check (number in (1, 2)),
    slug text not null,
    name text not null,
    document json not null,
    constraint category_group_number_once unique (number)
);

-- Categories. Empty ones are included if the setting categories.include_empty is true (K1).
create table api_v1.category (
    id uuid primary key,
    group_id uuid not null,
    group_number integer not null,
    slug text not null,
    name text not null constraint category_name check (length(name) > 0),
    position integer not null,
    item_count bigint not null constraint category_count check (item_count >= 0),
    document json not null,
    constraint category_slug_once unique (slug)
);
create index category_order on api_v1.category (group_number, position, id);

comment on table api_v1.category_group is 'The two category groups. Every category belongs to one of them.';
comment on column api_v1.category_group.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.category_group.number is 'Order of the groups: 1 or 2.';
comment on column api_v1.category_group.slug is 'Slug: the last part of the URL.';
comment on column api_v1.category_group.name is 'Display name.';
comment on column api_v1.category_group.document is 'API response, as JSON.';

comment on table api_v1.category is 'Categories with at least one published member; all categories if the setting categories.include_empty is true.';
comment on column api_v1.category.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.category.group_id is 'Group (api_v1.category_group.id).';
comment on column api_v1.category.group_number is 'Number of the group.';
comment on column api_v1.category.slug is 'Slug, unique among categories.';
comment on column api_v1.category.name is 'Display name.';
comment on column api_v1.category.position is 'Position within the group; equal positions are ordered by ID.';
comment on column api_v1.category.item_count is 'Number of published members.';
comment on column api_v1.category.document is 'API response, as JSON.';

-- Members of categories, with one index each for newest and nearest. The coordinates index separates categories only
-- roughly; for categories with few members all of them are compared instead.
create table api_v1.category_member (
    category_id uuid not null,
    member_id uuid not null,
    type text not null,
    age bigint,
    city_id uuid,
    coordinates public.cube,
    primary key (category_id, member_id)
);
create index category_member_order on api_v1.category_member (category_id, age, member_id) where age is not null;
create index category_member_coordinates on api_v1.category_member using gist (category_id, city_id, coordinates) where coordinates is not null;
create index category_member_by_member on api_v1.category_member (member_id);

comment on table api_v1.category_member is 'Items and places of each category, indexed for newest first and nearest first.';
comment on column api_v1.category_member.category_id is 'Category (api_v1.category.id).';
comment on column api_v1.category_member.member_id is 'Item or place (api_v1.item.id, api_v1.place.id).';
comment on column api_v1.category_member.type is 'Content type of the member.';
comment on column api_v1.category_member.age is 'Approval time of an item in negative microseconds since 1970, so that ascending order is newest first; null for places.';
comment on column api_v1.category_member.city_id is 'City of a place (api_v1.city.id); null for items.';
comment on column api_v1.category_member.coordinates is 'Location of a place as a point on the unit sphere: x, y, z; null for items.';

grant select on curation.category_merge, curation.category_merge_change, curation.member_count, curation.member_count_within,
    curation.member_count_change to @daemon@;
grant select on api_v1.category_group, api_v1.category, api_v1.category_member to @daemon@, @reader@, @guest@;

reset role;
