-- Trigger functions of accounts.

-- Keeps at least one active administrator. Concurrent changes of administrators wait for each other.
create or replace function ops.require_administrator() returns trigger language plpgsql as $$
begin
    perform from ops.account where role = 'administrator' and disabled_at is null order by id for update;
    if not exists (
        select from ops.account where role = 'administrator' and disabled_at is null and id <> old.id) then
        perform curation.refuse('account_last_administrator', 'the last administrator cannot be disabled or change role');
    end if;
    return new;
end $$;

-- Refuses a code that was used before or is older than the last one. A confirmed second factor cannot change otherwise.
create or replace function ops.require_unused_step() returns trigger language plpgsql as $$
begin
    if new.last_step <= old.last_step or new.sealed_secret <> old.sealed_secret then
        perform curation.refuse('second_factor_step_once', 'this code was already used');
    end if;
    return new;
end $$;
