-- The queue of submissions awaiting review, with notes, saved views and bulk actions.
set local role @owner@;

-- Submissions awaiting review. Rows are deleted when a decision is made.
create table curation.queue_item (
    submission_id uuid primary key constraint queue_item_submission references curation.submission (id),
    type text not null,
    client_id uuid not null,
    title text not null,
    requested_category text,
    received_at timestamptz not null,
    claimed_by uuid constraint queue_item_claimed_by references ops.actor (id),
    claimed_until timestamptz,
    -- Stored, because not every search uses the index. The terms of 230 characters always fit into a B-tree row.
    search_terms tsvector not null generated always as (to_tsvector('simple', left(title, 230))) stored,
    -- 1 urgent, 2 high, 3 normal, 4 low
    priority smallint not null default 3 constraint queue_item_priority check (priority between 1 and 4),
    -- hidden from the queue until then
    snoozed_until timestamptz,
    assigned_to uuid constraint queue_item_assigned_to references ops.account (id),
    -- minimum role
    assigned_role text constraint queue_item_assigned_role
        check (assigned_role in ('curator', 'editor', 'publisher', 'administrator')),
    reopened_by text constraint queue_item_reopened_by check (reopened_by in ('resubmit', 'appeal')),
    -- 100 minus the risk score, so that all sort columns ascend; 101 is not screened yet and sorts last
    risk_order smallint not null default 101 constraint queue_item_risk_order check (risk_order between 0 and 101),
    constraint queue_item_claim_complete check ((claimed_by is null) = (claimed_until is null)),
    constraint queue_item_assigned_once check (num_nonnulls(assigned_to, assigned_role) <= 1)
);
create index queue_item_age on curation.queue_item (received_at, submission_id);
create index queue_item_type on curation.queue_item (type, received_at, submission_id);
create index queue_item_client on curation.queue_item (client_id, received_at, submission_id);
create index queue_item_claimed on curation.queue_item (claimed_by, received_at, submission_id) where claimed_by is not null;
-- A small pending list keeps inserts cheap: with a large one, a single writer pays for flushing it.
create index queue_item_search on curation.queue_item using gin (search_terms)
    with (fastupdate = on, gin_pending_list_limit = 128);
create index queue_item_by_priority on curation.queue_item (priority, received_at, submission_id);
create index queue_item_assigned on curation.queue_item (assigned_to, received_at, submission_id) where assigned_to is not null;
create index queue_item_for_role on curation.queue_item (assigned_role, received_at, submission_id)
    where assigned_role is not null;
create index queue_item_snoozed on curation.queue_item (snoozed_until) where snoozed_until is not null;
-- Rows of one score are scattered in the table: a search in this order reads only the index.
create index queue_item_by_score on curation.queue_item (risk_order, received_at, submission_id)
    include (snoozed_until, type, client_id, search_terms);
-- Rows of one category are scattered in the table: counts read only the index.
create index queue_item_requested on curation.queue_item (requested_category, received_at, submission_id) include (snoozed_until)
    where requested_category is not null;
-- Filtered rows can all be at the end of an order, so each order also has an index per filter.
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

-- Internal notes on submissions. Contributors never see them.
create table curation.note (
    id uuid primary key default curation.uuid_v7(),
    submission_id uuid not null constraint note_submission references curation.submission (id),
    kind text not null default 'note' constraint note_kind check (kind in ('note', 'assign', 'take_over', 'snooze')),
    text text not null constraint note_text check (text ~ '\S' and length(text) <= 2000),
    author_id uuid not null constraint note_author references ops.actor (id),
    written_at timestamptz not null default clock_timestamp()
);
create index note_by_submission on curation.note (submission_id, id);
select ops.audit_changes('curation.note');

-- Accounts mentioned in notes, until they have seen the note.
create table curation.mention (
    note_id uuid not null constraint mention_note references curation.note (id),
    account_id uuid not null constraint mention_account references ops.account (id),
    seen_at timestamptz,
    primary key (note_id, account_id)
);
create index mention_unseen on curation.mention (account_id, note_id) where seen_at is null;

-- Saved filters and sort orders of the queue, private or shared.
create table curation.saved_view (
    id uuid primary key default curation.uuid_v7(),
    name text not null constraint saved_view_name check (name = btrim(name) and length(name) between 1 and 60),
    query text not null constraint saved_view_query check (length(query) <= 2000),
    owner_id uuid not null constraint saved_view_owner references ops.account (id),
    is_shared boolean not null default false,
    created_at timestamptz not null default clock_timestamp()
);
create unique index saved_view_once on curation.saved_view (owner_id, lower(name));

-- Actions on many submissions at once: planned first, so that exactly what was confirmed is done, and undone as one.
create table curation.bulk_action (
    id uuid primary key default curation.uuid_v7(),
    action text not null constraint bulk_action_action check (action in ('approve', 'reject', 'request_changes', 'snooze', 'assign', 'update')),
    -- filters and page of the list, for the link back
    query text not null default '' constraint bulk_action_query check (length(query) <= 2000),
    created_by uuid not null constraint bulk_action_created_by references ops.actor (id),
    created_at timestamptz not null default clock_timestamp(),
    done_at timestamptz,
    undone_at timestamptz,
    publication bigint,
    release bigint,
    constraint bulk_action_undone_after_done check (undone_at is null or undone_at >= done_at)
);
create index bulk_action_recent on curation.bulk_action (created_by, created_at desc);

create table curation.bulk_action_item (
    bulk_action_id uuid not null constraint bulk_action_item_bulk_action references curation.bulk_action (id) on delete cascade,
    submission_id uuid not null constraint bulk_action_item_submission references curation.submission (id),
    position integer not null constraint bulk_action_item_position check (position between 1 and 5000),
    -- number of decisions when it was planned
    version integer not null,
    result text constraint bulk_action_item_result check (result in ('done', 'skipped', 'undone', 'kept')),
    reason text,
    -- previous values of the queue item, for undo
    before jsonb,
    constraint bulk_action_item_skipped_has_reason check (result is distinct from 'skipped' or reason is not null),
    primary key (bulk_action_id, submission_id)
);
create index bulk_action_item_by_position on curation.bulk_action_item (bulk_action_id, position);

grant select, insert, update, delete on curation.queue_item, curation.saved_view, curation.bulk_action,
    curation.bulk_action_item to @daemon@;
grant select, insert on curation.note to @daemon@;
grant select, insert, update on curation.mention to @daemon@;

reset role;
