-- Mail: what is to be sent to people, written in the transaction of the action that causes it; and the people it invites.
set local role @owner@;

-- The language in which a person is written to, and when they were last invited. Invited is who has no password yet.
alter table ops.account
    add column locale text not null default 'en'
        constraint account_locale check (locale ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'),
    add column invited_at timestamptz;

-- Somebody must be left who can let others in. Whoever takes an administrator away waits for the others who do.
create function ops.require_administrator() returns trigger language plpgsql as $$
begin
    perform from ops.account where role = 'administrator' and disabled_at is null order by id for update;
    if not exists (
        select from ops.account where role = 'administrator' and disabled_at is null and id <> old.id) then
        perform curation.refuse('account_last_administrator', 'the last administrator');
    end if;
    return new;
end $$;
create trigger require_administrator before update of role, disabled_at on ops.account for each row
    when (old.role = 'administrator' and old.disabled_at is null
        and (new.role <> 'administrator' or new.disabled_at is not null))
    execute function ops.require_administrator();

-- A name for each session that is no secret, by which it can be ended.
alter table ops.session add column id uuid not null default curation.uuid_v7() constraint session_id_once unique;

-- One kind of link for all that a person does once: sign in, accept an invitation, choose a new password.
alter table ops.sign_in_link
    add column purpose text not null default 'sign_in'
        constraint sign_in_link_purpose check (purpose in ('sign_in', 'invitation', 'password_reset'));
create index sign_in_link_account_id on ops.sign_in_link (account_id);

create table ops.mail (
    id uuid primary key default curation.uuid_v7(),
    -- the text that it was rendered from
    key text not null constraint mail_key check (key ~ '^mail\.[a-z][a-z0-9_.]*$'),
    recipient text not null constraint mail_recipient
        check (recipient ~ '^[!-?A-~]{1,64}@[a-z0-9.-]+$' and length(recipient) <= 254),
    account_id uuid constraint mail_account references ops.account (id),
    locale text not null,
    subject text not null constraint mail_subject check (subject ~ '\S' and subject !~ '[[:cntrl:]]' and length(subject) <= 500),
    body text not null constraint mail_body check (body ~ '\S' and length(body) <= 50000),
    -- The link that is made when it is sent, so that no secret waits in here; the character 1A keeps its place in the body.
    link text constraint mail_link check (link in ('invitation', 'password_reset')),
    dedupe text not null constraint mail_once unique,
    state text not null default 'waiting' constraint mail_state check (state in ('waiting', 'sent', 'failed', 'canceled')),
    attempts integer not null default 0 constraint mail_attempts check (attempts >= 0),
    next_at timestamptz not null default clock_timestamp(),
    last_error text,
    created_at timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    constraint mail_link_has_place check ((link is null) = (strpos(body, E'\x1a') = 0)),
    constraint mail_link_has_account check (link is null or account_id is not null),
    constraint mail_finished check ((state = 'waiting') = (finished_at is null)),
    constraint mail_failed_has_reason check (state <> 'failed' or last_error is not null)
);
create index mail_next on ops.mail (next_at, id) where state = 'waiting';
create index mail_account_id on ops.mail (account_id, id desc);
create index mail_finished_at on ops.mail (finished_at) where state <> 'waiting';

create function ops.notify_mail() returns trigger language plpgsql as $$
begin
    perform pg_notify('vitrine_mail', '');
    return null;
end $$;
create trigger tell after insert on ops.mail for each statement execute function ops.notify_mail();

-- What failed by the clock is told to those who may publish: by a job, which renders the mail. Its own failure tells nothing.
create function ops.notify_failed_task() returns trigger language plpgsql as $$
begin
    insert into ops.task (kind, payload)
    values ('notify_failure', jsonb_build_object('task', new.kind, 'reason', left(new.last_error, 500),
        'at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD')));
    return null;
end $$;
create trigger notify_failed after update of state on ops.task for each row
    when (new.state = 'failed' and old.state <> 'failed' and new.kind <> 'notify_failure')
    execute function ops.notify_failed_task();

create function ops.notify_failed_release() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    insert into ops.task (kind, payload)
    values ('notify_failure', jsonb_build_object('release', new.number, 'title', new.title, 'reason', left(new.failure, 500)));
    return null;
end $$;
create trigger notify_failed after update of state on curation.release for each row
    when (new.state = 'failed' and old.state <> 'failed')
    execute function ops.notify_failed_release();

-- The texts that the program itself sends hold what it fills in, whatever their own list of placeholders says (B21, B60).
alter table api_v1.text
    add constraint text_invitation check (key <> 'mail.invitation' or used @> '{name,link}' and used <@ '{name,link}'),
    add constraint text_password_reset check (key <> 'mail.password_reset' or used @> '{link}' and used <@ '{name,link}'),
    add constraint text_release_failed check (key <> 'mail.release_failed' or used @> '{reason}' and used <@ '{name,title,reason,link}');

revoke execute on function ops.require_administrator(), ops.notify_mail(), ops.notify_failed_task(), ops.notify_failed_release() from public;
grant select, insert, update, delete on ops.mail to @daemon@;

reset role;
