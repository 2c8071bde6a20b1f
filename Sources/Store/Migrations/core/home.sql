-- The home page and the navigation: indexes for their counts, and the checklist for a new deployment.
set local role @owner@;

-- Few rows of large tables.
create index task_failed on ops.task (id) where state = 'failed';
create index release_open on curation.release (number) where state = 'open';
create index playlist_check_failed on curation.playlist_check (stream_url, id desc) where outcome in ('malformed', 'unreachable');
create index revision_by_stream on curation.revision ((content ->> 'hls_url')) where content ? 'hls_url';
-- What people did, newest first. Clients and the system write most events and are not included.
create index audit_event_of_people on ops.audit_event (id) where actor_role is not null;
-- Decisions of a day. They are inserted in this order, so the smallest index is enough.
create index decision_decided on curation.decision using brin (decided_at) with (pages_per_range = 16, autosummarize = on);

-- The single row that hides the checklist from the home page.
create table ops.checklist (
    only_row boolean primary key default true constraint checklist_only_row check (only_row),
    dismissed_by uuid not null constraint checklist_dismissed_by references ops.actor (id),
    dismissed_at timestamptz not null default clock_timestamp()
);
select ops.govern('ops.checklist', 'administer', 'unrestricted');

grant select, insert on ops.checklist to @daemon@;

reset role;
