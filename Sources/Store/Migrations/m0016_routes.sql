-- Routes and badges: what is recorded of the world with source and time, and the read tables made from it.
create extension if not exists btree_gist;

set local role @owner@;

-- The line of a revision's path, worked out once when the revision is made, as its references are.
create table curation.route_path (
    revision_id uuid primary key constraint route_path_revision references curation.revision (id),
    -- the name of its city without accents and case, by which recorded facts are found
    city text,
    length_m double precision not null constraint route_path_length check (length_m > 0),
    net_elevation_m double precision,
    -- how far along each point is, and where it is
    distances double precision[] not null,
    latitudes double precision[] not null,
    longitudes double precision[] not null,
    constraint route_path_complete check (cardinality(distances) >= 2 and cardinality(distances) <= 20000
        and cardinality(latitudes) = cardinality(distances) and cardinality(longitudes) = cardinality(distances))
);
create index route_path_by_city on curation.route_path (city) where city is not null;

-- By which file a route was imported, so that importing it again finds it.
create index revision_by_source on curation.revision ((content ->> 'source')) where content ? 'path';

-- A time for which something is known of a city. Slots of one kind and city never overlap, so that of each moment there is
-- one answer.
create table curation.validity_period (
    id bigint generated always as identity primary key,
    kind text not null constraint validity_period_kind check (kind in ('air', 'obstruction')),
    city text not null constraint observation_slot_city check (city <> ''),
    valid_from timestamptz not null,
    valid_to timestamptz not null,
    constraint observation_slot_times check (valid_to > valid_from and valid_to - valid_from <= interval '31 days'),
    constraint observation_slot_once unique (city, kind, valid_from, valid_to),
    constraint observation_slot_overlap exclude using gist (
        city with =, kind with =, tstzrange(valid_from, valid_to) with &&)
);

-- What was measured or retrieved at a place in a slot: the pollution index of one substance, or how many obstructions (0:
-- it was asked and there were none). What never came has no row.
create table curation.observation (
    period_id bigint not null constraint observation_slot_known references curation.validity_period (id),
    place text not null constraint observation_place check (length(place) between 1 and 100),
    measure text not null constraint observation_measure check (length(measure) between 1 and 50),
    latitude double precision not null constraint observation_latitude check (latitude between -90 and 90),
    longitude double precision not null constraint observation_longitude check (longitude between -180 and 180),
    value numeric not null constraint observation_value check (value >= 0 and value <= 1000000),
    source text not null constraint observation_source check (length(source) between 1 and 500),
    fetched_at timestamptz not null,
    recorded_at timestamptz not null default clock_timestamp(),
    primary key (period_id, place, measure)
);
create index observation_by_latitude on curation.observation (period_id, latitude);

-- Where postcodes are, to name the samples of a route and the places of facts.
create table curation.postcode (
    code text primary key constraint postcode_code check (code ~ '^[A-Z0-9]{2,10}$'),
    latitude double precision not null constraint postcode_latitude check (latitude between -90 and 90),
    longitude double precision not null constraint postcode_longitude check (longitude between -180 and 180),
    source text not null constraint postcode_source check (length(source) between 1 and 500),
    fetched_at timestamptz not null
);
create index postcode_place on curation.postcode using gist (point(longitude, latitude));

-- Recorded facts that no publication has taken up yet, and which publication took up which: a slot, or all postcodes.
create table curation.observation_pending (
    kind text not null,
    key text not null,
    primary key (kind, key)
);
create table curation.observation_change (
    publication bigint not null,
    kind text not null,
    key text not null,
    primary key (publication, kind, key)
);

-- Hands what is pending to a publication; returns how many.
create function curation.apply_observations(p_publication bigint) returns bigint language plpgsql as $$
declare
    taken bigint;
begin
    with t as (delete from curation.observation_pending returning kind, key)
    insert into curation.observation_change (publication, kind, key) select p_publication, kind, key from t;
    get diagnostics taken = row_count;
    return taken;
end $$;

-- For the `affected` functions, as curation.changed is for entries.
create function curation.changed_observations(p_publication bigint, p_kind text) returns setof text
language plpgsql stable rows 1 as $$
begin
    return query select key from curation.observation_change where publication = p_publication and kind = p_kind;
end $$;

-- Settings as they would be: rows stand here only while plan_settings works out what they would change.
create table curation.simulated_setting (
    key text primary key,
    value double precision not null
);

-- Tells what other settings would do to the read tables, as curation.plan does for entries, and leaves nothing behind.
create function curation.plan_settings(p_keys text[], p_values double precision[], p_limit integer) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    plan jsonb;
begin
    begin
        perform from curation.publication_counter for update;
        insert into curation.simulated_setting (key, value) select * from unnest(p_keys, p_values);
        insert into curation.observation_pending (kind, key) values ('setting', '');
        plan := curation.plan('{}', '{}', p_limit);
        raise exception using errcode = 'VT000';
    exception when sqlstate 'VT000' then
        null;
    end;
    return plan;
end $$;

