-- Observations of air quality and obstructions, and what routes read of them.

-- The routes with results of a pending period, or with samples that postcodes name: those after p_after by their ids.
create or replace function curation.observed_routes(p_kind text, p_key text, p_after uuid, p_limit integer) returns setof uuid
language sql stable as $$
    select l.entry_id
    from curation.live l join curation.route_path p on p.revision_id = l.revision_id
    where l.kind = 'route' and (p_after is null or l.entry_id > p_after)
      and (p_kind = 'postcode' or p.city = (
          select s.city from curation.validity_period s where s.id = case when p_kind = 'period' then p_key::bigint end))
    order by l.entry_id limit p_limit
$$;

-- Prepares a publication of pending observations: the earliest periods first, with the results of at most p_limit routes.
-- Periods that another transaction records in come later.
create or replace function curation.take_observations(p_publication bigint, p_limit integer) returns void language plpgsql as $$
declare
    waiting record;
    routes uuid[];
    rest integer := p_limit;
begin
    for waiting in
        select w.kind, w.key, w.after_route
        from curation.observation_pending w
        left join curation.validity_period s on s.id = case when w.kind = 'period' then w.key::bigint end
        order by s.valid_from, w.kind, s.id for update of w skip locked
    loop
        routes := array(select curation.observed_routes(waiting.kind, waiting.key, waiting.after_route, rest));
        if cardinality(routes) < rest then
            delete from curation.observation_pending where kind = waiting.kind and key = waiting.key;
        else
            update curation.observation_pending set after_route = routes[rest]
            where kind = waiting.kind and key = waiting.key;
        end if;
        if cardinality(routes) > 0 then
            insert into curation.observation_change (publication, kind, key, after_route, to_route)
            values (p_publication, waiting.kind, waiting.key, waiting.after_route, routes[cardinality(routes)]);
        end if;
        rest := rest - greatest(cardinality(routes), 1);
        exit when rest <= 0;
    end loop;
end $$;

-- Marks periods that are over, so that their results are removed.
create or replace function curation.end_periods(p_limit integer) returns void language sql as $$
    with over as (
        update curation.validity_period set is_expired = true
        where id in (
            select id from curation.validity_period
            where not is_expired and valid_to <= now() limit p_limit for update skip locked)
        returning id)
    insert into curation.observation_pending (kind, key) select 'period', id::text from over
    on conflict (kind, key) do update set after_route = null
$$;

-- Whether there is anything to publish: observations, or the end of periods.
create or replace function curation.has_pending_observations() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select exists (select from curation.observation_pending)
        or exists (select from curation.validity_period where not is_expired and valid_to <= now())
$$;

-- Publishes pending observations and the end of periods: the results of at most p_limit routes. Returns the publication, null if readers see no
-- difference, and how many periods are still pending.
create or replace function curation.publish_observations(p_actor uuid, p_limit integer, p_note text,
    out publication bigint, out remaining bigint)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    next bigint;
begin
    select number + 1 into next from curation.publication_counter for update;
    perform curation.end_periods(p_limit);
    perform curation.take_observations(next, p_limit);
    publication := curation.publish('{}', '{}', p_actor, null, p_note);
    delete from curation.validity_period where id in (
        select s.id from curation.validity_period s
        where s.is_expired and not exists (select from curation.observation f where f.period_id = s.id)
          and not exists (select from curation.observation_pending w where w.kind = 'period' and w.key = s.id::text)
        limit 1000 for update skip locked);
    remaining := (select count(*) from curation.observation_pending);
end $$;

-- Whether pending observations will change this row of a read table.
create or replace function curation.is_observation_pending(p_table text, p_key text) returns boolean language sql stable as $$
    select case p_table
        when 'route_path' then exists (select from curation.observation_pending where kind = 'postcode')
        when 'route_badge' then exists (
            select from curation.observation_pending w
            join curation.validity_period s on s.id = case when w.kind = 'period' then w.key::bigint end
            where s.valid_from = split_part(p_key, '/', 3)::timestamptz)
        else false end
