-- Notes on entries, by the rules of those on submissions.
set local role @owner@;

alter table curation.note alter column submission_id drop not null;
alter table curation.note
    add column entry_id uuid constraint note_entry references curation.entry (id),
    add constraint note_subject check (num_nonnulls(submission_id, entry_id) = 1),
    -- the other kinds are about the queue
    add constraint note_entry_kind check (entry_id is null or kind = 'note');
create index note_by_entry on curation.note (entry_id, id) where entry_id is not null;
select ops.govern('curation.note', 'read_queue', 'note', 'id', 'author_id');

-- For the list of a person's mentions, seen ones too.
create index mention_by_account on curation.mention (account_id, note_id);
create trigger within_scope after insert on curation.mention referencing new table as added
    for each statement execute function curation.check_mentions();

reset role;
