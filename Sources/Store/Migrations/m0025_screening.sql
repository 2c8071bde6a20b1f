-- Screening: what is alike, what it scores and why, the team's rules in versions, and who has to agree before something is approved.
set local role @owner@;

-- What of a submission or of a live entry is compared with others: folded words (Domain/Review/Similarity), written by a job in
-- sets. It follows from what they hold, and is written anew where it is missing.
create table curation.similarity (
    subject_id uuid primary key,
    is_entry boolean not null,
    title text not null,
    text text not null,
    address text,
    lat float8,
    lon float8,
    keys integer[] not null
);
-- Under these it is found. Of a key that many have, the newest few are looked at: looking costs the same whatever there is.
create table curation.similarity_key (
    key integer not null,
    subject_id uuid not null,
    primary key (key, subject_id)
);

-- How far jobs have read: one row, whose lock is the job's.
create table curation.screening_clock (
    is_one boolean primary key default true constraint screening_clock_is_one check (is_one),
    publication bigint not null default 0,
    entry_id uuid not null default '00000000-0000-0000-0000-000000000000',
    -- Decisions before then were learned from.
    trained_to timestamptz not null default '2000-01-01 00:00+00',
    spam bigint not null default 0 constraint screening_clock_spam check (spam >= 0),
    ham bigint not null default 0 constraint screening_clock_ham check (ham >= 0)
);
insert into curation.screening_clock default values;

alter table curation.queue_item
    -- 100 less its score, so that the whole order goes one way; 101 is not screened yet, and stands last.
    add column risk_order smallint not null default 101 constraint queue_item_risk_order check (risk_order between 0 and 101);
-- Rows of one score lie apart in the table: a search along this order reads the index alone.
create index queue_item_by_score on curation.queue_item (risk_order, received_at, submission_id)
    include (snoozed_until, type, client_id, words);
-- Rows of one category lie apart in the table: what is counted reads the index alone.
create index queue_item_requested on curation.queue_item (requested_category, received_at, submission_id) include (snoozed_until)
    where requested_category is not null;
-- A filter may leave rows that all stand at the end of an order: the order is walked within the filter.
create index queue_item_type_score on curation.queue_item (type, risk_order, received_at, submission_id);
create index queue_item_client_score on curation.queue_item (client_id, risk_order, received_at, submission_id);
create index queue_item_requested_score on curation.queue_item (requested_category, risk_order, received_at, submission_id)
    where requested_category is not null;
create index queue_item_priority_score on curation.queue_item (priority, risk_order, received_at, submission_id);
create index queue_item_type_priority on curation.queue_item (type, priority, received_at, submission_id);
create index queue_item_client_priority on curation.queue_item (client_id, priority, received_at, submission_id);
create index queue_item_requested_priority on curation.queue_item (requested_category, priority, received_at, submission_id)
    where requested_category is not null;
create index queue_item_reopened_by on curation.queue_item (reopened_by, received_at, submission_id) where reopened_by is not null;

-- In which language its contributor wants to hear of it.
alter table curation.submission
    add column contributor_locale text constraint submission_contributor_locale
        check (contributor_locale ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,4}){0,2}$');

-- The team's rules: a version never changes. It is tried on past decisions before it can be switched on.
create table curation.screening_rules (
    version integer primary key constraint screening_rules_version check (version > 0),
    rules jsonb not null constraint screening_rules_object check (jsonb_typeof(rules) = 'object'),
    note text not null constraint screening_rules_note check (note ~ '\S' and length(note) <= 500),
    created_by uuid not null constraint screening_rules_created_by references ops.actor (id),
    created_at timestamptz not null default clock_timestamp()
);
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

-- What was found in a submission the last time it was looked at.
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

-- What was decided without a person: by which version, with which score, from what.
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
select ops.govern('curation.screening_rules');
select ops.govern('curation.screening_activation');
select ops.govern('curation.automatic_decision');

-- What was learned: of each decision once, in sets, by a job. A contributor is a reference of an application.
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

-- The id that a decision of that time would have at least.
create function curation.uuid_from(p_time timestamptz) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from p_time) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

