-- Bulk actions on entries: in the tables of those on submissions, with the same plans and results.
set local role @owner@;

alter table curation.bulk_action
    add column object text not null default 'submission'
        constraint bulk_action_object check (object in ('submission', 'entry')),
    drop constraint bulk_action_action,
    add constraint bulk_action_action check (case object
        when 'entry' then action in ('approve', 'publish', 'unpublish', 'update', 'add')
        else action in ('approve', 'reject', 'request_changes', 'snooze', 'assign', 'update') end);

-- `version` of an entry is the number of its newest revision when the action was planned, and `before` the state that an undo
-- restores.
alter table curation.bulk_action_item drop constraint bulk_action_item_pkey;
alter table curation.bulk_action_item
    alter column submission_id drop not null,
    add column entry_id uuid constraint bulk_action_item_entry references curation.entry (id),
    add primary key (bulk_action_id, position),
    add constraint bulk_action_item_object check (num_nonnulls(submission_id, entry_id) = 1),
    add constraint bulk_action_item_submission_once unique (bulk_action_id, submission_id),
    add constraint bulk_action_item_entry_once unique (bulk_action_id, entry_id);
drop index curation.bulk_action_item_by_position;

reset role;
