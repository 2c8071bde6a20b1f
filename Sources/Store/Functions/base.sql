-- Functions that tables need when they are created. Applied before the tables.

-- A version 7 UUID: the first 48 bits are the milliseconds of the database clock, so IDs sort by age.
create or replace function curation.uuid_v7() returns uuid language sql volatile parallel safe as $$
    select encode(
        set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid())
                placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
                from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

-- Twelve random hexadecimal digits: the tag that tells two histories with the same numbers apart.
create or replace function curation.random_tag() returns text language sql volatile parallel safe as $$
    select left(encode(uuid_send(gen_random_uuid()), 'hex'), 12)
$$;

-- Raises an error with a constraint name, so that rules in functions are reported like CHECK constraints; `entry` is the
-- entry that it is about.
create or replace function curation.refuse(rule text, message text, entry uuid default null) returns void language plpgsql as $$
begin
    raise exception using errcode = 'check_violation', constraint = rule, message = message, detail = coalesce(entry::text, '');
end $$;

-- Whether an entry was published and is not any more. A category like that is archived.
create or replace function curation.is_archived(p_entry uuid) returns boolean language plpgsql stable as $$
begin
    return not exists (select from curation.live l where l.entry_id = p_entry)
        and exists (select from curation.publication_change c where c.entry_id = p_entry);
end $$;

-- Requires an audit event in every transaction that changes the table.
create or replace function ops.audit_changes(governed regclass) returns void language plpgsql as $$
begin
    execute format('create trigger audited after insert or update or delete on %s
        for each statement execute function ops.require_audit()', governed);
end $$;

-- Declares who may change a table: the transaction needs an audit event of an actor that has one of the permissions
-- (ops.may_change) and whose access scope contains the changed rows by a rule (ops.contain_row), applied to the ID in the
-- column `key`. The rules:
-- none          the rows are no content
-- submission, entry, revision, release, release_item: the content with this ID
-- note          the submission or entry that the row is about, as pages show it
-- image         the image with this ID, as pages show it
-- unrestricted  only for accounts without an access scope
-- own           only for the account with this ID, and administrators
-- `author` is the column of a new row's author, whose scope then counts. What nobody declares only the program changes.
create or replace function ops.govern(governed regclass, permissions text, rule text, key text default null,
    author text default null) returns void language plpgsql as $$
declare
    arguments text := concat_ws(', ', quote_literal(rule), quote_literal(key), quote_literal(author));
    existing record;
begin
    for existing in select t.tgname from pg_trigger t where t.tgrelid = governed and t.tgname ~ '^(audited|within_scope)' loop
        execute format('drop trigger %I on %s', existing.tgname, governed);
    end loop;
    -- Before the change, which may concern the permissions themselves.
    execute format('create trigger audited before insert or update or delete on %s
        for each statement execute function ops.require_audit(%L, %s)', governed, permissions, arguments);
    if rule = 'none' then return; end if;
    for existing in select * from (values ('inserted', 'insert', 'new'), ('updated', 'update', 'new'), ('replaced', 'update', 'old'),
        ('deleted', 'delete', 'old')) v (name, operation, version) loop
        -- Revisions and approvals are only inserted; the owner's functions that withdraw approvals check the scope themselves.
        continue when rule = 'revision' and existing.operation <> 'insert';
        execute format('create trigger within_scope_%s after %s on %s referencing %s table as changed
            for each statement execute function %s(%s)', existing.name, existing.operation, governed, existing.version,
            case rule when 'own' then 'ops.require_own' else 'ops.require_scope' end, arguments);
    end loop;
end $$;

grant execute on function curation.uuid_v7(), curation.refuse(text, text, uuid),
    curation.is_archived(uuid) to @daemon@;
