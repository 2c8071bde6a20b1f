-- Accounts, their sessions, sign-in links and second factors.
set local role @owner@;

create table ops.account (
    id uuid primary key constraint account_actor references ops.actor (id),
    email text not null constraint account_email check (email = lower(email) and email ~ '^[^@\s]+@[^@\s]+$' and length(email) <= 254),
    role text not null constraint account_role check (role in ('curator', 'editor', 'publisher', 'administrator')),
    -- null until an invited person has set one
    password_hash text,
    disabled_at timestamptz,
    created_at timestamptz not null default now(),
    -- language of mails to this person
    locale text not null default 'en'
        constraint account_locale check (locale ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'),
    invited_at timestamptz,
    -- access scope: content types and category groups; null for all
    types text[] constraint account_types check (cardinality(types) > 0),
    groups uuid[] constraint account_groups check (cardinality(groups) > 0),
    constraint account_email_once unique (email)
);
create index account_restricted on ops.account (id) where types is not null or groups is not null;
select ops.audit_changes('ops.account');
create trigger require_administrator before update of role, disabled_at on ops.account for each row
    when (old.role = 'administrator' and old.disabled_at is null
        and (new.role <> 'administrator' or new.disabled_at is not null))
    execute function ops.require_administrator();

create table ops.session (
    token_hash bytea primary key constraint session_token_hash check (length(token_hash) = 32),
    account_id uuid not null constraint session_account references ops.account (id),
    csrf text not null constraint session_csrf check (length(csrf) >= 22),
    remote_address text not null default '',
    user_agent text not null default '',
    created_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    expires_at timestamptz not null,
    -- public name of the session, by which it can be revoked
    id uuid not null default curation.uuid_v7() constraint session_id_once unique,
    constraint session_expires_later check (expires_at > created_at)
);
create index session_account_id on ops.session (account_id);
create index session_expires_at on ops.session (expires_at);

-- Single-use links that expire: sign-in, invitation, password reset, and the step between password and second factor.
create table ops.sign_in_link (
    token_hash bytea primary key constraint sign_in_link_token_hash check (length(token_hash) = 32),
    account_id uuid not null constraint sign_in_link_account references ops.account (id),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz,
    purpose text not null default 'sign_in'
        constraint sign_in_link_purpose check (purpose in ('sign_in', 'invitation', 'password_reset', 'second_factor')),
    constraint sign_in_link_expires_later check (expires_at > created_at)
);
create index sign_in_link_account_id on ops.sign_in_link (account_id);

-- Failed sign-ins per account name and per remote address. Stored here so that a restart does not reset the limits.
create table ops.sign_in_failure (
    subject text not null,
    failed_at timestamptz not null default clock_timestamp()
);
create index sign_in_failure_subject on ops.sign_in_failure (subject, failed_at);

-- The secret shared with an authenticator app, encrypted with a key that is not in the database. It is required at
-- sign-in once a code has confirmed it.
create table ops.second_factor (
    account_id uuid primary key constraint second_factor_account references ops.account (id),
    sealed_secret bytea not null constraint second_factor_sealed_secret check (length(sealed_secret) between 41 and 200),
    -- the newest 30-second step whose code was accepted
    last_step bigint not null default 0 constraint second_factor_last_step check (last_step >= 0),
    created_at timestamptz not null default clock_timestamp(),
    confirmed_at timestamptz,
    constraint second_factor_confirmed_by_code check (confirmed_at is null or last_step > 0)
);
select ops.audit_changes('ops.second_factor');
create trigger require_unused_step before update on ops.second_factor for each row
    when (old.confirmed_at is not null) execute function ops.require_unused_step();

-- Single-use codes for people who lost their authenticator app.
create table ops.recovery_code (
    account_id uuid not null constraint recovery_code_account references ops.second_factor (account_id) on delete cascade,
    code_hash bytea not null constraint recovery_code_hash check (length(code_hash) = 32),
    used_at timestamptz,
    primary key (account_id, code_hash)
);
select ops.audit_changes('ops.recovery_code');

grant select, insert, update on ops.account to @daemon@;
grant select, insert, update, delete on ops.session, ops.sign_in_link, ops.sign_in_failure, ops.second_factor,
    ops.recovery_code to @daemon@;

reset role;