insert into ops.audit_event (actor_id, action, object_type, object_id)
values ('00000000-0000-7000-8000-000000000001', 'screening.start', 'screening', '1');
insert into curation.screening_rules (version, rules, note, created_by) values (1, jsonb_build_object(
    'words', jsonb_build_array(
        jsonb_build_object('words', 'free prize', 'points', 30), jsonb_build_object('words', 'free phone', 'points', 30), jsonb_build_object('words', 'casino bonus', 'points', 30),
        jsonb_build_object('words', 'click here to win', 'points', 40)),
    'links', 5, 'link_points', 20, 'letters', 20, 'length_points', 10, 'rejected_percent', 60, 'record_points', 25,
    'per_hour', 20, 'rate_points', 20, 'languages', '[]'::jsonb, 'language_points', 10, 'learned_points', 60,
    'medium', 30, 'high', 60, 'known_approved', 3, 'known_rejected_percent', 25, 'trusted_approved', 10,
    'trusted_rejected_percent', 5, 'approve_from', null),
    'What every deployment starts with', '00000000-0000-7000-8000-000000000001');
insert into curation.screening_trial (version, decisions, result) values (1, 0, '{}');
insert into curation.screening_activation (number, version, created_by) values (1, 1, '00000000-0000-7000-8000-000000000001');

revoke execute on function curation.uuid_from(timestamptz) from public;
grant execute on function curation.uuid_from(timestamptz) to @daemon@;
grant select, insert, update, delete on curation.similarity, curation.similarity_key, curation.screening,
    curation.training_sample, curation.contributor_record, curation.contributor_hour, curation.spam_token to @daemon@;
grant select, insert on curation.screening_rules, curation.screening_trial, curation.screening_activation,
    curation.automatic_decision to @daemon@;
grant select, update on curation.screening_clock to @daemon@;

-- Who has to agree, in which order, before something of a content type or in a category group is approved. A stage never changes:
-- another plan retires it, and the yeses that were given in it count no more.
create table curation.review_stage (
    id uuid primary key default curation.uuid_v7(),
    type text constraint review_stage_type references curation.content_type (name),
    group_id uuid constraint review_stage_group references curation.entry (id),
    number smallint not null constraint review_stage_number check (number between 1 and 9),
    name text not null constraint review_stage_name check (name = btrim(name) and length(name) between 1 and 60),
    role text not null constraint review_stage_role check (role in ('curator', 'editor', 'publisher', 'administrator')),
    needed smallint not null constraint review_stage_required check (needed between 1 and 9),
    created_at timestamptz not null default clock_timestamp(),
    archived_at timestamptz,
    constraint review_stage_scope check (num_nonnulls(type, group_id) = 1)
);
create unique index review_stage_once on curation.review_stage (coalesce(type, group_id::text), number) where archived_at is null;

create table curation.submission_approval (
    id uuid primary key default curation.uuid_v7(),
    submission_id uuid not null constraint submission_approval_submission references curation.submission (id),
    stage_id uuid not null constraint submission_approval_stage references curation.review_stage (id),
    -- How many decisions there were: any decision, answer or undo makes it void.
    version integer not null,
    approved_by uuid not null constraint submission_approval_approved_by references ops.actor (id),
    role text,
    approved_at timestamptz not null default clock_timestamp(),
    undone_at timestamptz
);
create unique index submission_approval_once on curation.submission_approval (submission_id, version, approved_by)
    where undone_at is null;
create index submission_approval_by_submission on curation.submission_approval (submission_id, version);
select ops.govern('curation.review_stage');
select ops.govern('curation.submission_approval');

