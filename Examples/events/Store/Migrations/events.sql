-- The read table of the calendar.
set local role @owner@;

create table api_v1.calendar_event (
    id uuid primary key,
    slug text not null,
    starts bigint not null,
    document json not null,
    constraint calendar_event_slug_once unique (slug)
);
create index calendar_event_starts on api_v1.calendar_event (starts, id);

comment on table api_v1.calendar_event is 'Events at published venues, including past ones.';
comment on column api_v1.calendar_event.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.calendar_event.slug is 'Slug, unique among events.';
comment on column api_v1.calendar_event.starts is 'Start, in microseconds since 1970.';
comment on column api_v1.calendar_event.document is 'API response, as JSON.';

grant select on api_v1.calendar_event to @daemon@, @reader@, @guest@;

reset role;
