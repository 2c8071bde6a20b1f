-- Publications, the change feed and events, as clients read them. Additive only: within version 1 no column is removed,
-- renamed or retyped.
set local role @owner@;

create table api_v1.publication (
    number bigint primary key,
    published_at timestamptz not null,
    changes bigint not null,
    tag text not null
);
create trigger events after insert on api_v1.publication for each row execute function curation.record_publication_events();

-- Change feed of the read tables, in order and without gaps.
create table api_v1.change (
    number bigint primary key,
    publication bigint not null,
    read_table text not null,
    key text not null,
    operation text not null constraint change_operation check (operation in ('insert', 'update', 'delete'))
);

-- Events for push notifications (B12). An item counts once it is published in a feed for the first time.
create table api_v1.event (
    number bigint primary key,
    event text not null constraint event_name check (event ~ '^[a-z_]+[.][a-z_]+$'),
    key text not null,
    publication bigint not null,
    happened_at timestamptz not null,
    document json not null,
    tag text not null default curation.random_tag() constraint event_tag check (tag ~ '^[0-9a-f]{12}$'),
    constraint event_once unique (event, key)
);

-- Last event number, and the time up to which events have been recorded that time causes.
create table curation.event_cursor (
    only_row boolean primary key default true constraint event_cursor_only_row check (only_row),
    number bigint not null,
    notified_until timestamptz not null
);

insert into curation.event_cursor (number, notified_until) values (0, now());

comment on table api_v1.publication is 'Publications. The highest number is the version of all read tables.';
comment on column api_v1.publication.number is 'Publication number, counted from 1 without gaps.';
comment on column api_v1.publication.published_at is 'Time of the publication.';
comment on column api_v1.publication.changes is 'Number of read table rows that it inserted, updated or deleted.';
comment on column api_v1.publication.tag is 'Random text written with the publication. After a restore or a failover that lost publications, numbers repeat with other tags.';

comment on table api_v1.change is 'Change feed: every read table row that publications wrote. Clients continue after the last number they read.';
comment on column api_v1.change.number is 'Change number, counted from 1 without gaps.';
comment on column api_v1.change.publication is 'Publication that wrote the row (api_v1.publication.number).';
comment on column api_v1.change.read_table is 'Name of the changed table, without its schema.';
comment on column api_v1.change.key is 'Primary key of the changed row as text; columns are joined with a slash.';
comment on column api_v1.change.operation is 'insert, update or delete. Deleted rows no longer exist in their table.';

comment on table api_v1.event is 'Events for push notifications: each once, in order and without gaps.';
comment on column api_v1.event.number is 'Event number, counted from 1 without gaps.';
comment on column api_v1.event.event is 'What happened, such as feed_item.published: an item appeared in a feed for the first time.';
comment on column api_v1.event.key is 'Identifies the event, such as feed and item joined with a slash.';
comment on column api_v1.event.publication is 'Publication that caused the event, or the latest publication if time caused it.';
comment on column api_v1.event.happened_at is 'Time of the event: of the publication, or when what was published begins.';
comment on column api_v1.event.document is 'API response, as JSON.';
comment on column api_v1.event.tag is 'Random text written with the event. After a restore or a failover that lost events, numbers repeat with other tags.';

grant select on api_v1.publication, api_v1.change, api_v1.event to @daemon@, @reader@, @guest@;
grant select on curation.event_cursor to @daemon@;

reset role;
