-- The schedule shows past releases, too, by their times.
set local role @owner@;

create index release_times on curation.release (due_at, number) where due_at is not null;

reset role;
