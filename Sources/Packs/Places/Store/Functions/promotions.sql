-- Events of promotions that start.

-- Records promotions that started since the last call and have not ended. Returns their number.
create or replace function curation.notify_started_promotions() returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    since timestamptz;
    until timestamptz := clock_timestamp();
    publication bigint;
    events record;
begin
    select notified_until into since from curation.event_cursor;
    if not exists (select from api_v1.promotion where starts_at > since and starts_at <= until) then return 0; end if;
    select number into publication from curation.publication_counter for update;
    select notified_until into since from curation.event_cursor;
    select count(*) as n, array_agg('promotion.started'::text) as names,
        array_agg(p.id || '/' || ops.webhook_time(p.starts_at) order by p.starts_at, p.id) as keys,
        array_agg(p.starts_at order by p.starts_at, p.id) as times,
        array_agg(json_build_object('promotion', p.id, 'place', p.place_id) order by p.starts_at, p.id) as documents
    into events
    from api_v1.promotion p where p.starts_at > since and p.starts_at <= until and p.ends_at > until;
    if events.n > 0 then
        perform curation.add_events(publication, events.names, events.keys, events.times, events.documents);
    end if;
    update curation.event_cursor set notified_until = until;
    return events.n;
end $$;

grant execute on function curation.notify_started_promotions() to @daemon@;
