-- Proof: that somebody is who they say (second factor), and that what was done can be shown later.
set local role @owner@;

-- What an authenticator app and we share, sealed with a key that is not in the database. Asked for at the sign-in as soon as
-- one code has confirmed it.
create table ops.second_factor (
    account_id uuid primary key constraint second_factor_account references ops.account (id),
    sealed_secret bytea not null constraint second_factor_sealed_secret check (length(sealed_secret) between 41 and 200),
    -- the newest step of 30 seconds whose code was taken
    last_step bigint not null default 0 constraint second_factor_last_step check (last_step >= 0),
    begun_at timestamptz not null default clock_timestamp(),
    confirmed_at timestamptz,
    constraint second_factor_confirmed_by_code check (confirmed_at is null or last_step > 0)
);

-- No code twice, and none from before the newest; once it is confirmed nothing else about it changes.
create function ops.take_step_once() returns trigger language plpgsql as $$
begin
    if new.last_step <= old.last_step or new.sealed_secret <> old.sealed_secret then
        perform curation.refuse('second_factor_step_once', 'this code was used before');
    end if;
    return new;
end $$;
create trigger take_step_once before update on ops.second_factor for each row
    when (old.confirmed_at is not null) execute function ops.take_step_once();

-- For who has lost the app: each lets in once.
create table ops.recovery_code (
    account_id uuid not null constraint recovery_code_account references ops.second_factor (account_id) on delete cascade,
    code_hash bytea not null constraint recovery_code_hash check (length(code_hash) = 32),
    used_at timestamptz,
    primary key (account_id, code_hash)
);

select ops.govern('ops.second_factor');
select ops.govern('ops.recovery_code');

-- Between the password and the code stands a link that is good for nothing but the code.
alter table ops.sign_in_link drop constraint sign_in_link_purpose, add constraint sign_in_link_purpose
    check (purpose in ('sign_in', 'invitation', 'password_reset', 'second_factor'));

-- While a client changes over to a new secret, the one before goes on for a chosen time.
alter table delivery.client
    add column old_secret_hash bytea constraint client_old_secret_hash check (length(old_secret_hash) = 32),
    add column old_until timestamptz,
    add column per_minute integer constraint client_per_minute check (per_minute between 1 and 1000000),
    add constraint client_old_secret_ends check ((old_secret_hash is null) = (old_until is null));

-- When a client last came in, and when with the secret before: noted every few minutes, and of no more weight than a log.
create table ops.client_use (
    client_id uuid primary key constraint client_use_client references delivery.client (id),
    used_at timestamptz not null,
    old_used_at timestamptz
);

revoke execute on function ops.take_step_once() from public;
grant select, insert, update, delete on ops.second_factor, ops.recovery_code to @daemon@;
grant select, insert, update on ops.client_use to @daemon@;

reset role;
