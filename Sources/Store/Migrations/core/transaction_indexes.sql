-- For the verification of the audit trail, page by page: what the transactions of a page have written, and the newest archived block.
set local role @owner@;

create index submission_transaction on curation.submission (audit_transaction);
create index decision_transaction on curation.decision (audit_transaction);
create index submission_approval_transaction on curation.submission_approval (audit_transaction);
create index entry_transaction on curation.entry (audit_transaction);
create index revision_transaction on curation.revision (audit_transaction);
create index approval_transaction on curation.approval (audit_transaction);
create index note_transaction on curation.note (audit_transaction);
create index publication_transaction on curation.publication (audit_transaction);
create index audit_block_archived on ops.audit_block (position) where archived_at is not null;

reset role;
