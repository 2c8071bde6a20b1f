-- Notes on contributors, by the rules of those on submissions and entries.
set local role @owner@;

alter table curation.note drop constraint note_subject,
    add column contributor_id uuid constraint note_contributor references curation.contributor (id),
    add constraint note_subject check (num_nonnulls(submission_id, entry_id, contributor_id) = 1),
    add constraint note_contributor_kind check (contributor_id is null or kind = 'note');
create index note_by_contributor on curation.note (contributor_id, id) where contributor_id is not null;

reset role;