-- The stages of submissions that would be approved into these categories (one set of categories as text for each), in order,
-- with how many agreed so far.
create function curation.stages_of(p_submissions uuid[], p_categories text[])
returns table (submission_id uuid, stage_id uuid, number integer, name text, role text, needed integer, given integer)
language sql stable as $$
    select i.id, t.id, t.number::integer, t.name, t.role, t.needed::integer, (
        select count(*)::integer from curation.submission_approval a
        where a.submission_id = i.id and a.stage_id = t.id and a.undone_at is null and a.version = (
            select coalesce(max(d.number), 0) from curation.decision d where d.submission_id = i.id and d.verdict <> 'approve'))
    from unnest(p_submissions, p_categories) i (id, categories)
    join curation.submission s on s.id = i.id
    join curation.review_stage t on t.archived_at is null and (t.type = s.type or t.group_id in (
        select (n.content ->> 'group')::uuid
        from unnest(i.categories::uuid[]) c (id)
        cross join lateral (
            select r.content from curation.revision r where r.entry_id = c.id order by r.number desc limit 1) n))
$$;

-- A yes is given in the first stage that is open, by who has its role, once, and never to one's own.
create function curation.submission_approval_allowed() returns trigger language plpgsql as $$
declare
    stage curation.review_stage;
    roles text[] := array['curator', 'editor', 'publisher', 'administrator'];
begin
    select * into stage from curation.review_stage where id = new.stage_id;
    -- One yes after the other, so that the last one sees the others.
    perform from curation.queue_item where submission_id = new.submission_id for update;
    if not found then
        -- What was sent back is in no queue, and can be approved all the same.
        perform pg_advisory_xact_lock(hashtextextended('curation.submission_approval ' || new.submission_id, 0));
        if curation.submission_state(new.submission_id) <> 'changes_requested' then
            perform curation.refuse('submission_approval_waiting', 'only what waits or was sent back can be agreed to');
        end if;
    end if;
    if exists (
        select from curation.submission s left join ops.account a on a.id = new.approved_by
        where s.id = new.submission_id and (s.client_id = new.approved_by or lower(a.email) = lower(s.contributor_email))) then
        perform curation.refuse('submission_approval_own', 'nobody agrees to their own');
    end if;
    -- What is done at the command line is the operator's.
    if new.approved_by <> '00000000-0000-7000-8000-000000000002'
        and coalesce(array_position(roles, new.role), 0) < array_position(roles, stage.role) then
        perform curation.refuse('submission_approval_role', 'this stage needs another role');
    end if;
    if stage.archived_at is not null or exists (
        select from curation.review_stage t
        where t.archived_at is null and t.number < stage.number
          and (t.type = stage.type or t.group_id = stage.group_id) and t.needed > (
            select count(*) from curation.submission_approval a
            where a.submission_id = new.submission_id and a.stage_id = t.id and a.version = new.version
              and a.undone_at is null)) then
        perform curation.refuse('submission_approval_order', 'an earlier stage is open');
    end if;
    return new;
end $$;
create trigger allowed before insert on curation.submission_approval
    for each row execute function curation.submission_approval_allowed();

-- Nothing is approved before all have agreed. At the commit, for only then it is known into which categories.
create function curation.decision_needs_approvals() returns trigger language plpgsql as $$
begin
    -- Most teams have no stages, and accept many at once.
    if not exists (select from curation.review_stage where archived_at is null) then
        return null;
    end if;
    if exists (
        select from curation.stages_of(array[new.submission_id], array[coalesce((
            select array_agg(f.target_entry_id)::text from curation.entry e
            cross join lateral (
                select id from curation.revision r where r.entry_id = e.id order by r.number desc limit 1) r
            join curation.reference f on f.revision_id = r.id and f.field = 'categories'
            where e.submission_id = new.submission_id), '{}')]) t
        where t.given < t.needed) then
        perform curation.refuse('decision_needs_approvals', 'more people have to agree');
    end if;
    return null;
end $$;
create constraint trigger approvals after insert on curation.decision deferrable initially deferred
    for each row when (new.verdict = 'approve') execute function curation.decision_needs_approvals();

revoke execute on function curation.stages_of(uuid[], text[]), curation.submission_approval_allowed(),
    curation.decision_needs_approvals() from public;
grant execute on function curation.stages_of(uuid[], text[]) to @daemon@;
grant select, insert, update on curation.review_stage, curation.submission_approval to @daemon@;

reset role;
