-- Decisions on submissions, resubmitted content, and the notification of contributors.
set local role @owner@;

-- Decisions on submissions, in order. Resubmissions and appeals are decisions too: they return the submission to the
-- queue and reference the decision that they respond to. A duplicate references exactly one original: a submission or
-- an entry.
create table curation.decision (
    id uuid primary key default curation.uuid_v7(),
    submission_id uuid not null constraint decision_submission references curation.submission (id),
    number integer not null constraint decision_number check (number > 0),
    verdict text not null constraint decision_verdict
        check (verdict in ('approve', 'reject', 'request_changes', 'duplicate', 'undo', 'resubmit', 'appeal')),
    reason text,
    message text,
    undoes uuid constraint decision_undoes references curation.decision (id),
    decided_by uuid not null constraint decision_decided_by references ops.actor (id),
    decider_role text,
    decided_at timestamptz not null default clock_timestamp(),
    original_submission_id uuid constraint decision_original_submission references curation.submission (id),
    original_entry_id uuid constraint decision_original_entry references curation.entry (id),
    bulk_action_id uuid constraint decision_bulk_action references curation.bulk_action (id),
    -- priority and assignee of the queue item, if not the defaults, for undo
    triage jsonb,
    -- the decision that a resubmission or an appeal responds to
    resubmits uuid constraint decision_resubmits references curation.decision (id),
    constraint decision_once unique (submission_id, number),
    constraint decision_undone_once unique (undoes),
    constraint decision_undo_names_decision check ((verdict = 'undo') = (undoes is not null)),
    constraint decision_reject_has_reason check (verdict <> 'reject' or reason is not null),
    constraint decision_request_changes_has_message check (verdict <> 'request_changes' or length(message) > 0),
    constraint decision_duplicate_names_original check (
        num_nonnulls(original_submission_id, original_entry_id) = case when verdict = 'duplicate' then 1 else 0 end),
    constraint decision_resubmitted_once unique (resubmits),
    constraint decision_resubmit_names_decision check ((verdict in ('resubmit', 'appeal')) = (resubmits is not null)),
    constraint decision_appeal_has_text check (verdict <> 'appeal' or message is not null and message ~ '\S')
);
create index decision_recent on curation.decision (decided_by, decided_at desc);
create index decision_by_bulk_action on curation.decision (bulk_action_id) where bulk_action_id is not null;
create index decision_by_original on curation.decision (original_submission_id) where original_submission_id is not null;
create unique index decision_one_appeal on curation.decision (submission_id) where verdict = 'appeal';
select ops.audit_changes('curation.decision');
create trigger original before insert on curation.decision
    for each row when (new.verdict = 'duplicate') execute function curation.check_duplicate();
create trigger appeal before insert on curation.decision
    for each row when (new.verdict in ('approve', 'reject', 'request_changes', 'duplicate')) execute function curation.check_appeal();
create trigger outcome after insert on curation.decision referencing new table as decided
    for each statement execute function ops.record_outcome();
create constraint trigger approvals after insert on curation.decision deferrable initially deferred
    for each row when (new.verdict = 'approve') execute function curation.check_stage_approvals();
create trigger within_scope before insert on curation.decision for each row execute function ops.check_decision_scope();

-- The content of resubmissions. Version 1 is the submission itself.
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
select ops.audit_changes('curation.submission_version');

-- Notifications to contributors, one per decision, sent after the undo window. The primary key ensures that each
-- decision is reported once.
create table ops.outcome (
    decision_id uuid primary key,
    submission_id uuid not null,
    decided_at timestamptz not null,
    state text not null default 'waiting' constraint outcome_state
        check (state in ('waiting', 'notified', 'no_email', 'no_text', 'superseded')),
    finished_at timestamptz,
    constraint outcome_finished check ((state = 'waiting') = (finished_at is null))
);
create index outcome_due on ops.outcome (decided_at, decision_id) where state = 'waiting';
create index outcome_submission on ops.outcome (submission_id, decided_at desc);

grant select, insert on curation.decision, curation.submission_version to @daemon@;
grant select, insert, update, delete on ops.outcome to @daemon@;

reset role;
