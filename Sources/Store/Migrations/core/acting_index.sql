-- Who acts in a transaction (ops.acting, ops.has_event): every trigger asks, and a bulk action has thousands of audit events of one
-- actor, which are not read for it.
set local role @owner@;

create index audit_event_acting on ops.audit_event (transaction, actor_id, (coalesce(actor_role, '')));

reset role;
