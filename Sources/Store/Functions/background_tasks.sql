-- All background tasks in one form: tasks, mails, webhook deliveries and outcomes. Every branch reads one table without
-- a condition, so that PostgreSQL uses the indexes of each for a page of all.
create or replace view ops.background_task as
select 'task' as kind, id, kind as name, null::text as subject, null::text as recipient, null::uuid as webhook_id,
    null::uuid as account_id, state as result, attempts, next_at, created_at, finished_at, last_error
from ops.task
union all
select case when webhook_id is null then 'mail' else 'webhook_delivery' end, id, coalesce(key, type), subject,
    recipient, webhook_id, account_id, state, attempts, next_at, created_at, finished_at, last_error
from ops.outbox_message
union all
-- their next attempt depends on the configured undo window
select 'outcome', decision_id, null, null, null, null, null, state, 0, null, decided_at, finished_at, null
from ops.outcome;

grant select on ops.background_task to @daemon@;
