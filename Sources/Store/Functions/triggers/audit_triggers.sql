-- Trigger functions that require audit events.

-- Refuses a statement whose transaction has no audit event of an actor with one of the permissions in the first argument.
create or replace function ops.require_audit() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if not ops.may_change(tg_argv[0]) then perform ops.refuse_change(tg_op, tg_table_name); end if;
    return null;
end $$;

create or replace function ops.refuse_change(p_operation text, p_table text) returns void language plpgsql as $$
begin
    raise exception using errcode = 'check_violation', constraint = 'audit_event_required', table = p_table,
        message = format('%s on %s without an audit event that allows it', p_operation, p_table);
end $$;

-- The same for statements that may change no row, such as a repeated submission.
create or replace function ops.require_audit_for_rows() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if exists (select from changed) and not ops.may_change(tg_argv[0]) then
        perform ops.refuse_change(tg_op, tg_table_name);
    end if;
    return null;
end $$;

-- Gives a row the number of its transaction, as audit events have it, whatever the statement says.
create or replace function ops.record_transaction() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    new.audit_transaction := ops.audit_transaction(pg_current_xact_id());
    return new;
end $$;

-- Records that this transaction has changed a governed table, whether or not it has an audit event.
create or replace function ops.record_changed_table() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    insert into ops.changed_table (transaction, name)
    values (ops.audit_transaction(pg_current_xact_id()), tg_table_schema || '.' || tg_table_name)
    on conflict do nothing;
    return null;
end $$;
