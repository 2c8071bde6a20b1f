-- Places, cities and promotions: their read tables, counts of categories within a city, and the ids that others gave to entries.
create extension if not exists cube;
create extension if not exists btree_gist;
set local role @owner@;

-- A counted reference may also be counted apart for each entry that another field of the same revision names: how many
-- places a category has in each city.
alter table curation.reference add column within_entry_id uuid;
create index reference_within on curation.reference (revision_id) where within_entry_id is not null;

create table curation.member_count_within (
    field text not null,
    target_entry_id uuid not null,
    within_entry_id uuid not null,
    type text not null,
    n bigint not null constraint member_count_within_positive check (n > 0),
    primary key (field, target_entry_id, within_entry_id, type)
);
create index member_count_within_by_within on curation.member_count_within (within_entry_id, field, target_entry_id);

-- Adds what a publication changed to these counts; called by curation.change_live (m0009_publishing.sql).
create function curation.count_within(p_publication bigint) returns void language plpgsql as $$
begin
    merge into curation.member_count_within t
    using (
        select c.field, c.target_entry_id, c.within_entry_id, c.type, sum(c.sign) as n
        from curation.contributions(p_publication) c
        where c.within_entry_id is not null
        group by c.field, c.target_entry_id, c.within_entry_id, c.type having sum(c.sign) <> 0) d
    on t.field = d.field and t.target_entry_id = d.target_entry_id and t.within_entry_id = d.within_entry_id
        and t.type = d.type
    when matched and t.n + d.n = 0 then delete
    when matched then update set n = t.n + d.n
    when not matched then insert (field, target_entry_id, within_entry_id, type, n)
        values (d.field, d.target_entry_id, d.within_entry_id, d.type, d.n);
end $$;

-- By which id other people's lists know an entry, so that a newer list changes it and does not make another.
create table curation.external_id (
    type text not null constraint external_id_type references curation.content_type (name),
    source text not null constraint external_id_source check (length(source) between 1 and 200),
    external_id text not null constraint external_id_text check (length(external_id) between 1 and 300),
    entry_id uuid not null constraint external_id_entry references curation.entry (id),
    primary key (type, source, external_id)
);
create index external_id_by_entry on curation.external_id (entry_id);
select ops.govern('curation.external_id');

create table api_v1.city (
    id uuid primary key,
    slug text not null,
    name text not null constraint city_name check (length(name) > 0),
    words tsvector not null,
    rank bigint not null,
    lat double precision not null constraint city_lat check (lat between -90 and 90),
    lon double precision not null constraint city_lon check (lon between -180 and 180),
    coordinates public.cube not null,
    place_count bigint not null constraint city_place_count check (place_count >= 0),
    document json not null,
    constraint city_slug_once unique (slug)
);
create index city_order on api_v1.city (rank, id);
create index city_words on api_v1.city using gin (words);

comment on table api_v1.city is 'The cities: one row each.';
comment on column api_v1.city.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.city.slug is 'The end of its address; unique among cities.';
comment on column api_v1.city.name is 'The name as most readers write it.';
comment on column api_v1.city.words is 'All words of all its names without case and accents, for searches by the beginning of a word.';
comment on column api_v1.city.rank is 'Lists are in this order, then by id: minus the number of people, 0 where it is not known.';
comment on column api_v1.city.lat is 'Latitude of the center in degrees.';
comment on column api_v1.city.lon is 'Longitude of the center in degrees.';
comment on column api_v1.city.coordinates is 'The center as a point on the unit sphere: x, y, z.';
comment on column api_v1.city.place_count is 'How many published places it has.';
comment on column api_v1.city.document is 'What a reader gets, as JSON.';

create table api_v1.place (
    id uuid primary key,
    slug text not null,
    name text not null constraint place_name check (length(name) > 0),
    city_id uuid constraint place_city check (city_id is not null),
    address text constraint place_address check (coalesce(length(address), 0) > 0),
    image text constraint place_image check (coalesce(length(image), 0) > 0),
    category_ids uuid[] not null constraint place_category check (cardinality(category_ids) > 0),
    lat double precision constraint place_lat check (lat is not null and lat between -90 and 90),
    lon double precision constraint place_lon check (lon is not null and lon between -180 and 180),
    coordinates public.cube,
    age bigint not null,
    document json not null,
    constraint place_slug_once unique (slug)
);
-- Nearest first over everything, and within a city; a rare category is found by its own index.
create index place_coordinates on api_v1.place using gist (coordinates);
create index place_city_coordinates on api_v1.place using gist (city_id, coordinates);
create index place_categories on api_v1.place using gin (category_ids);

