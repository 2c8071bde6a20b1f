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
    constraint video_provider_complete check (num_nulls(provider, account, provider_ref) in (0, 3))
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
create index search_terms on api_v1.search using gin (words) with (gin_pending_list_limit = 256);

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

comment on table api_v1.publication is 'Every publication: the newest number is the version of all read tables.';
comment on column api_v1.publication.number is 'Counts publications from 1, without gaps.';
comment on column api_v1.publication.published_at is 'When it went live.';
comment on column api_v1.publication.changes is 'How many rows of the read tables it wrote.';

comment on table api_v1.change is 'Every row that publications wrote, in order and without gaps: who follows along reads from the last number they saw.';
comment on column api_v1.change.number is 'Counts changes from 1, without gaps.';
comment on column api_v1.change.publication is 'The publication that wrote the row (api_v1.publication.number).';
comment on column api_v1.change.read_table is 'The table, without its schema.';
comment on column api_v1.change.key is 'The row''s primary key as text; several columns are joined by a slash.';
comment on column api_v1.change.operation is 'insert, update or delete; a deleted row is in its table no more.';

comment on table api_v1.category_group is 'The two groups that every category is in one of.';
comment on column api_v1.category_group.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.category_group.number is '1 or 2: the order of the groups.';
comment on column api_v1.category_group.slug is 'The end of its address.';
comment on column api_v1.category_group.name is 'What people call it.';
comment on column api_v1.category_group.document is 'What a reader gets, as JSON.';

comment on table api_v1.category is 'The categories that have a live member; with the setting categories.include_empty all of them.';
comment on column api_v1.category.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.category.group_id is 'Its group (api_v1.category_group.id).';
comment on column api_v1.category.group_number is 'The number of its group.';
comment on column api_v1.category.slug is 'The end of its address; unique among categories.';
comment on column api_v1.category.name is 'What people call it.';
comment on column api_v1.category.position is 'Its place within the group; equal places are ordered by id.';
comment on column api_v1.category.item_count is 'How many live entries name it.';
comment on column api_v1.category.document is 'What a reader gets, as JSON.';

comment on table api_v1.feed is 'The feeds as a guest may see them.';
comment on column api_v1.feed.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.feed.slug is 'The end of its address; unique among feeds.';
comment on column api_v1.feed.title is 'Its title.';
comment on column api_v1.feed.tier is 'free or premium.';
comment on column api_v1.feed.access is 'What a reader needs to see all of it: account where free, premium subscription where premium.';
comment on column api_v1.feed.category_ids is 'Its categories, in the order of groups and positions.';
comment on column api_v1.feed.has_video is 'Whether one of its items is a video.';
comment on column api_v1.feed.offline is 'Whether it may be kept for offline reading.';
comment on column api_v1.feed.rank is 'Lists are in this order, then by age and id; the curators'' own order, the same large number for all that have none.';
comment on column api_v1.feed.age is 'Minus the microseconds of its approval since 1970: the newest first.';
comment on column api_v1.feed.item_count is 'How many live items it has.';
comment on column api_v1.feed.document is 'What a reader gets, as JSON. Nothing beyond the preview.';

comment on table api_v1.feed_full is 'The feeds with everything an entitled reader may see.';
comment on column api_v1.feed_full.id is 'The feed (api_v1.feed.id).';
comment on column api_v1.feed_full.document is 'What a reader gets, as JSON.';

comment on table api_v1.item is 'Articles, videos and whatever else is read like them, as a guest may see them: no word beyond the preview.';
comment on column api_v1.item.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.item.type is 'Its content type: article, video and so on.';
comment on column api_v1.item.slug is 'The end of its address; unique among items.';
comment on column api_v1.item.title is 'Its title.';
comment on column api_v1.item.tier is 'free or premium; premium when one of its feeds is, unless the item says otherwise.';
comment on column api_v1.item.access is 'What a reader needs to see all of it: account where free, premium subscription where premium.';
comment on column api_v1.item.category_ids is 'Its categories, in the order of groups and positions; at least one.';
comment on column api_v1.item.feed_ids is 'Its feeds that are live.';
comment on column api_v1.item.has_video is 'Whether it is a video.';
comment on column api_v1.item.published_at is 'When it was first published elsewhere, or was approved.';
comment on column api_v1.item.age is 'Minus the microseconds of its approval since 1970: the newest first.';
comment on column api_v1.item.document is 'What a reader gets, as JSON. Nothing beyond the preview.';

