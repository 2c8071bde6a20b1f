-- Events for push notifications.

-- Numbers and inserts events that are not recorded yet, under the publication lock.
create or replace function curation.add_events(p_publication bigint, p_events text[], p_keys text[], p_times timestamptz[], p_documents json[])
returns void language plpgsql as $$
begin
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
    update curation.event_cursor set number = number + (select count(*) from events) where exists (select from events);
end $$;
