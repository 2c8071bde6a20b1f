-- Cities, places, promotions and reviews: counts of ratings, and read tables.
set local role @owner@;

-- Number of published reviews of a place by their rating. Updated incrementally by publications and compared by
-- curation.verify.
create table curation.rating_count (
    place_id uuid not null,
    rating integer not null constraint review_rating check (rating between 1 and 5),
    n bigint not null constraint rating_count_positive check (n > 0),
    primary key (place_id, rating)
);

create table api_v1.city (
    id uuid primary key,
    slug text not null,
    name text not null constraint city_name check (length(name) > 0),
    terms tsvector not null,
    rank bigint not null,
    lat double precision not null constraint city_lat check (lat between -90 and 90),
    lon double precision not null constraint city_lon check (lon between -180 and 180),
    coordinates public.cube not null,
    place_count bigint not null constraint city_place_count check (place_count >= 0),
    document json not null,
    constraint city_slug_once unique (slug)
);
create index city_order on api_v1.city (rank, id);
create index city_terms on api_v1.city using gin (terms);

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
-- Nearest first, globally and within a city. Rare categories have their own index.
create index place_coordinates on api_v1.place using gist (coordinates);
create index place_city_coordinates on api_v1.place using gist (city_id, coordinates);
create index place_categories on api_v1.place using gin (category_ids);

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
create index promotion_coordinates on api_v1.promotion using gist (coordinates);
create index promotion_ends on api_v1.promotion (ends_at);

create table api_v1.review (
    id uuid primary key,
    place_id uuid not null,
    rating integer not null constraint review_rating check (rating between 1 and 5),
    age bigint not null,
    document json not null
);
create index review_of_place on api_v1.review (place_id, age, id);

create table api_v1.category_city_count (
    city_id uuid not null,
    category_id uuid not null,
    place_count bigint not null constraint category_city_count_positive check (place_count > 0),
    primary key (city_id, category_id)
);
create index category_city_count_by_category on api_v1.category_city_count (category_id);

comment on table api_v1.city is 'Cities.';
comment on column api_v1.city.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.city.slug is 'Slug, unique among cities.';
comment on column api_v1.city.name is 'Name in the main language.';
comment on column api_v1.city.terms is 'Search terms of all names, lowercase and without accents, for prefix search.';
comment on column api_v1.city.rank is 'Sort order, before ID: the negative population, or 0 if unknown.';
comment on column api_v1.city.lat is 'Latitude of the center, in degrees.';
comment on column api_v1.city.lon is 'Longitude of the center, in degrees.';
comment on column api_v1.city.coordinates is 'Center as a point on the unit sphere: x, y, z.';
comment on column api_v1.city.place_count is 'Number of published places.';
comment on column api_v1.city.document is 'API response, as JSON.';

comment on table api_v1.place is 'Places, with everything that lists, maps and cards show.';
comment on column api_v1.place.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.place.slug is 'Slug, unique among places.';
comment on column api_v1.place.name is 'Name.';
comment on column api_v1.place.city_id is 'City (api_v1.city.id).';
comment on column api_v1.place.address is 'Street address.';
comment on column api_v1.place.image is 'Main image: a URL, or a path relative to the media base URL. The document contains the complete image.';
comment on column api_v1.place.category_ids is 'Categories of both groups, ordered by group and position.';
comment on column api_v1.place.lat is 'Latitude, in degrees.';
comment on column api_v1.place.lon is 'Longitude, in degrees.';
comment on column api_v1.place.coordinates is 'Location as a point on the unit sphere: x, y, z. Order by the distance operator <-> for nearest first.';
comment on column api_v1.place.age is 'Time of the first publication (approval of the first published version) in negative microseconds since 1970, so that ascending order is newest first.';
comment on column api_v1.place.document is 'API response, as JSON, without distance and promotion, which depend on the request and the time.';

comment on table api_v1.promotion is 'Promotions of published places, including ended ones.';
comment on column api_v1.promotion.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.promotion.slug is 'Slug, unique among promotions.';
comment on column api_v1.promotion.name is 'Name of the offer.';
comment on column api_v1.promotion.place_id is 'Place (api_v1.place.id).';
comment on column api_v1.promotion.city_id is 'City of the place (api_v1.city.id).';
comment on column api_v1.promotion.starts_at is 'Start of the promotion, which is current while starts_at <= now < ends_at.';
comment on column api_v1.promotion.ends_at is 'End of the promotion, exclusive.';
comment on column api_v1.promotion.lat is 'Latitude of the place, in degrees.';
comment on column api_v1.promotion.lon is 'Longitude of the place, in degrees.';
comment on column api_v1.promotion.coordinates is 'Location of the place as a point on the unit sphere: x, y, z.';
comment on column api_v1.promotion.document is 'API response, as JSON, without state, time to start and distance.';

comment on table api_v1.review is 'Reviews of published places.';
comment on column api_v1.review.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.review.place_id is 'Place (api_v1.place.id).';
comment on column api_v1.review.rating is 'Rating, from 1 (worst) to 5 (best).';
comment on column api_v1.review.age is 'Approval time in negative microseconds since 1970, so that ascending order is newest first.';
comment on column api_v1.review.document is 'API response, as JSON.';

comment on table api_v1.category_city_count is 'Number of places per city and category. Pairs without places have no row.';
comment on column api_v1.category_city_count.city_id is 'City (api_v1.city.id).';
comment on column api_v1.category_city_count.category_id is 'Category (api_v1.category.id).';
comment on column api_v1.category_city_count.place_count is 'Number of published places.';

grant select on curation.rating_count to @daemon@;
grant select on api_v1.city, api_v1.place, api_v1.promotion, api_v1.review, api_v1.category_city_count to
    @daemon@, @reader@, @guest@;

reset role;
