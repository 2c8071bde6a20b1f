-- Route paths, observations and postcodes, and the read tables of routes and badges.
set local role @owner@;

-- Path of a route revision, calculated when the revision is created.
create table curation.route_path (
    revision_id uuid primary key constraint route_path_revision references curation.revision (id),
    -- city name in lowercase and without accents, as in validity_period.city
    city text,
    length_m double precision not null constraint route_path_length check (length_m > 0),
    net_elevation_m double precision,
    -- distance from the start and coordinates of each point
    distances double precision[] not null,
    latitudes double precision[] not null,
    longitudes double precision[] not null,
    constraint route_path_complete check (cardinality(distances) >= 2 and cardinality(distances) <= 20000
        and cardinality(latitudes) = cardinality(distances) and cardinality(longitudes) = cardinality(distances))
);
create index route_path_by_city on curation.route_path (city) where city is not null;

-- Periods for which observations of a city are valid. Periods of one kind and city never overlap, so that every moment
-- has one result.
create table curation.validity_period (
    id bigint generated always as identity primary key,
    kind text not null constraint validity_period_kind check (kind in ('air', 'obstruction')),
    city text not null constraint validity_period_city check (city <> ''),
    valid_from timestamptz not null,
    valid_to timestamptz not null,
    -- true only while the period is deleted (curation.prune_observations, remove_observations): readers lose its
    -- results first
    is_expired boolean not null default false,
    constraint validity_period_times check (valid_to > valid_from and valid_to - valid_from <= interval '31 days'),
    constraint validity_period_once unique (city, kind, valid_from, valid_to),
    constraint validity_period_overlap exclude using gist (
        city with =, kind with =, tstzrange(valid_from, valid_to) with &&)
);
create index validity_period_order on curation.validity_period (valid_from);
select ops.audit_changes('curation.validity_period');

-- Observations of a source at a site in a validity period: the pollution index of one substance, or the number of
-- obstructions (0: queried, none found). Missing observations have no row.
create table curation.observation (
    period_id bigint not null constraint observation_period references curation.validity_period (id),
    site text not null constraint observation_site check (length(site) between 1 and 100),
    measure text not null constraint observation_measure check (length(measure) between 1 and 50),
    -- null if unknown: the value counts for the mean of the city only
    latitude double precision constraint observation_latitude check (latitude between -90 and 90),
    longitude double precision constraint observation_longitude check (longitude between -180 and 180),
    value numeric not null constraint observation_value check (value >= 0 and value <= 1000000),
    source text not null constraint observation_source check (length(source) between 1 and 500),
    fetched_at timestamptz not null,
    recorded_at timestamptz not null default clock_timestamp(),
    primary key (period_id, site, measure, source),
    constraint observation_coordinates check ((latitude is null) = (longitude is null))
);
create index observation_by_latitude on curation.observation (period_id, latitude);
create index observation_by_site on curation.observation (site, period_id) where latitude is not null;
select ops.audit_changes('curation.observation');

-- Observations as they were before a newer one of their source replaced them, or before they were deleted.
create table curation.observation_history (
    id bigint generated always as identity primary key,
    kind text not null,
    city text not null,
    valid_from timestamptz not null,
    valid_to timestamptz not null,
    site text not null,
    measure text not null,
    latitude double precision,
    longitude double precision,
    value numeric not null,
    source text not null,
    fetched_at timestamptz not null,
    recorded_at timestamptz not null,
    ended_at timestamptz not null default clock_timestamp(),
    reason text not null constraint observation_history_reason check (reason in ('replaced', 'deleted'))
);
create index observation_history_order on curation.observation_history (valid_from, id);
create index observation_history_expiry on curation.observation_history (valid_to);
select ops.audit_changes('curation.observation_history');

-- Coordinates of postcodes, for labeling route samples and observation sites.
create table curation.postcode (
    code text primary key constraint postcode_code check (code ~ '^[A-Z0-9]{2,10}$'),
    latitude double precision not null constraint postcode_latitude check (latitude between -90 and 90),
    longitude double precision not null constraint postcode_longitude check (longitude between -180 and 180),
    source text not null constraint postcode_source check (length(source) between 1 and 500),
    fetched_at timestamptz not null
);
create index postcode_location on curation.postcode using gist (point(longitude, latitude));
select ops.audit_changes('curation.postcode');

-- Observations that no publication has applied yet: a validity period, or all postcodes.
create table curation.observation_pending (
    kind text not null,
    key text not null,
    primary key (kind, key)
);

-- Observations applied per publication.
create table curation.observation_change (
    publication bigint not null,
    kind text not null,
    key text not null,
    primary key (publication, kind, key)
);

-- Simulated route settings. Rows exist only inside curation.plan_settings.
create table curation.simulated_setting (
    key text primary key,
    value double precision not null
);

