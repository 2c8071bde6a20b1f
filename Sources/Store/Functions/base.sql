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

grant execute on function curation.uuid_v7(), curation.refuse(text, text, uuid),
    curation.is_archived(uuid) to @daemon@;
