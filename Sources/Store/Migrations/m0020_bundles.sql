-- What a bundle brings without its secrets waits for new ones; nothing is without a note; and what apps push about is told once.
set local role @owner@;

-- A webhook that came without its secret is not told anything before it has a new one.
alter table ops.webhook add constraint webhook_active_has_secret check (state <> 'active' or length(secret) > 0);

-- Every version says what it is about (B2); where nobody wrote it, the program does.
alter table curation.revision alter note set default 'made',
    add constraint revision_note_given check (note ~ '\S');

-- What an app may want to push about (B12): once each, in order and without gaps. An item is told of when it is published in a feed
-- for the first time, a promotion when it starts, or when it is published after that.
create table api_v1.event (
    number bigint primary key,
    event text not null constraint event_name check (event in ('feed_item.published', 'promotion.started')),
    key text not null,
    publication bigint not null,
    happened_at timestamptz not null,
    document json not null,
    constraint event_once unique (event, key)
);
comment on table api_v1.event is 'What an app may want to push about, once each, in order and without gaps.';
comment on column api_v1.event.number is 'Counts events from 1, without gaps.';
comment on column api_v1.event.event is 'feed_item.published: an item is in a feed for the first time. promotion.started: an offer is current from now on.';
comment on column api_v1.event.key is 'What makes it happen once: feed and item, or promotion and start, joined by a slash.';
comment on column api_v1.event.publication is 'The publication that it belongs to, or the newest one when it happened by the clock.';
comment on column api_v1.event.happened_at is 'When it was published, or when the promotion started.';
comment on column api_v1.event.document is 'What a reader gets, as JSON.';
grant select on api_v1.event to @reader@, @guest@, @daemon@;

-- The last number, and until when starts of promotions are told.
create table curation.event_clock (
    only_row boolean primary key default true constraint event_clock_only_row check (only_row),
    number bigint not null,
    notified_until timestamptz not null
);
insert into curation.event_clock (number, notified_until) values (0, now());

-- Numbers and writes events that are not told yet, under the lock of publications.
create function curation.notify_events(p_publication bigint, p_events text[], p_keys text[], p_times timestamptz[], p_documents json[])
returns void language sql as $$
    with told as (
        insert into api_v1.event (number, event, key, publication, happened_at, document)
        select c.number + row_number() over (order by u.place), u.event, u.key, p_publication, u.at,
            json_build_object('event', u.event, 'number', c.number + row_number() over (order by u.place),
                'publication', p_publication, 'happened_at', ops.webhook_time(u.at), 'data', u.document)
        from curation.event_clock c,
            unnest(p_events, p_keys, p_times, p_documents) with ordinality u (event, key, at, document, place)
        where not exists (select from api_v1.event e where e.event = u.event and e.key = u.key)
        returning number)
    update curation.event_clock set number = number + (select count(*) from told) where exists (select from told)
$$;

-- Of a publication: its number is written before the counter is raised, so that its changes are those beyond the counter's.
create function curation.publication_events() returns trigger language plpgsql as $$
declare
    told record;
begin
    select array_agg(n.event order by n.change) as events, array_agg(n.key order by n.change) as keys,
        array_agg(n.at order by n.change) as times, array_agg(n.document order by n.change) as documents
    into told
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
          and p.starts_at <= (select notified_until from curation.event_clock) and p.ends_at > new.published_at) n;
    if told.events is not null then
        perform curation.notify_events(new.number, told.events, told.keys, told.times, told.documents);
    end if;
    return null;
end $$;
create trigger events after insert on api_v1.publication for each row execute function curation.publication_events();

-- Of the clock: promotions that started since this was last asked and are not over. Returns how many.
create function curation.notify_started() returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    since timestamptz;
    until timestamptz := clock_timestamp();
    publication bigint;
    told record;
begin
    select notified_until into since from curation.event_clock;
    if not exists (select from api_v1.promotion where starts_at > since and starts_at <= until) then return 0; end if;
    select number into publication from curation.publication_counter for update;
    select notified_until into since from curation.event_clock;
    select count(*) as n, array_agg('promotion.started'::text) as events,
        array_agg(p.id || '/' || ops.webhook_time(p.starts_at) order by p.starts_at, p.id) as keys,
        array_agg(p.starts_at order by p.starts_at, p.id) as times,
        array_agg(json_build_object('promotion', p.id, 'place', p.place_id) order by p.starts_at, p.id) as documents
    into told
    from api_v1.promotion p where p.starts_at > since and p.starts_at <= until and p.ends_at > until;
    if told.n > 0 then
        perform curation.notify_events(publication, told.events, told.keys, told.times, told.documents);
    end if;
    update curation.event_clock set notified_until = until;
    return told.n;
end $$;

revoke execute on function curation.notify_events(bigint, text[], text[], timestamptz[], json[]),
    curation.publication_events(), curation.notify_started() from public;
grant execute on function curation.notify_started() to @daemon@;
grant select on curation.event_clock to @daemon@;

reset role;