-- For curators: the numbers that count now, and what the samples of a live route had in the newest slot of each kind.
create function curation.route_settings()
returns table (sample_m double precision, zoom_max_elevation_m double precision, air_reach_m double precision,
    obstruction_reach_m double precision, multiplier_heart double precision, multiplier_zoom double precision,
    multiplier_both double precision, heart_when_equal double precision, zoom_when_equal double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query select * from projection.route_settings;
end $$;

create function curation.route_samples(p_route uuid)
returns table (badge text, number integer, distance_m double precision, latitude double precision,
    longitude double precision, postcode text, value double precision, place text, far double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query
    select case s.kind when 'air' then 'heart' when 'obstruction' then 'zoom' end, m.number, m.distance_m, m.latitude,
           m.longitude, projection.nearest_postcode(m.latitude, m.longitude), f.value::double precision, f.place, f.far
    from curation.live l
    join curation.route_path p on p.revision_id = l.revision_id
    cross join projection.route_settings t
    cross join lateral (
        select null::bigint as id, null as kind
        union all
        (select distinct on (k.kind) k.id, k.kind from curation.validity_period k
         where k.city = p.city and k.valid_from <= now() order by k.kind, k.valid_from desc)) s
    cross join lateral projection.path_samples(p.distances, p.latitudes, p.longitudes, t.sample_m) m
    left join lateral projection.observation_near(s.id, m.latitude, m.longitude,
        case s.kind when 'air' then t.air_reach_m else t.obstruction_reach_m end) f on true
    where l.entry_id = p_route and l.kind = 'route';
end $$;

select ops.govern('curation.validity_period');
select ops.govern('curation.observation');
select ops.govern('curation.postcode');

revoke execute on function curation.apply_observations(bigint), curation.changed_observations(bigint, text),
    curation.plan_settings(text[], double precision[], integer), curation.route_settings(), curation.route_samples(uuid)
    from public;
grant execute on function curation.plan_settings(text[], double precision[], integer), curation.route_settings(),
    curation.route_samples(uuid) to @daemon@;
grant select, insert on curation.route_path to @daemon@;
grant select, insert on curation.validity_period to @daemon@;
grant select, insert, update on curation.observation, curation.postcode to @daemon@;
grant select, insert on curation.observation_pending to @daemon@;
grant select on curation.observation_change, curation.simulated_setting to @daemon@;

-- The read tables.
create table api_v1.route (
    id uuid primary key,
    slug text not null,
    title text not null,
    city text,
    -- without accents and case
    city_key text,
    distance_m double precision not null constraint route_distance check (distance_m > 0),
    -- last elevation minus first; null where either is unknown
    net_elevation_m double precision,
    multiplier_heart double precision not null,
    multiplier_zoom double precision not null,
    multiplier_both double precision not null,
    document json not null,
    constraint route_slug_once unique (slug),
    -- a badge counts more than none, both more than either
    constraint route_multipliers check (multiplier_heart > 1 and multiplier_zoom > 1
        and multiplier_both > greatest(multiplier_heart, multiplier_zoom))
);
create index route_by_city on api_v1.route (city_key);

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

-- What the rule of a badge says of a route from a time until another; a badge counts only while that lasts.
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

comment on table api_v1.route is 'The routes, without their points.';
comment on column api_v1.route.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.route.slug is 'The end of its address; unique among routes.';
comment on column api_v1.route.title is 'Its title.';
comment on column api_v1.route.city is 'The name of its city as it was written; null where none was said.';
comment on column api_v1.route.city_key is 'The same without accents and case, to ask by.';
comment on column api_v1.route.distance_m is 'Its length in meters, along its points.';
comment on column api_v1.route.net_elevation_m is 'Last elevation minus first, in meters; null where either is unknown.';
comment on column api_v1.route.multiplier_heart is 'What the distance is divided by while the badge heart alone holds.';
comment on column api_v1.route.multiplier_zoom is 'What the distance is divided by while the badge zoom alone holds.';
comment on column api_v1.route.multiplier_both is 'What the distance is divided by while both hold; more than either.';
comment on column api_v1.route.document is 'What a reader gets, as JSON. Without points and without badges, which depend on the time.';

comment on table api_v1.route_path is 'The points of the routes, and the samples that badges are worked out from.';
comment on column api_v1.route_path.id is 'The route (api_v1.route.id).';
comment on column api_v1.route_path.document is 'Points and samples with their postcodes, as JSON.';

comment on table api_v1.badge is 'The badges that routes can have.';
comment on column api_v1.badge.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.badge.key is 'heart or zoom: the rule that gives it.';
comment on column api_v1.badge.title is 'What people call it.';
comment on column api_v1.badge.position is 'Badges are in this order.';
comment on column api_v1.badge.document is 'What a reader gets, as JSON. With the words shown on tap.';

comment on table api_v1.route_badge is 'What the rule of a badge says of a route from a time until another; a badge counts only while that lasts.';
comment on column api_v1.route_badge.route_id is 'The route (api_v1.route.id).';
comment on column api_v1.route_badge.badge is 'heart or zoom (api_v1.badge.key).';
comment on column api_v1.route_badge.valid_from is 'From when it holds.';
comment on column api_v1.route_badge.valid_to is 'Until when; at that moment it does not hold any more.';
comment on column api_v1.route_badge.result is 'given, not_given, or unknown where a reading is missing.';
comment on column api_v1.route_badge.document is 'The numbers that were compared, as JSON.';

grant select on api_v1.route, api_v1.route_path, api_v1.badge, api_v1.route_badge to @reader@, @daemon@, @guest@;

reset role;
