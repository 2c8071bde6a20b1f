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

grant select on curation.category_merge, curation.category_merge_change, curation.member_count,
    curation.member_count_change to @daemon@;
grant select on api_v1.category_group, api_v1.category to @daemon@, @reader@, @guest@;

reset role;
