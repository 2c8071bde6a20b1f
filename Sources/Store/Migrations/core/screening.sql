-- Screening: similarity, rules, results and training.
set local role @owner@;

-- Data for finding similar submissions and entries: normalized text and keys (Domain/Review/Similarity). Background
-- tasks write it and restore missing rows.
create table curation.similarity (
    subject_id uuid primary key,
    is_entry boolean not null,
    title text not null,
    text text not null,
    url text,
    lat float8,
    lon float8,
    keys integer[] not null
);

-- Keys by which similar subjects are found. Only the newest few subjects of a common key are compared, so that the cost
-- does not grow.
create table curation.similarity_key (
    key integer not null,
    subject_id uuid not null,
    primary key (key, subject_id)
);

-- Progress of the screening tasks. The row lock ensures that one task runs at a time.
create table curation.screening_cursor (
    only_row boolean primary key default true constraint screening_cursor_only_row check (only_row),
    publication bigint not null default 0,
    entry_id uuid not null default '00000000-0000-0000-0000-000000000000',
    -- decisions before this time were used for training
    trained_to timestamptz not null default '2000-01-01 00:00+00',
    spam bigint not null default 0 constraint screening_cursor_spam check (spam >= 0),
    ham bigint not null default 0 constraint screening_cursor_ham check (ham >= 0)
);

insert into curation.screening_cursor default values;

-- Screening rules. Versions never change, and are tested on past decisions before activation.
create table curation.screening_rules (
    version integer primary key constraint screening_rules_version check (version > 0),
    rules jsonb not null constraint screening_rules_object check (jsonb_typeof(rules) = 'object'),
    note text not null constraint screening_rules_note check (note ~ '\S' and length(note) <= 500),
    created_by uuid not null constraint screening_rules_created_by references ops.actor (id),
    created_at timestamptz not null default clock_timestamp()
);
select ops.audit_changes('curation.screening_rules');

create table curation.screening_trial (
    version integer primary key constraint screening_trial_version references curation.screening_rules (version),
    decisions integer not null constraint screening_trial_decisions check (decisions >= 0),
    result jsonb not null,
    tried_at timestamptz not null default clock_timestamp()
);

create table curation.screening_activation (
    number bigint primary key,
    version integer not null constraint screening_activation_tried references curation.screening_trial (version),
    created_by uuid not null constraint screening_activation_created_by references ops.actor (id),
    created_at timestamptz not null default clock_timestamp()
);
select ops.audit_changes('curation.screening_activation');

-- Latest screening result of each submission.
create table curation.screening (
    submission_id uuid primary key constraint screening_submission references curation.submission (id),
    version integer not null constraint screening_version references curation.screening_rules (version),
    score smallint not null constraint screening_score check (score between 0 and 100),
    level text not null constraint screening_level check (level in ('low', 'medium', 'high')),
    trust smallint not null constraint screening_trust check (trust between 0 and 2),
    reasons jsonb not null,
    inputs jsonb not null,
    screened_at timestamptz not null default clock_timestamp()
);

-- Decisions without a person: the rules version, the score and the inputs.
create table curation.automatic_decision (
    submission_id uuid not null,
    number integer not null,
    version integer not null constraint automatic_decision_version references curation.screening_rules (version),
    score smallint not null,
    level text not null constraint automatic_decision_low check (level = 'low'),
    trust smallint not null constraint automatic_decision_trusted check (trust >= 1),
    inputs jsonb not null,
    primary key (submission_id, number),
    constraint automatic_decision_decision foreign key (submission_id, number)
        references curation.decision (submission_id, number)
);
select ops.audit_changes('curation.automatic_decision');

-- Submissions whose decision was used for training, each once. A contributor is identified by the client and its
-- reference.
create table curation.training_sample (
    submission_id uuid primary key,
    verdict text not null constraint training_sample_verdict check (verdict in ('approved', 'rejected', 'spam'))
);

create table curation.contributor_record (
    client_id uuid not null,
    contributor text not null,
    approved integer not null default 0,
    rejected integer not null default 0,
    spam integer not null default 0,
    primary key (client_id, contributor)
);

create table curation.contributor_hour (
    client_id uuid not null,
    contributor text not null,
    hour timestamptz not null,
    n integer not null constraint contributor_hour_n check (n > 0),
    primary key (client_id, contributor, hour)
);
create index contributor_hour_old on curation.contributor_hour (hour);

create table curation.spam_token (
    field text not null constraint spam_token_field check (field in ('title', 'text', 'link', 'contributor')),
    token text not null,
    spam integer not null default 0,
    ham integer not null default 0,
    primary key (field, token)
);

-- The rules of a new deployment.
insert into ops.audit_event (actor_id, action, object_type, object_id)
values ('00000000-0000-7000-8000-000000000001', 'screening.create', 'screening', '1');
insert into curation.screening_rules (version, rules, note, created_by) values (1, jsonb_build_object(
    'terms', jsonb_build_array(
        jsonb_build_object('term', 'free prize', 'points', 30), jsonb_build_object('term', 'free phone', 'points', 30), jsonb_build_object('term', 'casino bonus', 'points', 30),
        jsonb_build_object('term', 'click here to win', 'points', 40)),
    'links', 5, 'link_points', 20, 'letters', 20, 'length_points', 10, 'rejected_percent', 60, 'record_points', 25,
    'per_hour', 20, 'rate_points', 20, 'languages', '[]'::jsonb, 'language_points', 10, 'learned_points', 60,
    'medium', 30, 'high', 60, 'known_approved', 3, 'known_rejected_percent', 25, 'trusted_approved', 10,
    'trusted_rejected_percent', 5, 'approve_from', null),
    'Default rules', '00000000-0000-7000-8000-000000000001');
insert into curation.screening_trial (version, decisions, result) values (1, 0, '{}');
insert into curation.screening_activation (number, version, created_by) values (1, 1, '00000000-0000-7000-8000-000000000001');

grant select, insert, update, delete on curation.similarity, curation.similarity_key, curation.screening,
    curation.training_sample, curation.contributor_record, curation.contributor_hour, curation.spam_token to @daemon@;
grant select, update on curation.screening_cursor to @daemon@;
grant select, insert on curation.screening_rules, curation.screening_trial, curation.screening_activation,
    curation.automatic_decision to @daemon@;

reset role;
