-- Makes the schemas, the extensions and the few functions that everything else uses.
-- Roles are made before the first migration; @owner@, @daemon@, @delivery@, @reader@ and @guest@ stand for their names.
create extension if not exists pg_trgm;
create extension if not exists unaccent;

create schema curation authorization @owner@;
create schema ops authorization @owner@;
create schema projection authorization @owner@;
create schema delivery authorization @owner@;
create schema api_v1 authorization @owner@;

set local role @owner@;

-- A UUID of version 7: the first 48 bits are the milliseconds of the database clock, so ids sort by age.
create function curation.uuid_v7() returns uuid language sql volatile parallel safe as $$
    select encode(
        set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid())
                placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
                from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

-- Refuses with a named constraint, so that a rule held by a function reads like one held by a CHECK.
create function curation.refuse(rule text, message text) returns void language plpgsql as $$
begin
    raise exception using errcode = 'check_violation', constraint = rule, message = message;
end $$;

grant usage on schema curation, ops, projection, delivery, api_v1 to @daemon@;
grant usage on schema delivery to @delivery@;
grant usage on schema api_v1 to @reader@, @guest@;

reset role;
