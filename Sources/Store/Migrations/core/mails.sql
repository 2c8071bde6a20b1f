-- Outgoing mail.
set local role @owner@;

-- Outgoing mail, inserted in the transaction that causes it.
create table ops.mail (
    id uuid primary key default curation.uuid_v7(),
    -- the text from which it was rendered
    key text not null constraint mail_key check (key ~ '^mail\.[a-z][a-z0-9_.]*$'),
    recipient text not null constraint mail_recipient
        check (recipient ~ '^[!-?A-~]{1,64}@[a-z0-9.-]+$' and length(recipient) <= 254),
    account_id uuid constraint mail_account references ops.account (id),
    locale text not null,
    subject text not null constraint mail_subject check (subject ~ '\S' and subject !~ '[[:cntrl:]]' and length(subject) <= 500),
    body text not null constraint mail_body check (body ~ '\S' and length(body) <= 50000),
    -- The link is created when the mail is sent, so that no secret is stored; the character 1A marks its position in the body.
    link text constraint mail_link check (link in ('invitation', 'password_reset', 'status')),
    dedupe text not null constraint mail_once unique,
    state text not null default 'waiting' constraint mail_state check (state in ('waiting', 'sent', 'failed', 'canceled')),
    attempts integer not null default 0 constraint mail_attempts check (attempts >= 0),
    next_at timestamptz not null default clock_timestamp(),
    last_error text,
    created_at timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    submission_id uuid,
    constraint mail_link_has_placeholder check ((link is null) = (strpos(body, E'\x1a') = 0)),
    constraint mail_link_has_account check (link is null or link = 'status' or account_id is not null),
    constraint mail_status_has_submission check (link is distinct from 'status' or submission_id is not null),
    constraint mail_finished check ((state = 'waiting') = (finished_at is null)),
    constraint mail_failed_has_reason check (state <> 'failed' or last_error is not null)
);
create index mail_next on ops.mail (next_at, id) where state = 'waiting';
create index mail_account_id on ops.mail (account_id, id desc);
create index mail_finished_at on ops.mail (finished_at) where state <> 'waiting';
create index mail_submission_id on ops.mail (submission_id) where submission_id is not null;
create trigger notify after insert on ops.mail for each statement execute function ops.notify_mail();

grant select, insert, update, delete on ops.mail to @daemon@;

reset role;
