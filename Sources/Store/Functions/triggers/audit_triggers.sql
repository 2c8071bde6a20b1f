-- Trigger functions that require audit events.

-- Refuses a statement whose transaction has no audit event.
create or replace function ops.require_audit() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select from ops.audit_event where transaction = ops.audit_transaction(pg_current_xact_id())) then
        raise exception using errcode = 'check_violation', constraint = 'audit_event_required',
            table = tg_table_name, message = format('%s on %s without an audit event', tg_op, tg_table_name);
    end if;
    return null;
end $$;

-- The same for statements that may change no row, such as a repeated submission.
create or replace function ops.require_audit_for_rows() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if exists (select from changed) and not exists (
        select from ops.audit_event where transaction = ops.audit_transaction(pg_current_xact_id())) then
        raise exception using errcode = 'check_violation', constraint = 'audit_event_required',
            table = tg_table_name, message = format('%s on %s without an audit event', tg_op, tg_table_name);
    end if;
    return null;
end $$;
