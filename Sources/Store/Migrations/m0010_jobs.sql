-- Work for the clock: jobs claimed with SKIP LOCKED, their effect in the claiming transaction.
set local role @owner@;

create table ops.job (
    id uuid primary key default curation.uuid_v7(),
    kind text not null constraint job_kind check (kind ~ '^[a-z][a-z0-9_]{0,62}$'),
    payload jsonb not null default '{}',
    schedule text,
    due_at timestamptz not null default clock_timestamp(),
    state text not null default 'waiting' constraint job_state check (state in ('waiting', 'done', 'failed')),
    attempts integer not null default 0 constraint job_attempts check (attempts >= 0),
    max_attempts integer not null default 5 constraint job_max_attempts check (max_attempts between 1 and 100),
    next_at timestamptz not null default clock_timestamp(),
    last_error text,
    finished_at timestamptz,
    created_at timestamptz not null default now(),
    constraint job_tick_once unique (schedule, due_at),
    constraint job_finished check ((state = 'waiting') = (finished_at is null)),
    constraint job_failed_has_reason check (state <> 'failed' or last_error is not null)
);
create index job_next on ops.job (next_at, id) where state = 'waiting';
create index job_failed on ops.job (finished_at desc) where state = 'failed';
create index job_finished_at on ops.job (finished_at) where state = 'done';

grant select, insert, update, delete on ops.job to @daemon@;

reset role;
