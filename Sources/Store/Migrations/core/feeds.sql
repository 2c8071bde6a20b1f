-- Read tables of feeds, items and videos.
set local role @owner@;

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

comment on table api_v1.feed is 'Feeds, with the content that guests may see.';
comment on column api_v1.feed.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.feed.slug is 'Slug, unique among feeds.';
comment on column api_v1.feed.title is 'Title.';
comment on column api_v1.feed.tier is 'free or premium.';
comment on column api_v1.feed.access is 'What a reader needs for full access: account for free, premium subscription for premium.';
comment on column api_v1.feed.category_ids is 'Categories, ordered by group and position.';
comment on column api_v1.feed.has_video is 'Whether the feed contains a video.';
comment on column api_v1.feed.offline is 'Whether the feed is available offline.';
comment on column api_v1.feed.rank is 'Sort order of feed lists, before age and ID. Feeds without a position share one large number.';
comment on column api_v1.feed.age is 'Time of the first publication (approval of the first published version) in negative microseconds since 1970, so that ascending order is newest first.';
comment on column api_v1.feed.item_count is 'Number of published items.';
comment on column api_v1.feed.document is 'API response for guests, as JSON. Contains only the preview.';

comment on table api_v1.feed_full is 'Feeds, with full content for entitled readers.';
comment on column api_v1.feed_full.id is 'Feed (api_v1.feed.id).';
comment on column api_v1.feed_full.document is 'API response, as JSON.';

comment on table api_v1.item is 'Articles, videos and similar items, with the content that guests may see: only the preview.';
comment on column api_v1.item.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.item.type is 'Content type, such as article or video.';
comment on column api_v1.item.slug is 'Slug, unique among items.';
comment on column api_v1.item.title is 'Title.';
comment on column api_v1.item.tier is 'free or premium. Items without a tier are premium if one of their feeds is.';
comment on column api_v1.item.access is 'What a reader needs for full access: account for free, premium subscription for premium.';
comment on column api_v1.item.category_ids is 'Categories, ordered by group and position; at least one.';
comment on column api_v1.item.feed_ids is 'Published feeds that contain the item.';
comment on column api_v1.item.has_video is 'Whether the item is a video.';
comment on column api_v1.item.published_at is 'Original publication time; if unknown, when the first published version was approved. Edits do not change it.';
comment on column api_v1.item.age is 'Time of the first publication (approval of the first published version) in negative microseconds since 1970, so that ascending order is newest first.';
comment on column api_v1.item.document is 'API response for guests, as JSON. Contains only the preview.';

comment on table api_v1.item_full is 'Items, with full content for entitled readers.';
comment on column api_v1.item_full.id is 'Item (api_v1.item.id).';
comment on column api_v1.item_full.document is 'API response, as JSON.';

comment on table api_v1.feed_item is 'Items of each feed, with their order.';
comment on column api_v1.feed_item.feed_id is 'Feed (api_v1.feed.id).';
comment on column api_v1.feed_item.item_id is 'Item (api_v1.item.id).';
comment on column api_v1.feed_item.type is 'Content type of the item.';
comment on column api_v1.feed_item.rank is 'Sort order, before age and ID: pinned items are below -900000, then ranked items; all others share one large number.';
comment on column api_v1.feed_item.age is 'Time that orders the feed, in negative microseconds since 1970, so that ascending order is newest first.';

comment on table api_v1.video is 'Playback sources of the videos, for entitled readers.';
comment on column api_v1.video.id is 'Video (api_v1.item.id).';
comment on column api_v1.video.slug is 'Slug: the last part of the URL.';
comment on column api_v1.video.title is 'Title.';
comment on column api_v1.video.tier is 'free or premium.';
comment on column api_v1.video.duration_seconds is 'Duration in seconds; null if unknown.';
comment on column api_v1.video.provider is 'Video provider, such as vimeo; null if the video has only an hls_url.';
comment on column api_v1.video.account is 'Account at the provider.';
comment on column api_v1.video.provider_ref is 'Video ID at the provider.';
comment on column api_v1.video.hls_url is 'URL of the HLS playlist, https only.';
comment on column api_v1.video.document is 'API response, as JSON.';

comment on table api_v1.discover is 'Featured feeds and categories of the Discover section.';
comment on column api_v1.discover.kind is 'feed or category.';
comment on column api_v1.discover.id is 'Feed or category.';
comment on column api_v1.discover.position is 'Sort order, before ID.';
comment on column api_v1.discover.document is 'API response, as JSON.';

grant select on api_v1.feed, api_v1.item, api_v1.feed_item, api_v1.discover to @daemon@, @reader@, @guest@;
grant select on api_v1.feed_full, api_v1.item_full, api_v1.video to @daemon@, @reader@;

reset role;
