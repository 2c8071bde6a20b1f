-- Changes and their audit events are paired by their transaction: each submission, decision, approval, entry, revision, note and
-- publication records its own. Rows from before have none.
set local role @owner@;

do $$
declare
    name text;
begin
    foreach name in array '{submission,decision,submission_approval,entry,revision,approval,note,publication}'::text[] loop
        -- The default follows in a command of its own, so that existing rows stay as they are.
        execute format('alter table curation.%I add column audit_transaction xid8', name);
        execute format('alter table curation.%I alter column audit_transaction
            set default ops.audit_transaction(pg_current_xact_id())', name);
        -- The default also applies where triggers don't; with the trigger, no statement can give another value.
        execute format('create trigger own_transaction before insert or update of audit_transaction on curation.%I
            for each row execute function ops.record_transaction()', name);
    end loop;
end $$;

reset role;
