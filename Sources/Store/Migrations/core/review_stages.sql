-- Review stages and the approvals given in them.
set local role @owner@;

-- Review stages: the approvals that a submission needs, in order, before it can be approved, per content type or
-- category group. Stages never change; a new plan archives them, and their approvals no longer count.
create table curation.review_stage (
    id uuid primary key default curation.uuid_v7(),
    type text constraint review_stage_type references curation.content_type (name),
    group_id uuid constraint review_stage_group references curation.entry (id),
    number smallint not null constraint review_stage_number check (number between 1 and 9),
    name text not null constraint review_stage_name check (name = btrim(name) and length(name) between 1 and 60),
    role text not null constraint review_stage_role check (role in ('curator', 'editor', 'publisher', 'administrator')),
    required_approvals smallint not null constraint review_stage_required_approvals check (required_approvals between 1 and 9),
    created_at timestamptz not null default clock_timestamp(),
    archived_at timestamptz,
    constraint review_stage_scope check (num_nonnulls(type, group_id) = 1)
);
create unique index review_stage_once on curation.review_stage (coalesce(type, group_id::text), number) where archived_at is null;
select ops.audit_changes('curation.review_stage');

-- Approvals of submissions in a review stage. Any later decision or undo invalidates them (version).
create table curation.submission_approval (
    id uuid primary key default curation.uuid_v7(),
    submission_id uuid not null constraint submission_approval_submission references curation.submission (id),
    stage_id uuid not null constraint submission_approval_stage references curation.review_stage (id),
    -- number of decisions on the submission at that time
    version integer not null,
    approved_by uuid not null constraint submission_approval_approved_by references ops.actor (id),
    role text,
    approved_at timestamptz not null default clock_timestamp(),
    undone_at timestamptz
);
create unique index submission_approval_once on curation.submission_approval (submission_id, version, approved_by)
    where undone_at is null;
create index submission_approval_by_submission on curation.submission_approval (submission_id, version);
select ops.audit_changes('curation.submission_approval');
create trigger allowed before insert on curation.submission_approval
    for each row execute function curation.check_submission_approval();

grant select, insert, update on curation.review_stage, curation.submission_approval to @daemon@;

reset role;
