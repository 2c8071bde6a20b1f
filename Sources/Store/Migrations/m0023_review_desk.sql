-- The review desk: originals of duplicates, what is put off or handed on, notes, actions on many at once, saved views.
set local role @owner@;

-- Actions on many submissions at once: planned first, so that what is confirmed is what is done, and undone as one.
create table curation.bulk_action (
    id uuid primary key default curation.uuid_v7(),
    action text not null constraint bulk_action_action check (action in ('approve', 'reject', 'request_changes', 'snooze', 'assign', 'rank')),
    -- Where the list stood from which it was made, for the way back.
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
    place integer not null constraint bulk_action_item_position check (place between 1 and 5000),
    -- How many decisions there were when it was planned.
    version integer not null,
    result text constraint bulk_action_item_result check (result in ('done', 'skipped', 'undone', 'kept')),
    reason text,
    -- What stood in the queue item before, for the undo.
    before jsonb,
    constraint bulk_action_item_skipped_has_reason check (result is distinct from 'skipped' or reason is not null),
    primary key (bulk_action_id, submission_id)
);
create index bulk_action_item_by_position on curation.bulk_action_item (bulk_action_id, place);

-- A duplicate names what it is a duplicate of: one submission or one entry.
alter table curation.decision
    add column original_submission_id uuid constraint decision_original_submission references curation.submission (id),
    add column original_entry_id uuid constraint decision_original_entry references curation.entry (id),
    add column bulk_action_id uuid constraint decision_bulk_action references curation.bulk_action (id),
    -- Priority and assignee of the queue item, where it had any but the usual, for the undo.
    add column triage jsonb,
    add constraint decision_duplicate_names_original check (
        num_nonnulls(original_submission_id, original_entry_id) = case when verdict = 'duplicate' then 1 else 0 end);
create index decision_by_bulk_action on curation.decision (bulk_action_id) where bulk_action_id is not null;
create index decision_by_original on curation.decision (original_submission_id) where original_submission_id is not null;

-- An original is not itself a duplicate, so that following originals comes to an end; and nothing is its own original.
create function curation.decision_original() returns trigger language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('curation.duplicate', 0));
    if new.original_submission_id = new.submission_id or exists (
        select from curation.entry e where e.id = new.original_entry_id and e.submission_id = new.submission_id) then
        perform curation.refuse('decision_own_original', 'nothing is a duplicate of itself');
    end if;
    if curation.submission_state(new.original_submission_id) = 'duplicate' then
        perform curation.refuse('decision_original_is_duplicate', 'the original is a duplicate itself');
    end if;
    return new;
end $$;
create trigger original before insert on curation.decision
    for each row when (new.verdict = 'duplicate') execute function curation.decision_original();

alter table curation.queue_item
    -- 1 is the most urgent; 3 is the usual.
    add column priority smallint not null default 3 constraint queue_item_priority check (priority between 1 and 4),
    -- Not shown in the queue before then.
    add column snoozed_until timestamptz,
    add column assigned_to uuid constraint queue_item_assigned_to references ops.account (id),
    -- For whoever has at least this role.
    add column assigned_role text constraint queue_item_assigned_role
        check (assigned_role in ('curator', 'editor', 'publisher', 'administrator')),
    add constraint queue_item_assigned_once check (num_nonnulls(assigned_to, assigned_role) <= 1);
create index queue_item_by_priority on curation.queue_item (priority, received_at, submission_id);
create index queue_item_assigned on curation.queue_item (assigned_to, received_at, submission_id) where assigned_to is not null;
create index queue_item_for_role on curation.queue_item (assigned_role, received_at, submission_id)
    where assigned_role is not null;
create index queue_item_snoozed on curation.queue_item (snoozed_until) where snoozed_until is not null;

-- What the staff writes to each other about a submission; the contributor never sees it.
create table curation.note (
    id uuid primary key default curation.uuid_v7(),
    submission_id uuid not null constraint note_submission references curation.submission (id),
    kind text not null default 'note' constraint note_kind check (kind in ('note', 'assign', 'take_over', 'snooze')),
    text text not null constraint note_text check (text ~ '\S' and length(text) <= 2000),
    author_id uuid not null constraint note_author references ops.actor (id),
    written_at timestamptz not null default clock_timestamp()
);
create index note_by_submission on curation.note (submission_id, id);
select ops.govern('curation.note');

-- Who is named in a note, until they have looked at it.
create table curation.mention (
    note_id uuid not null constraint mention_note references curation.note (id),
    account_id uuid not null constraint mention_account references ops.account (id),
    seen_at timestamptz,
    primary key (note_id, account_id)
);
create index mention_unseen on curation.mention (account_id, note_id) where seen_at is null;

-- A list with its filters and its order, under a name: for its owner, or for all.
create table curation.saved_view (
    id uuid primary key default curation.uuid_v7(),
    name text not null constraint saved_view_name check (name = btrim(name) and length(name) between 1 and 60),
    query text not null constraint saved_view_query check (length(query) <= 2000),
    owner_id uuid not null constraint saved_view_owner references ops.account (id),
    is_shared boolean not null default false,
    created_at timestamptz not null default clock_timestamp()
);
create unique index saved_view_once on curation.saved_view (owner_id, lower(name));

grant select, insert, update, delete on curation.bulk_action, curation.bulk_action_item, curation.saved_view to @daemon@;
grant select, insert on curation.note to @daemon@;
grant select, insert, update on curation.mention to @daemon@;

reset role;
