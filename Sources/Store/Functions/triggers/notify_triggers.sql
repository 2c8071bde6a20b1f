-- Trigger functions that notify background tasks and record changes.

-- Wakes the mail dispatcher.
create or replace function ops.notify_mail() returns trigger language plpgsql as $$
begin
    perform pg_notify('vitrine_mail', '');
    return null;
end $$;

-- Adds a task that mails a failure to publishers. Failures of that task itself are not reported.
create or replace function ops.notify_failed_task() returns trigger language plpgsql as $$
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
create or replace function curation.record_publication_events() returns trigger language plpgsql as $$
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
        union all
        select c.number, 'promotion.started', c.key || '/' || ops.webhook_time(p.starts_at), p.starts_at,
            json_build_object('promotion', p.id, 'place', p.place_id)
        from api_v1.change c
        join api_v1.promotion p on p.id = case when c.read_table = 'promotion' then c.key::uuid end
        where c.number > (select change_number from curation.publication_counter)
          and c.read_table = 'promotion' and c.operation <> 'delete'
          and p.starts_at <= (select notified_until from curation.event_cursor) and p.ends_at > new.published_at) n;
    if events.names is not null then
        perform curation.add_events(new.number, events.names, events.keys, events.times, events.documents);
    end if;
    return null;
end $$;

-- Records which items of lists a publication added, removed or moved, or whose note changed.
create or replace function curation.record_list_changes() returns trigger language plpgsql as $$
begin
    if not exists (select from changed where kind = 'list') then return null; end if;
    insert into curation.list_item_change (publication, list_id, item_id)
    select c.publication, c.entry_id, m.item_id
    from changed c
    cross join lateral (
        select coalesce(n.item_id, o.item_id) as item_id
        from (select * from curation.catalog_use u where u.revision_id = c.old_revision and u.field = 'items') o
        full join (select * from curation.catalog_use u where u.revision_id = c.new_revision and u.field = 'items') n
            on n.item_id = o.item_id
        where o.position is distinct from n.position or o.note is distinct from n.note) m
    where c.kind = 'list';
    return null;
end $$;
