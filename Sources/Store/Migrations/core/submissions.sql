-- Content types and submissions.
set local role @owner@;

-- Process rules of each content type, copied from Config/content-types, where its fields are defined.
create table curation.content_type (
    name text primary key constraint content_type_name check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
    kind text not null constraint content_type_kind check (kind ~ '^[a-z][a-z0-9_]{0,62}$'),
    required_approvals integer not null default 1 constraint content_type_required_approvals check (required_approvals between 1 and 9),
    four_eyes boolean not null default false,
    -- fields that no reader gets
    internal_fields text[] not null default '{}'
);

-- Submissions as received. Rows never change.
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
    -- where and in which language the contributor is notified; never visible to API clients
    contributor_email text constraint submission_contributor_email
        check (contributor_email ~ '^[!-?A-~]{1,64}@[a-z0-9.-]+$' and length(contributor_email) <= 254),
    contributor_locale text constraint submission_contributor_locale
        check (contributor_locale ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,4}){0,2}$'),
    constraint submission_once unique (client_id, idempotency_key)
);
-- Repeated submissions insert no row and need no audit event.
create trigger audited after insert on curation.submission referencing new table as changed
    for each statement execute function ops.require_audit_for_rows();

-- Edition of a contributor's status link. The link is derived from the submission, a key and this number, so increasing
-- it invalidates older links.
create table curation.status_link (
    submission_id uuid primary key constraint status_link_submission references curation.submission (id),
    edition integer not null constraint status_link_edition check (edition >= 2),
    replaced_at timestamptz not null default clock_timestamp()
);
select ops.audit_changes('curation.status_link');

grant select, insert, update on curation.content_type, curation.status_link to @daemon@;
grant select, insert on curation.submission to @daemon@;

reset role;
