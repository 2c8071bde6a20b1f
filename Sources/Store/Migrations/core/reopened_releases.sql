-- A release that is changed after it was scheduled is open again, and remembers when it was to be published.
set local role @owner@;

alter table curation.release
    -- who scheduled it as a whole; null if its time came with an approval
    add column scheduled_by uuid constraint release_scheduled_by references ops.actor (id),
    -- the time that a change took from it, until it is scheduled again
    add column reopened_local timestamp,
    add column reopened_zone text,
    add constraint release_reopened_complete check ((reopened_local is null) = (reopened_zone is null)),
    add constraint release_reopened_unscheduled check (reopened_local is null or state <> 'scheduled');
create index release_reopened on curation.release (number) where state = 'open' and reopened_local is not null;

reset role;
