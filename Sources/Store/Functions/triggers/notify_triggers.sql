-- Trigger functions that notify background tasks and record changes.

-- Wakes the dispatcher of the outbox.
create or replace function ops.notify_outbox() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if exists (select from added) then perform pg_notify('vitrine_outbox', ''); end if;
    return null;
end $$;

-- Adds a task that mails a failure to publishers. Failures of that task itself are not reported.
create or replace function ops.notify_failed_task() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    insert into ops.task (kind, payload)
    values ('notify_failure', jsonb_build_object('task', new.kind, 'reason', left(new.last_error, 500),
        'at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD')));
    return null;
end $$;

create or replace function ops.notify_failed_release() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    insert into ops.task (kind, payload)
    values ('notify_failure', jsonb_build_object('release', new.number, 'title', new.title, 'reason', left(new.failure, 500),
        'at', to_char(new.finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')));
    return null;
end $$;

-- Records events of a publication. It runs before the counter is raised, so the publication's changes are those after
-- the counter.
create or replace function curation.record_publication_events() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    events record;
begin
    select array_agg(n.event order by n.change) as names, array_agg(n.key order by n.change) as keys,
        array_agg(n.at order by n.change) as times, array_agg(n.document order by n.change) as documents
    into events
    from (
        select c.number as change, 'feed_item.published' as event, c.key, new.published_at as at,
            json_build_object('feed', split_part(c.key, '/', 1), 'item', split_part(c.key, '/', 2)) as document
        from api_v1.change c
        where c.number > (select change_number from curation.publication_counter)
          and c.read_table = 'feed_item' and c.operation = 'insert'
        -- packs: events
        ) n;
    if events.names is not null then
        perform curation.add_events(new.number, events.names, events.keys, events.times, events.documents);
    end if;
    return null;
end $$;
