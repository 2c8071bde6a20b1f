-- Reports: what readers report about published entries, gathered in one open case for each entry.
set local role @owner@;

alter table delivery.client drop constraint client_scopes,
    add constraint client_scopes
        check (scopes <@ array['submit', 'review', 'report', 'read-guest', 'read-full'] and cardinality(scopes) > 0);

-- The reports of one entry, until somebody decides them. Later reports open another case.
create table curation.report_case (
    id uuid primary key default curation.uuid_v7(),
    entry_id uuid not null constraint report_case_entry references curation.entry (id),
    -- what was published when the first report arrived
    revision_id uuid not null constraint report_case_revision references curation.revision (id),
    opened_at timestamptz not null default clock_timestamp(),
    outcome text constraint report_case_outcome check (outcome in ('no_action', 'edit', 'unpublish', 'block')),
    note text constraint report_case_note check (note ~ '\S' and length(note) <= 2000),
    decided_by uuid constraint report_case_decided_by references ops.actor (id),
    decided_at timestamptz,
    constraint report_case_decided check (num_nulls(outcome, note, decided_by, decided_at) in (0, 4))
);
create unique index report_case_open on curation.report_case (entry_id) where decided_at is null;
create index report_case_of_entry on curation.report_case (entry_id, id);
create index report_case_decided_at on curation.report_case (decided_at desc, id desc) where decided_at is not null;

create table curation.report (
    id uuid primary key,
    case_id uuid not null constraint report_in_case references curation.report_case (id),
    entry_id uuid not null constraint report_entry references curation.entry (id),
    client_id uuid not null constraint report_client references ops.actor (id),
    -- a reference that the app vouches for, like that of a contributor; null for an anonymous report
    reporter text constraint report_reporter check (length(reporter) between 1 and 200),
    -- erased once the reporter was notified
    reporter_email text constraint report_reporter_email
        check (reporter_email ~ '^[!-?A-~]{1,64}@[a-z0-9.-]+$' and length(reporter_email) <= 254),
    reporter_locale text constraint report_reporter_locale
        check (reporter_locale ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,4}){0,2}$'),
    reason text not null constraint report_reason
        check (reason in ('spam', 'inaccurate', 'offensive', 'illegal', 'copyright', 'other')),
    text text not null default '' constraint report_text check (length(text) <= 2000),
    idempotency_key text constraint report_idempotency_key check (length(idempotency_key) between 1 and 255),
    request_hash bytea not null constraint report_request_hash check (length(request_hash) = 32),
    received_at timestamptz not null default clock_timestamp(),
    -- the data of the reporter was erased
    erased_at timestamptz,
    -- A reporter counts once for each entry, an anonymous report always.
    constraint report_once unique (client_id, reporter, entry_id),
    constraint report_request_once unique (client_id, idempotency_key),
    constraint report_erased check (erased_at is null
        or num_nonnulls(reporter, reporter_email, reporter_locale, idempotency_key) = 0 and text = '')
);
create index report_by_reason on curation.report (case_id, reason);
create index report_in_order on curation.report (case_id, id);
create index report_email on curation.report (received_at) where reporter_email is not null;

-- Reports come from clients with the scope "report". A repeated one inserts no row and needs no audit event. Only
-- the functions that erase, which check who may, change one.
select ops.govern('curation.report', '', 'none');
create or replace trigger audited after insert on curation.report referencing new table as changed
    for each statement execute function ops.require_audit_for_rows('report', 'none');
create trigger author after insert on curation.report referencing new table as added
    for each statement execute function ops.check_senders();
create trigger contributors after insert on curation.report referencing new table as added
    for each statement execute function curation.record_reporters();

select ops.govern('curation.report_case', 'decide', 'entry', 'entry_id');
create or replace trigger audited before update or delete on curation.report_case
    for each statement execute function ops.require_audit('decide', 'entry', 'entry_id');
create trigger opened after insert on curation.report_case referencing new table as changed
    for each statement execute function ops.require_audit_for_rows('report,decide');
create trigger author before insert or update on curation.report_case
    for each row when (new.decided_by is not null) execute function ops.check_author('decided_by');
create trigger decided before update on curation.report_case
    for each row when (old.decided_at is not null) execute function curation.refuse_second_decision();
create trigger outcome after update on curation.report_case
    for each row when (old.decided_at is null and new.decided_at is not null) execute function ops.record_report_outcomes();

-- A notification is about a decision on a submission, or about a report.
alter table ops.outcome alter column submission_id drop not null, add column report_id uuid,
    add constraint outcome_subject check (num_nonnulls(submission_id, report_id) = 1);
create index outcome_report on ops.outcome (report_id) where report_id is not null;

alter table ops.webhook drop constraint webhook_events,
    add constraint webhook_events check (cardinality(events) > 0 and events <@ array[
        'entry.published', 'entry.updated', 'entry.unpublished', 'release.failed', 'submission.decided', 'report.decided']);
alter table api_v1.text add constraint text_report_decided
    check (key <> 'mail.report_decided' or used @> '{outcome}' and used <@ '{name,title,outcome}');

grant select, insert on curation.report to @daemon@;
grant select, insert on curation.report_case to @daemon@;
grant update (outcome, note, decided_by, decided_at) on curation.report_case to @daemon@;

reset role;