comment on table api_v1.item_full is 'The same items with everything an entitled reader may see.';
comment on column api_v1.item_full.id is 'The item (api_v1.item.id).';
comment on column api_v1.item_full.document is 'What a reader gets, as JSON.';

comment on table api_v1.feed_item is 'Which item stands in which feed, and where.';
comment on column api_v1.feed_item.feed_id is 'The feed (api_v1.feed.id).';
comment on column api_v1.feed_item.item_id is 'The item (api_v1.item.id).';
comment on column api_v1.feed_item.type is 'The item''s content type.';
comment on column api_v1.feed_item.rank is 'Items are in this order, then by age and id: pins first (below -900000), then ranks, then the same large number for all others.';
comment on column api_v1.feed_item.age is 'Minus the microseconds since 1970 of the time by which the feed orders: the newest first.';

comment on table api_v1.video is 'What plays the videos, for entitled readers.';
comment on column api_v1.video.id is 'The video (api_v1.item.id).';
comment on column api_v1.video.slug is 'The end of its address.';
comment on column api_v1.video.title is 'Its title.';
comment on column api_v1.video.tier is 'free or premium.';
comment on column api_v1.video.duration_seconds is 'How long it plays; null where it is not known.';
comment on column api_v1.video.provider is 'Where it is kept, such as vimeo; null for one that is played from hls_url alone.';
comment on column api_v1.video.account is 'The account at the provider to which it belongs.';
comment on column api_v1.video.provider_ref is 'Its id at the provider.';
comment on column api_v1.video.hls_url is 'The address of its HLS playlist, https only.';
comment on column api_v1.video.document is 'What a reader gets, as JSON.';

comment on table api_v1.discover is 'What the section Discover shows: featured feeds and categories in the curators'' order.';
comment on column api_v1.discover.kind is 'feed or category.';
comment on column api_v1.discover.id is 'The feed or category.';
comment on column api_v1.discover.position is 'Rows are in this order, then by id.';
comment on column api_v1.discover.document is 'What a reader gets, as JSON.';

comment on table api_v1.search is 'What can be found: one row for each live entry that readers search for.';
comment on column api_v1.search.id is 'The entry.';
comment on column api_v1.search.kind is 'What it is, such as item, feed, place.';
comment on column api_v1.search.type is 'Its content type.';
comment on column api_v1.search.age is 'Minus the microseconds of its approval since 1970: the newest first.';
comment on column api_v1.search.words is 'The words of what a guest may see, without case and accents.';
comment on column api_v1.search.document is 'The hit as a reader gets it, as JSON; nothing beyond the preview.';

comment on table api_v1.tombstone is 'What was public and is no more, so that a saved id resolves to gone.';
comment on column api_v1.tombstone.id is 'The id that the entry had; it comes back only with the entry itself.';
comment on column api_v1.tombstone.type is 'Its content type.';
comment on column api_v1.tombstone.kind is 'What it was, such as item, feed, place.';
comment on column api_v1.tombstone.slug is 'Its last slug; null for what has none.';
comment on column api_v1.tombstone.publication is 'The publication that took it out.';
comment on column api_v1.tombstone.gone_at is 'When that was.';

comment on table api_v1.redirect is 'Old addresses of what is public, with the new one.';
comment on column api_v1.redirect.kind is 'What it leads to, such as item, feed, place: addresses are unique within a kind.';
comment on column api_v1.redirect.slug is 'The old slug; it never leads to anything else.';
comment on column api_v1.redirect.id is 'Where it leads.';
comment on column api_v1.redirect.new_slug is 'The slug it has now.';

grant select on all tables in schema api_v1 to @reader@, @daemon@;
grant select on api_v1.publication, api_v1.change, api_v1.category_group, api_v1.category, api_v1.feed, api_v1.item,
    api_v1.feed_item, api_v1.discover, api_v1.search, api_v1.tombstone, api_v1.redirect to @guest@;

reset role;
