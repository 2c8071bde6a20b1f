-- Events for push notifications.

-- Numbers and inserts events that are not recorded yet, under the publication lock.
create or replace function curation.add_events(p_publication bigint, p_events text[], p_keys text[], p_times timestamptz[], p_documents json[])
returns void language sql as $$
    with events as (
        insert into api_v1.event (number, event, key, publication, happened_at, document, tag)
        select n.number, n.event, n.key, p_publication, n.at,
            json_build_object('event', n.event, 'number', n.number, 'tag', n.tag, 'publication', p_publication,
                'publication_tag', (select p.tag from curation.publication p where p.number = p_publication),
                'happened_at', ops.webhook_time(n.at), 'data', n.document),
            n.tag
        from (
            select u.*, c.number + row_number() over (order by u.position) as number, curation.random_tag() as tag
            from curation.event_cursor c,
                unnest(p_events, p_keys, p_times, p_documents) with ordinality u (event, key, at, document, position)
            where not exists (select from api_v1.event e where e.event = u.event and e.key = u.key)) n
        returning number)
    update curation.event_cursor set number = number + (select count(*) from events) where exists (select from events)
$$;

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
