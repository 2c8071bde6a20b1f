-- Trigger functions of accounts.

-- Whether a role has a permission; no role has none.
create or replace function ops.role_has(p_role text, p_permission text) returns boolean language plpgsql stable as $$
begin
    return exists (select from ops.role r where r.name = p_role and p_permission = any(r.permissions));
end $$;

-- Whether a role has all permissions of another: who has it may do what is assigned to the other.
create or replace function ops.role_includes(p_role text, p_other text) returns boolean language sql stable as $$
    select exists (
        select from ops.role r join ops.role o on o.name = p_other and r.permissions @> o.permissions where r.name = p_role)
$$;

-- Keeps at least one active administrator without an access scope when an account or a role changes. Changes that could
-- remove one wait for each other.
create or replace function ops.require_administrator() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if tg_table_name = 'account' then
        if not ops.role_has(old.role, 'administer') then return null; end if;
    end if;
    perform pg_advisory_xact_lock(hashtextextended('ops.require_administrator', 0));
    -- Sees what others have committed while this one waited.
    if not exists (
        select from ops.account a where a.disabled_at is null and a.types is null and a.groups is null
            and ops.role_has(a.role, 'administer')) then
        perform curation.refuse('account_last_administrator',
            'the last administrator cannot be disabled or restricted, or change role');
    end if;
    return null;
end $$;

create or replace function ops.keep_preset_role() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    perform curation.refuse('role_preset', 'this role is part of the program');
    return null;
end $$;

-- Refuses a code that was used before or is older than the last one. A confirmed second factor cannot change otherwise.
create or replace function ops.require_unused_step() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if new.last_step <= old.last_step or new.sealed_secret <> old.sealed_secret then
        perform curation.refuse('second_factor_step_once', 'this code was already used');
    end if;
    return new;
end $$;