comment on table api_v1.place is 'The places: one row each, with all that a list, a map and a card show.';
comment on column api_v1.place.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.place.slug is 'The end of its address; unique among places.';
comment on column api_v1.place.name is 'What stands over the door.';
comment on column api_v1.place.city_id is 'Its city (api_v1.city.id).';
comment on column api_v1.place.address is 'Street and number.';
comment on column api_v1.place.image is 'Where its main image is: an address, or a path below the base address of media; the document has all of it.';
comment on column api_v1.place.category_ids is 'Its categories of both groups, in the order of groups and positions.';
comment on column api_v1.place.lat is 'Latitude in degrees.';
comment on column api_v1.place.lon is 'Longitude in degrees.';
comment on column api_v1.place.coordinates is 'The position on the unit sphere: x, y, z. Ordered by the distance operator <->, the chord, it is nearest first.';
comment on column api_v1.place.age is 'Minus the microseconds of its approval since 1970: the newest first.';
comment on column api_v1.place.document is 'What a reader gets, as JSON, but for distance and promotion, which depend on who asks and when.';

create table api_v1.promotion (
    id uuid primary key,
    slug text not null,
    name text not null constraint promotion_name check (length(name) > 0),
    place_id uuid not null,
    city_id uuid not null,
    starts_at timestamptz not null,
    ends_at timestamptz not null constraint promotion_ends_later check (ends_at > starts_at),
    lat double precision not null,
    lon double precision not null,
    coordinates public.cube not null,
    document json not null,
    constraint promotion_slug_once unique (slug)
);
create index promotion_of_place on api_v1.promotion (place_id, ends_at);
create index promotion_of_city on api_v1.promotion (city_id, ends_at);
create index promotion_starts on api_v1.promotion (starts_at);
create index promotion_ends on api_v1.promotion (ends_at);

comment on table api_v1.promotion is 'The promotions of published places, also those that are over.';
comment on column api_v1.promotion.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.promotion.slug is 'The end of its address; unique among promotions.';
comment on column api_v1.promotion.name is 'What is offered.';
comment on column api_v1.promotion.place_id is 'The place that offers it (api_v1.place.id).';
comment on column api_v1.promotion.city_id is 'The city of that place (api_v1.city.id).';
comment on column api_v1.promotion.starts_at is 'The first moment of the offer: current where starts_at <= now < ends_at.';
comment on column api_v1.promotion.ends_at is 'The moment from which it is over.';
comment on column api_v1.promotion.lat is 'Latitude of the place in degrees.';
comment on column api_v1.promotion.lon is 'Longitude of the place in degrees.';
comment on column api_v1.promotion.coordinates is 'The position of the place on the unit sphere: x, y, z.';
comment on column api_v1.promotion.document is 'What a reader gets, as JSON, but for state, time to start and distance.';

create table api_v1.category_city_count (
    city_id uuid not null,
    category_id uuid not null,
    place_count bigint not null constraint category_city_count_not_empty check (place_count > 0),
    primary key (city_id, category_id)
);
create index category_city_count_by_category on api_v1.category_city_count (category_id);

comment on table api_v1.category_city_count is 'Which categories have places in which city; a pair without a row has none.';
comment on column api_v1.category_city_count.city_id is 'The city (api_v1.city.id).';
comment on column api_v1.category_city_count.category_id is 'The category (api_v1.category.id).';
comment on column api_v1.category_city_count.place_count is 'How many published places of the city are in the category.';

-- The newest and the nearest of a category by one index each. That of coordinates keeps categories apart only roughly: of a category
-- with few members all are compared instead.
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

comment on table api_v1.category_member is 'Which item or place is in which category: the newest and the nearest of a category, by one index each.';
comment on column api_v1.category_member.category_id is 'The category (api_v1.category.id).';
comment on column api_v1.category_member.member_id is 'The item or place (api_v1.item.id, api_v1.place.id).';
comment on column api_v1.category_member.type is 'The content type of the member.';
comment on column api_v1.category_member.age is 'Negative microseconds from 1970 to the approval of an item: in this order the newest comes first; null for places.';
comment on column api_v1.category_member.city_id is 'The city of a place (api_v1.city.id); null for items.';
comment on column api_v1.category_member.coordinates is 'Where a place is, as a point on the unit sphere: x, y, z; null for items.';

-- What is found no longer once this time has come, though it is published.
alter table api_v1.search add column ends_at timestamptz;
comment on column api_v1.search.ends_at is 'The moment from which it is not found any more; null for most.';

grant select, insert on curation.external_id to @daemon@;
grant select on curation.member_count_within to @daemon@;
grant select on api_v1.city, api_v1.place, api_v1.category_member, api_v1.promotion, api_v1.category_city_count to @reader@, @daemon@, @guest@;
revoke execute on function curation.count_within(bigint) from public;

reset role;