$$;

-- The observations that a publication applied, for the `affected` functions, like curation.changed.
create or replace function curation.changed_observations(p_publication bigint, p_kind text)
returns setof curation.observation_change language plpgsql stable rows 1 as $$
begin
    return query select * from curation.observation_change where publication = p_publication and kind = p_kind;
end $$;

-- Divides the periods of a city at these times, each part with a copy of the observations, so that values can be recorded
-- or deleted for a part of a period. The periods of a city are divided by one transaction at a time.
create or replace function curation.divide_periods(p_kind text, p_city text, p_times timestamptz[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    divided bigint[];
    starts timestamptz[];
    ends timestamptz[];
begin
    perform pg_advisory_xact_lock(hashtext('curation.validity_period'), hashtext(p_kind || ' ' || p_city));
    select array_agg(d.id), array_agg(d.at), array_agg(d.until) into divided, starts, ends
    from (
        select s.id, t.at, lead(t.at, 1, s.valid_to) over (partition by s.id order by t.at) as until
        from (select distinct unnest(p_times) as at) t
        cross join lateral (
            select v.id, v.valid_to from curation.validity_period v
            where v.city = p_city and v.kind = p_kind and v.valid_from < t.at order by v.valid_from desc limit 1) s
        where s.valid_to > t.at) d;
    if divided is null then return; end if;
    update curation.validity_period s set valid_to = d.first_end, is_expired = is_expired or d.first_end <= now()
    from (select u.id, min(u.at) as first_end from unnest(divided, starts) u (id, at) group by u.id) d where s.id = d.id;
    with part as (
        insert into curation.validity_period (kind, city, valid_from, valid_to, is_expired)
        select p_kind, p_city, u.at, u.until, u.until <= now() from unnest(starts, ends) u (at, until)
        returning id, valid_from),
    copied as (
        insert into curation.observation
            (period_id, site, measure, latitude, longitude, value, source, fetched_at, recorded_at)
        select part.id, f.site, f.measure, f.latitude, f.longitude, f.value, f.source, f.fetched_at, f.recorded_at
        from part join unnest(divided, starts) u (id, at) on u.at = part.valid_from
        join curation.observation f on f.period_id = u.id)
    insert into curation.observation_pending (kind, key)
    select 'period', k.id::text from (select part.id from part union select unnest(divided)) k
    on conflict (kind, key) do update set after_route = null;
end $$;

-- Creates the periods in which observations from `p_starts` to `p_ends` can be recorded: existing ones are divided where
-- one of these begins or ends, and what no period covers yet gets a new one. Periods that are over have no readers.
create or replace function curation.cover_periods(p_kind text, p_city text, p_starts timestamptz[], p_ends timestamptz[])
returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    covered tstzmultirange;
begin
    if exists (
        select from unnest(p_starts, p_ends) u (at, until) where until <= at or until - at > interval '31 days') then
        perform curation.refuse('validity_period_times', 'the end must be after the start, and at most 31 days later');
    end if;
    perform curation.divide_periods(p_kind, p_city, p_starts || p_ends);
    select range_agg(tstzrange(u.at, u.until)) into covered from unnest(p_starts, p_ends) u (at, until);
    insert into curation.validity_period (kind, city, valid_from, valid_to, is_expired)
    select p_kind, p_city, b.at, b.until, b.until <= now()
    from (
        select t.at, lead(t.at) over (order by t.at) as until
        from (
            select unnest(p_starts || p_ends) as at
            union
            select unnest(array[s.valid_from, s.valid_to]) from curation.validity_period s
            where s.city = p_city and s.kind = p_kind and s.valid_from >= lower(covered) and s.valid_from < upper(covered)) t) b
    where b.until is not null and tstzrange(b.at, b.until) <@ covered
    on conflict (city, kind, valid_from, valid_to) do nothing;
    -- Those whose observations were all deleted get new ones.
    update curation.validity_period s set is_expired = false
    where s.is_expired and s.city = p_city and s.kind = p_kind and s.valid_to > now()
      and tstzrange(s.valid_from, s.valid_to) <@ covered;
end $$;

-- Deletes the observations of a kind and city that match all given conditions, in that part of their periods that lies
-- between p_from and p_to. They stay in the history. Periods without observations expire. Returns their number.
create or replace function curation.remove_observations(p_kind text, p_city text, p_source text, p_site text,
    p_from timestamptz, p_to timestamptz) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    touched bigint[];
    removed bigint;
begin
    if not exists (
        select from curation.validity_period s join curation.observation f on f.period_id = s.id
        where s.kind = p_kind and s.city = p_city
          and (p_source is null or f.source = p_source) and (p_site is null or f.site = p_site)
          and (p_from is null or s.valid_to > p_from) and (p_to is null or s.valid_from < p_to)) then
        return 0;
    end if;
    perform curation.divide_periods(p_kind, p_city, array_remove(array[p_from, p_to], null));
    with gone as (
        delete from curation.observation f using curation.validity_period s
        where s.id = f.period_id and s.kind = p_kind and s.city = p_city
          and (p_source is null or f.source = p_source) and (p_site is null or f.site = p_site)
          and (p_from is null or s.valid_from >= p_from) and (p_to is null or s.valid_to <= p_to)
        returning f.*, s.kind, s.city, s.valid_from, s.valid_to),
    kept as (
        insert into curation.observation_history (kind, city, valid_from, valid_to, site, measure, latitude, longitude,
            value, source, fetched_at, recorded_at, reason)
        select kind, city, valid_from, valid_to, site, measure, latitude, longitude, value, source, fetched_at,
            recorded_at, 'deleted'
        from gone)
    select array_agg(distinct period_id), count(*) into touched, removed from gone;
    update curation.validity_period s set is_expired = true
    where s.id = any (touched) and not exists (select from curation.observation f where f.period_id = s.id);
    insert into curation.observation_pending (kind, key)
    select 'period', unnest(touched)::text on conflict (kind, key) do update set after_route = null;
    return removed;
end $$;

-- The plan of publishing that, with the number of observations; changes nothing.
create or replace function curation.plan_deletion(p_kind text, p_city text, p_source text, p_site text,
    p_from timestamptz, p_to timestamptz, p_limit integer, out removed bigint, out plan jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    begin
        insert into ops.audit_event (actor_id, action, object_type)
        values ('00000000-0000-7000-8000-000000000001', 'observation.plan', 'observation');
        removed := curation.remove_observations(p_kind, p_city, p_source, p_site, p_from, p_to);
        perform curation.take_observations(number + 1, 2147483647) from curation.publication_counter for update;
        plan := curation.plan('{}', '{}', p_limit);
        raise exception using errcode = 'VT000';
    exception when sqlstate 'VT000' then
        null;
    end;
end $$;

-- Before this time observations are deleted, by the setting observations.keep_days; null if it is 0 or not a number.
create or replace function curation.observations_kept_since() returns timestamptz language sql stable as $$
    select now() - make_interval(days => nullif(
        substring(projection.setting('observations.keep_days') from '^[0-9]{1,5}$')::integer, 0))
$$;

-- Whether there are observations, current or in the history, that are not kept any longer.
create or replace function curation.has_expired_observations() returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
    oldest timestamptz := curation.observations_kept_since();
begin
    return exists (select from curation.validity_period where valid_to < oldest)
        or exists (select from curation.observation_history where valid_to < oldest);
end $$;

-- Deletes up to p_limit periods that are not kept any longer, with their observations and their history. Readers lost
-- their results when the periods ended.
create or replace function curation.prune_observations(p_limit integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    oldest timestamptz := curation.observations_kept_since();
    old bigint[];
begin
    delete from curation.observation_history where id in (
        select id from curation.observation_history where valid_to < oldest order by valid_to limit p_limit * 100);
    old := array(
        select s.id from curation.validity_period s
        where s.valid_to < oldest and s.is_expired
          and not exists (select from curation.observation_pending w where w.kind = 'period' and w.key = s.id::text)
        order by s.valid_to limit p_limit for update skip locked);
    delete from curation.observation where period_id = any (old);
    delete from curation.validity_period where id = any (old);
end $$;

-- The route settings, for the admin interface.
create or replace function curation.route_settings()
returns table (sample_m double precision, zoom_max_elevation_m double precision, air_reach_m double precision,
    obstruction_reach_m double precision, multiplier_heart double precision, multiplier_zoom double precision,
    multiplier_both double precision, heart_when_equal double precision, zoom_when_equal double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query select * from projection.route_settings;
end $$;

-- The samples of a published route, with the nearest observation in the newest period of each kind.
create or replace function curation.route_samples(p_route uuid)
returns table (badge text, number integer, distance_m double precision, latitude double precision,
    longitude double precision, postcode text, value double precision, site text, site_distance_m double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query
    select case s.kind when 'air' then 'heart' when 'obstruction' then 'zoom' end, m.number, m.distance_m, m.latitude,
           m.longitude, projection.nearest_postcode(m.latitude, m.longitude), f.value::double precision, f.site, f.distance_m
    from curation.live l
    join curation.route_path p on p.revision_id = l.revision_id
    cross join projection.route_settings t
    cross join lateral (
        select null::bigint as id, null as kind
        union all
        (select distinct on (k.kind) k.id, k.kind from curation.validity_period k
         where k.city = p.city and k.valid_from <= now() order by k.kind, k.valid_from desc)) s
    cross join lateral projection.path_samples(p.distances, p.latitudes, p.longitudes, t.sample_m) m
    left join lateral projection.nearest_observation(s.id, m.latitude, m.longitude,
        case s.kind when 'air' then t.air_reach_m else t.obstruction_reach_m end) f on true
    where l.entry_id = p_route and l.kind = 'route';
end $$;

-- The obstructions near the line of a published route in the newest period.
create or replace function curation.route_obstructions(p_route uuid)
returns table (site text, value double precision, distance_m double precision, along_m double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query
    select o.site, o.value::double precision, o.distance_m, o.along_m
    from curation.live l
    join curation.route_path p on p.revision_id = l.revision_id
    cross join projection.route_settings t
    cross join lateral (
        select k.id from curation.validity_period k
        where k.city = p.city and k.kind = 'obstruction' and k.valid_from <= now() order by k.valid_from desc limit 1) s
    cross join lateral projection.obstructions_near(s.id, p.distances, p.latitudes, p.longitudes, t.obstruction_reach_m) o
    where l.entry_id = p_route and l.kind = 'route'
    order by o.along_m, o.site limit 100;
end $$;

grant execute on function curation.cover_periods(text, text, timestamptz[], timestamptz[]),
    curation.remove_observations(text, text, text, text, timestamptz, timestamptz),
    curation.publish_observations(uuid, integer, text), curation.has_pending_observations(),
    curation.plan_deletion(text, text, text, text, timestamptz, timestamptz, integer),
    curation.has_expired_observations(), curation.prune_observations(integer),
    curation.route_settings(), curation.route_samples(uuid), curation.route_obstructions(uuid) to @daemon@;

-- Plans other route settings.
create or replace function curation.plan_settings(p_keys text[], p_values double precision[], p_limit integer) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    plan jsonb;
begin
    begin
        perform from curation.publication_counter for update;
        insert into curation.simulated_setting (key, value) select * from unnest(p_keys, p_values);
        insert into curation.observation_change (publication, kind, key)
        select number + 1, 'setting', '' from curation.publication_counter;
        plan := curation.plan('{}', '{}', p_limit);
        raise exception using errcode = 'VT000';
    exception when sqlstate 'VT000' then
        null;
    end;
    return plan;
end $$;

grant execute on function curation.plan_settings(text[], double precision[], integer) to @daemon@;
