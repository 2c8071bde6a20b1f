-- The read tables that an app's API serves. Additive only: within v1 no column is removed, renamed or retyped.
set local role @owner@;

create table api_v1.publication (
    number bigint primary key,
    published_at timestamptz not null,
    changes bigint not null
);

-- What each publication changed, row by row: gapless, in order.
create table api_v1.change (
    number bigint primary key,
    publication bigint not null,
    read_table text not null,
    key text not null,
    operation text not null constraint change_operation check (operation in ('insert', 'update', 'delete'))
);

create table api_v1.category_group (
    id uuid primary key,
    number integer not null constraint category_group_number check (number in (1, 2)),
    slug text not null,
    name text not null,
    document json not null,
    constraint category_group_number_once unique (number)
);

create table api_v1.category (
    id uuid primary key,
    group_id uuid not null,
    group_number integer not null,
    slug text not null,
    name text not null,
    position integer not null,
    item_count bigint not null constraint category_not_empty check (item_count > 0),
    document json not null,
    constraint category_slug_once unique (slug)
);
create index category_order on api_v1.category (group_number, position, id);

create table api_v1.feed (
    id uuid primary key,
    slug text not null,
    title text not null,
    tier text constraint feed_tier check (tier is not null and tier in ('free', 'premium')),
    access text not null constraint feed_access check (access = case tier when 'premium' then 'premium subscription' else 'account' end),
    category_ids uuid[] not null,
    has_video boolean not null,
    offline boolean not null,
    rank bigint not null,
    age bigint not null,
    item_count bigint not null,
    document json not null,
    constraint feed_slug_once unique (slug)
);
create index feed_order on api_v1.feed (rank, age, id);
create index feed_categories on api_v1.feed using gin (category_ids);

create table api_v1.feed_full (
    id uuid primary key,
    document json not null
);

create table api_v1.item (
    id uuid primary key,
    type text not null,
    slug text not null,
    title text not null constraint item_title check (length(title) > 0),
    tier text not null constraint item_tier check (tier in ('free', 'premium')),
    access text not null constraint item_access check (access = case tier when 'premium' then 'premium subscription' else 'account' end),
    category_ids uuid[] not null constraint item_category check (cardinality(category_ids) > 0),
    feed_ids uuid[] not null,
    has_video boolean not null,
    published_at timestamptz not null,
    age bigint not null,
    document json not null,
    constraint item_slug_once unique (slug)
);
create index item_order on api_v1.item (age, id);
create index item_categories on api_v1.item using gin (category_ids);

create table api_v1.item_full (
    id uuid primary key,
    document json not null
);

create table api_v1.feed_item (
    feed_id uuid not null,
    item_id uuid not null,
    type text not null,
    rank bigint not null,
    age bigint not null,
    primary key (feed_id, item_id)
);
create index feed_item_order on api_v1.feed_item (feed_id, rank, age, item_id);
create index feed_item_type on api_v1.feed_item (feed_id, type, rank, age, item_id);

create table api_v1.video (
    id uuid primary key,
    slug text not null,
    title text not null,
    tier text not null constraint video_tier check (tier in ('free', 'premium')),
    duration_seconds integer,
    provider text,
    account text,
    provider_ref text,
    hls_url text constraint video_hls_https check (hls_url like 'https://%'),
    document json not null,
    constraint video_source check (provider_ref is not null or hls_url is not null),
    constraint video_provider_whole check (num_nulls(provider, account, provider_ref) in (0, 3))
);

create table api_v1.discover (
    kind text not null,
    id uuid not null,
    position integer not null,
    document json not null,
    primary key (kind, id)
);
create index discover_order on api_v1.discover (position, id);

create table api_v1.search (
    id uuid primary key,
    kind text not null,
    type text not null,
    age bigint not null,
    words tsvector not null,
    document json not null
);
create index search_words on api_v1.search using gin (words) with (gin_pending_list_limit = 256);

-- What was public once and is no more, so that a saved reference resolves to "gone".
create table api_v1.tombstone (
    id uuid primary key,
    type text not null,
    kind text not null,
    slug text,
    publication bigint not null,
    gone_at timestamptz not null
);

create index tombstone_address on api_v1.tombstone (kind, slug);

-- Old addresses of what is public now.
create table api_v1.redirect (
    kind text not null,
    slug text not null,
    id uuid not null,
    new_slug text not null,
    primary key (kind, slug)
);

grant select on all tables in schema api_v1 to @reader@, @daemon@;
grant select on api_v1.publication, api_v1.change, api_v1.category_group, api_v1.category, api_v1.feed, api_v1.item,
    api_v1.feed_item, api_v1.discover, api_v1.search, api_v1.tombstone, api_v1.redirect to @guest@;

reset role;
