-- Background tasks.
set local role @owner@;

-- Background tasks. Workers claim them with SKIP LOCKED and do the work in the claiming transaction.
create table ops.task (
    id uuid primary key default curation.uuid_v7(),
    kind text not null constraint task_kind check (kind ~ '^[a-z][a-z0-9_]{0,62}$'),
    payload jsonb not null default '{}',
    schedule text,
    due_at timestamptz not null default clock_timestamp(),
    state text not null default 'waiting' constraint task_state check (state in ('waiting', 'done', 'failed')),
    attempts integer not null default 0 constraint task_attempts check (attempts >= 0),
    max_attempts integer not null default 5 constraint task_max_attempts check (max_attempts between 1 and 100),
    next_at timestamptz not null default clock_timestamp(),
    last_error text,
    finished_at timestamptz,
    created_at timestamptz not null default now(),
    constraint task_schedule_once unique (schedule, due_at),
    constraint task_finished check ((state = 'waiting') = (finished_at is null)),
    constraint task_failed_has_reason check (state <> 'failed' or last_error is not null)
);
create index task_next on ops.task (next_at, id) where state = 'waiting';
create index task_open on ops.task (id) where state <> 'done';
create index task_finished_at on ops.task (finished_at) where state = 'done';
create trigger notify_failed after update of state on ops.task for each row
    when (new.state = 'failed' and old.state <> 'failed' and new.kind <> 'notify_failure')
    execute function ops.notify_failed_task();

grant select, insert, update, delete on ops.task to @daemon@;

reset role;