create table api_v1.route (
    id uuid primary key,
    slug text not null,
    title text not null,
    city text,
    -- lowercase and without accents
    city_key text,
    distance_m double precision not null constraint route_distance check (distance_m > 0),
    -- last elevation minus first; null if either is unknown
    net_elevation_m double precision,
    multiplier_heart double precision not null,
    multiplier_zoom double precision not null,
    multiplier_both double precision not null,
    ends public.cube not null,
    document json not null,
    constraint route_slug_once unique (slug),
    -- a badge counts more than none, and both more than either
    constraint route_multipliers check (multiplier_heart > 1 and multiplier_zoom > 1
        and multiplier_both > greatest(multiplier_heart, multiplier_zoom))
);
create index route_by_distance on api_v1.route (distance_m);
create index route_by_city on api_v1.route (city_key, distance_m);
create index route_ends on api_v1.route using gist (ends)
    include (id, distance_m, city_key, multiplier_heart, multiplier_zoom, multiplier_both);

create table api_v1.route_path (
    id uuid primary key,
    document json not null
);

create table api_v1.badge (
    id uuid primary key,
    key text not null,
    title text not null,
    position integer not null,
    document json not null,
    constraint badge_key_once unique (key)
);

-- Badge results of routes. A badge counts only during its validity period.
create table api_v1.route_badge (
    route_id uuid not null,
    badge text not null constraint route_badge_badge check (badge in ('heart', 'zoom')),
    valid_from timestamptz not null,
    valid_to timestamptz not null,
    result text not null constraint route_badge_result check (result in ('given', 'not_given', 'unknown')),
    document json not null,
    primary key (route_id, badge, valid_from),
    constraint route_badge_times check (valid_to > valid_from)
);
create index route_badge_current on api_v1.route_badge (route_id, valid_to);
create index route_badge_begins on api_v1.route_badge (valid_from);
create index route_badge_ends on api_v1.route_badge (valid_to);

comment on table api_v1.route is 'Routes, without their points.';
comment on column api_v1.route.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.route.slug is 'Slug, unique among routes.';
comment on column api_v1.route.title is 'Title.';
comment on column api_v1.route.city is 'City name as entered; null if there is none.';
comment on column api_v1.route.city_key is 'City name in lowercase and without accents, for queries.';
comment on column api_v1.route.distance_m is 'Length along the points, in meters.';
comment on column api_v1.route.net_elevation_m is 'Last elevation minus first elevation, in meters; null if either is unknown.';
comment on column api_v1.route.multiplier_heart is 'Divisor of the distance while only the badge heart is current.';
comment on column api_v1.route.multiplier_zoom is 'Divisor of the distance while only the badge zoom is current.';
comment on column api_v1.route.multiplier_both is 'Divisor of the distance while both badges are current; greater than either.';
comment on column api_v1.route.ends is 'Start and end as points on the unit sphere: x, y, z of the start, then of the end.';
comment on column api_v1.route.document is 'API response, as JSON, without points and without badges, which depend on the time.';

comment on table api_v1.route_path is 'Points of the routes, and the samples that badges are calculated from.';
comment on column api_v1.route_path.id is 'Route (api_v1.route.id).';
comment on column api_v1.route_path.document is 'Points and samples with their postcodes, as JSON.';

comment on table api_v1.badge is 'Badges that routes can have.';
comment on column api_v1.badge.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.badge.key is 'Rule that awards the badge: heart or zoom.';
comment on column api_v1.badge.title is 'Display name.';
comment on column api_v1.badge.position is 'Sort order.';
comment on column api_v1.badge.document is 'API response, as JSON, with the text that is shown on tap.';

comment on table api_v1.route_badge is 'Badge results of each route, with their validity periods. A badge counts only during its period.';
comment on column api_v1.route_badge.route_id is 'Route (api_v1.route.id).';
comment on column api_v1.route_badge.badge is 'heart or zoom (api_v1.badge.key).';
comment on column api_v1.route_badge.valid_from is 'Start of the validity period.';
comment on column api_v1.route_badge.valid_to is 'End of the validity period, exclusive.';
comment on column api_v1.route_badge.result is 'given, not_given, or unknown if a reading is missing.';
comment on column api_v1.route_badge.document is 'Compared numbers, as JSON.';

grant select, insert on curation.route_path, curation.validity_period, curation.observation_pending to @daemon@;
grant select, insert, update on curation.observation, curation.postcode to @daemon@;
grant select, insert on curation.observation_history to @daemon@;
grant select on curation.observation_change, curation.simulated_setting to @daemon@;
grant select on api_v1.route, api_v1.route_path, api_v1.badge, api_v1.route_badge to @daemon@, @reader@, @guest@;

reset role;
