-- Messages to other servers: mails and webhook deliveries, with the log of delivery attempts.
set local role @owner@;

-- A message is inserted in the transaction that causes it, claimed with SKIP LOCKED and sent outside of a transaction.
create table ops.outbox_message (
    id uuid primary key default curation.uuid_v7(),
    -- null: a mail
    webhook_id uuid constraint outbox_message_webhook references ops.webhook (id) on delete cascade,
    body text not null constraint outbox_message_body check (case when webhook_id is null
        then body ~ '\S' and length(body) <= 50000 else length(body) < 20000 end),
    state text not null default 'waiting' constraint outbox_message_state check (state in ('waiting', 'failed')
        or webhook_id is null and state in ('sent', 'canceled') or webhook_id is not null and state = 'delivered'),
    attempts integer not null default 0 constraint outbox_message_attempts check (attempts >= 0),
    next_at timestamptz not null default clock_timestamp(),
    last_error text,
    created_at timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    constraint outbox_message_finished check ((state = 'waiting') = (finished_at is null)),
    constraint outbox_message_failed_has_reason check (state <> 'failed' or last_error is not null),

    -- Mails: the text from which it was rendered
    key text constraint mail_key check (key ~ '^mail\.[a-z][a-z0-9_.]*$'),
    recipient text constraint mail_recipient
        check (recipient ~ '^[!-?A-~]{1,64}@[a-z0-9.-]+$' and length(recipient) <= 254),
    account_id uuid constraint mail_account references ops.account (id),
    submission_id uuid,
    locale text,
    subject text constraint mail_subject check (subject ~ '\S' and subject !~ '[[:cntrl:]]' and length(subject) <= 500),
    -- The link is created when the mail is sent, so that no secret is stored; the character 1A marks its position in the body.
    link text constraint mail_link check (link in ('invitation', 'password_reset', 'status')),
    dedupe text constraint mail_once unique,
    constraint mail_link_has_placeholder check (webhook_id is not null or (link is null) = (strpos(body, E'\x1a') = 0)),
    constraint mail_link_has_account check (link is null or link = 'status' or account_id is not null),
    constraint mail_status_has_submission check (link is distinct from 'status' or submission_id is not null),

    -- Webhook deliveries: those about one entry are sent in the order of publications
    type text,
    publication bigint,
    entry_id uuid,
    constraint webhook_delivery_once unique (webhook_id, entry_id, publication),
    constraint webhook_delivery_order check ((publication is null) = (entry_id is null)),

    constraint outbox_message_kind check (case when webhook_id is null
        then num_nonnulls(key, recipient, locale, subject, dedupe) = 5 and num_nonnulls(type, publication, entry_id) = 0
        else type is not null
            and num_nonnulls(key, recipient, account_id, submission_id, locale, subject, link, dedupe) = 0 end)
);
create index outbox_message_next on ops.outbox_message (webhook_id, next_at, id) where state = 'waiting';
create index outbox_message_log on ops.outbox_message (webhook_id, id desc);
create index outbox_message_failed on ops.outbox_message (id) where state = 'failed';
create index outbox_message_finished_at on ops.outbox_message (finished_at) where state <> 'waiting';
create index mail_account_id on ops.outbox_message (account_id, id desc) where account_id is not null;
create index mail_submission_id on ops.outbox_message (submission_id) where submission_id is not null;
create trigger notify after insert on ops.outbox_message referencing new table as added
    for each statement execute function ops.notify_outbox();

-- Delivery attempts.
create table ops.webhook_attempt (
    id bigint generated always as identity primary key,
    delivery_id uuid not null constraint webhook_attempt_delivery references ops.outbox_message (id) on delete cascade,
    webhook_id uuid not null,
    started_at timestamptz not null,
    duration_ms integer not null,
    status integer,
    response text not null default '' constraint webhook_attempt_response check (length(response) <= 1024),
    error text,
    delivered boolean not null
);
create index webhook_attempt_delivery on ops.webhook_attempt (delivery_id, id);
create index webhook_attempt_health on ops.webhook_attempt (webhook_id, delivered, started_at desc);

grant select, insert, update, delete on ops.outbox_message, ops.webhook_attempt to @daemon@;

reset role;
