-- The contributor's side of a submission: an address to write to, answers, an appeal, and what is told of each decision.
set local role @owner@;

-- Where its contributor wants to hear of it; never shown to applications.
alter table curation.submission
    add column contributor_email text constraint submission_contributor_email
        check (contributor_email ~ '^[!-?A-~]{1,64}@[a-z0-9.-]+$' and length(contributor_email) <= 254);

-- What a contributor does stands among the decisions: each of them puts the submission back into the queue. An answer names
-- the return, an appeal the rejection that it is about, and each of these is answered once.
alter table curation.decision
    drop constraint decision_verdict,
    add constraint decision_verdict
        check (verdict in ('approve', 'reject', 'request_changes', 'duplicate', 'undo', 'resubmit', 'appeal')),
    add column answers uuid constraint decision_resubmits references curation.decision (id),
    add constraint decision_resubmitted_once unique (answers),
    add constraint decision_resubmit_names_what check ((verdict in ('resubmit', 'appeal')) = (answers is not null)),
    add constraint decision_appeal_has_text check (verdict <> 'appeal' or message is not null and message ~ '\S');
create unique index decision_one_appeal on curation.decision (submission_id) where verdict = 'appeal';

-- Whether this decider rejected what an appeal is about: somebody else decides then, or an administrator. What is done at the
-- command line is the operator's.
create function curation.rejected_before(p_submission uuid, p_decider uuid, p_role text) returns boolean
language sql stable as $$
    select p_role is distinct from 'administrator' and exists (
        select from curation.decision a join curation.decision r on r.id = a.answers
        join ops.actor d on d.id = r.decided_by and d.kind <> 'system'
        where a.submission_id = p_submission and a.verdict = 'appeal' and r.decided_by = p_decider)
$$;
create function curation.decision_appeal() returns trigger language plpgsql as $$
begin
    if curation.rejected_before(new.submission_id, new.decided_by, new.decider_role) then
        perform curation.refuse('decision_appeal_by_another', 'whoever rejected this does not decide the appeal');
    end if;
    return new;
end $$;
create trigger appeal before insert on curation.decision
    for each row when (new.verdict in ('approve', 'reject', 'request_changes', 'duplicate')) execute function curation.decision_appeal();

-- What came with an answer. The first version is the submission itself, which never changes.
create table curation.submission_version (
    decision_id uuid primary key constraint submission_version_decision references curation.decision (id),
    submission_id uuid not null constraint submission_version_submission references curation.submission (id),
    number integer not null constraint submission_version_number check (number >= 2),
    title text not null,
    fields jsonb not null,
    received jsonb not null,
    sent_at timestamptz not null default clock_timestamp(),
    constraint submission_version_once unique (submission_id, number)
);
select ops.govern('curation.submission_version');

-- A status link follows from the submission, a key and this number: another number, and the old link opens nothing.
create table curation.status_link (
    submission_id uuid primary key constraint status_link_submission references curation.submission (id),
    edition integer not null constraint status_link_edition check (edition >= 2),
    replaced_at timestamptz not null default clock_timestamp()
);
select ops.govern('curation.status_link');

-- Why it is in the queue again.
alter table curation.queue_item
    add column reopened_by text constraint queue_item_reopened_by check (reopened_by in ('resubmit', 'appeal'));

-- What is told of each decision once its grace time is over: one row a decision, so that it is told once.
create table ops.outcome (
    decision_id uuid primary key,
    submission_id uuid not null,
    decided_at timestamptz not null,
    state text not null default 'waiting' constraint outcome_state
        check (state in ('waiting', 'told', 'no_address', 'no_text', 'superseded')),
    finished_at timestamptz,
    constraint outcome_finished check ((state = 'waiting') = (finished_at is null))
);
create index outcome_due on ops.outcome (decided_at, decision_id) where state = 'waiting';
create index outcome_submission on ops.outcome (submission_id, decided_at desc);

alter table ops.mail
    add column submission_id uuid,
    drop constraint mail_link,
    add constraint mail_link check (link in ('invitation', 'password_reset', 'status')),
    drop constraint mail_link_has_account,
    add constraint mail_link_has_account check (link is null or link = 'status' or account_id is not null),
    add constraint mail_status_has_submission check (link is distinct from 'status' or submission_id is not null);
create index mail_submission_id on ops.mail (submission_id) where submission_id is not null;

-- A later action on a submission takes the place of what was not told of it yet, and of a mail that nobody has tried to send.
create function ops.note_outcome() returns trigger language plpgsql as $$
begin
    update ops.outcome o set state = 'superseded', finished_at = clock_timestamp()
    from decided d where o.submission_id = d.submission_id and o.state = 'waiting';
    update ops.mail m set state = 'canceled', finished_at = clock_timestamp()
    from decided d where m.submission_id = d.submission_id and m.state = 'waiting' and m.attempts = 0;
    insert into ops.outcome (decision_id, submission_id, decided_at)
    select id, submission_id, decided_at from decided where verdict in ('approve', 'reject', 'request_changes');
    return null;
end $$;
create trigger outcome after insert on curation.decision referencing new table as decided
    for each statement execute function ops.note_outcome();

alter table ops.webhook
    drop constraint webhook_events,
    add constraint webhook_events check (cardinality(events) > 0 and events <@ array[
        'entry.published', 'entry.updated', 'entry.unpublished', 'release.failed', 'submission.decided']);

-- Tells webhooks of decisions: who sent what in is known to them by the submission's id.
create function ops.notify_decisions(p_decisions uuid[]) returns void language plpgsql as $$
begin
    insert into ops.webhook_delivery (webhook_id, type, body)
    select w.id, m.type, row_to_json(m)::text
    from (
        select 'submission.decided' as type, ops.webhook_time(d.decided_at) as timestamp,
            (select data from (select d.submission_id as submission, s.client_id as client, d.id as decision, d.verdict,
                curation.submission_state(d.submission_id) as state, d.reason, d.message) data) as data
        from curation.decision d join curation.submission s on s.id = d.submission_id
        where d.id = any (p_decisions)) m
    join ops.webhook w on w.state <> 'disabled' and m.type = any (w.events);
    if found then perform pg_notify('vitrine_webhook', ''); end if;
end $$;

-- The texts that are sent hold what the program fills in (as m0021_mail.sql).
alter table api_v1.text
    add constraint text_outcome_approved check (key <> 'mail.outcome_approved' or used <@ '{name,title,link}'),
    add constraint text_outcome_rejected
        check (key <> 'mail.outcome_rejected' or used @> '{reason}' and used <@ '{name,title,link,reason,message}'),
    add constraint text_outcome_changes_requested
        check (key <> 'mail.outcome_changes_requested' or used @> '{link}' and used <@ '{name,title,link,message}');

revoke execute on function curation.rejected_before(uuid, uuid, text), curation.decision_appeal(), ops.note_outcome(),
    ops.notify_decisions(uuid[]) from public;
grant execute on function curation.rejected_before(uuid, uuid, text), ops.notify_decisions(uuid[]) to @daemon@;
grant select, insert on curation.submission_version to @daemon@;
grant select, insert, update on curation.status_link to @daemon@;
grant select, insert, update, delete on ops.outcome to @daemon@;

reset role;
