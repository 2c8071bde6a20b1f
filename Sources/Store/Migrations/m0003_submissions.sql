-- What people send in, the queue of what awaits a decision, and the decisions.
set local role @owner@;

-- The process rules of each content type; its shape is in Config/content-types.
create table curation.content_type (
    name text primary key constraint content_type_name check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
    kind text not null constraint content_type_kind check (kind ~ '^[a-z][a-z0-9_]{0,62}$'),
    consents integer not null default 1 constraint content_type_required_approvals check (consents between 1 and 9),
    four_eyes boolean not null default false
);

create table curation.submission (
    id uuid primary key,
    type text not null constraint submission_type references curation.content_type (name),
    client_id uuid not null constraint submission_client references ops.actor (id),
    contributor text constraint submission_contributor check (length(contributor) between 1 and 200),
    title text not null,
    requested_category text constraint submission_requested_category check (length(requested_category) between 1 and 200),
    fields jsonb not null,
    received jsonb not null,
    source text not null constraint submission_source check (source in ('api', 'import', 'desk')),
    source_url text,
    idempotency_key text constraint submission_idempotency_key check (length(idempotency_key) between 1 and 255),
    request_hash bytea not null constraint submission_request_hash check (length(request_hash) = 32),
    received_at timestamptz not null default clock_timestamp(),
    constraint submission_once unique (client_id, idempotency_key)
);

create table curation.queue_item (
    submission_id uuid primary key constraint queue_item_submission references curation.submission (id),
    type text not null,
    client_id uuid not null,
    title text not null,
    requested_category text,
    received_at timestamptz not null,
    claimed_by uuid constraint queue_item_claimed_by references ops.actor (id),
    claimed_until timestamptz,
    -- What a search looks at, for rows that are not found by the index too. The words of so much of a title always fit into
    -- a row of a B-tree.
    words tsvector not null generated always as (to_tsvector('simple', left(title, 230))) stored,
    constraint queue_item_claim_complete check ((claimed_by is null) = (claimed_until is null))
);
create index queue_item_age on curation.queue_item (received_at, submission_id);
create index queue_item_type on curation.queue_item (type, received_at, submission_id);
create index queue_item_client on curation.queue_item (client_id, received_at, submission_id);
create index queue_item_claimed on curation.queue_item (claimed_by, received_at, submission_id) where claimed_by is not null;
-- What is added is put in order often and little by little: a large pending list stops one unlucky writer for long.
create index queue_item_search on curation.queue_item using gin (words)
    with (fastupdate = on, gin_pending_list_limit = 128);

create table curation.decision (
    id uuid primary key default curation.uuid_v7(),
    submission_id uuid not null constraint decision_submission references curation.submission (id),
    number integer not null constraint decision_number check (number > 0),
    verdict text not null constraint decision_verdict check (verdict in ('approve', 'reject', 'request_changes', 'duplicate', 'undo')),
    reason text,
    message text,
    undoes uuid constraint decision_undoes references curation.decision (id),
    decided_by uuid not null constraint decision_decided_by references ops.actor (id),
    decider_role text,
    decided_at timestamptz not null default clock_timestamp(),
    constraint decision_once unique (submission_id, number),
    constraint decision_undone_once unique (undoes),
    constraint decision_undo_names_what check ((verdict = 'undo') = (undoes is not null)),
    constraint decision_reject_has_reason check (verdict <> 'reject' or reason is not null),
    constraint decision_request_changes_has_message check (verdict <> 'request_changes' or length(message) > 0)
);
create index decision_recent on curation.decision (decided_by, decided_at desc);

-- The state of a submission is its latest decision, or pending.
create function curation.submission_state(submission uuid) returns text language sql stable as $$
    select coalesce((
        select case d.verdict when 'approve' then 'approved' when 'reject' then 'rejected' when 'request_changes' then 'changes_requested'
                              when 'duplicate' then 'duplicate' else 'pending' end
        from curation.decision d where d.submission_id = submission order by d.number desc limit 1), 'pending')
$$;

create trigger audited after insert on curation.submission referencing new table as changed
    for each statement execute function ops.require_audit_of_rows();
select ops.govern('curation.decision');

grant select, insert, update on curation.content_type to @daemon@;
grant select, insert on curation.submission, curation.decision to @daemon@;
grant select, insert, update, delete on curation.queue_item to @daemon@;

reset role;
