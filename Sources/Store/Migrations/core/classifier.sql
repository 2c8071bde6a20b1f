-- The external classifier: what it answered about submissions, and its budget and breaker, which all daemons share.
set local role @owner@;

-- One row for each submission that it is asked about. A resubmission replaces it.
create table curation.classification (
    submission_id uuid primary key constraint classification_submission references curation.submission (id),
    -- identifies the question to the service, the same at each attempt
    message_id uuid not null default curation.uuid_v7(),
    state text not null default 'waiting'
        constraint classification_state check (state in ('waiting', 'scored', 'failed', 'skipped')),
    attempts smallint not null default 0 constraint classification_attempts check (attempts >= 0),
    next_at timestamptz not null default clock_timestamp(),
    -- of what is sent about the content, and of the URL
    content_hash bytea constraint classification_content_hash check (length(content_hash) = 32),
    -- a daemon waits for an answer until then
    asked_until timestamptz,
    score smallint constraint classification_score check (score between 0 and 100),
    reasons jsonb constraint classification_reasons
        check (case when jsonb_typeof(reasons) = 'array' then jsonb_array_length(reasons) <= 10 else reasons is null end),
    service_name text constraint classification_service_name check (length(service_name) <= 60),
    service_version text constraint classification_service_version check (length(service_version) <= 60),
    -- when the service answered; earlier than the submission if an answer about the same text was reused
    responded_at timestamptz,
    -- null for a reused answer
    duration_ms integer constraint classification_duration check (duration_ms >= 0),
    -- why there is no answer
    problem text constraint classification_problem check (length(problem) <= 500),
    created_at timestamptz not null default clock_timestamp(),
    finished_at timestamptz,
    constraint classification_scored check (
        num_nonnulls(score, reasons, responded_at) = case when state = 'scored' then 3 else 0 end),
    constraint classification_finished check ((state = 'waiting') = (finished_at is null)),
    constraint classification_explained check (state in ('waiting', 'scored') or problem is not null)
);
create index classification_next on curation.classification (next_at, submission_id) where state = 'waiting';
create index classification_response on curation.classification (content_hash, responded_at) where state = 'scored';
create index classification_asked on curation.classification (content_hash) where asked_until is not null;
create index classification_call on curation.classification (responded_at) where duration_ms is not null;

-- The breaker. Closed without `open_until`, open until then, half-open after it.
create table ops.classifier (
    only_row boolean primary key default true constraint classifier_only_row check (only_row),
    -- consecutive ones
    failures integer not null default 0 constraint classifier_failures check (failures >= 0),
    failing_since timestamptz,
    last_error text constraint classifier_last_error check (length(last_error) <= 500),
    responded_at timestamptz,
    pause_seconds integer constraint classifier_pause check (pause_seconds > 0),
    open_until timestamptz,
    -- the one call of a half-open breaker is awaited until then
    probe_until timestamptz,
    constraint classifier_open check (num_nonnulls(pause_seconds, open_until) in (0, 2)),
    constraint classifier_failing check ((failures = 0) = (failing_since is null))
);
insert into ops.classifier default values;

-- What was asked in each hour (UTC), for the budget and for the page. Kept for a week.
create table ops.classifier_hour (
    hour timestamptz primary key,
    calls integer not null default 0,
    responses integer not null default 0,
    failures integer not null default 0,
    -- answers that were reused
    reused integer not null default 0,
    -- submissions beyond the budget
    skipped integer not null default 0
);

grant select, insert, update, delete on curation.classification, ops.classifier_hour to @daemon@;
grant select, update on ops.classifier to @daemon@;

reset role;
