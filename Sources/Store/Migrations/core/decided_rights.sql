-- Narrower rights: who may only decide approves, schedules and publishes only what follows from a decision in the same transaction;
-- of several people in one transaction, each needs the permission for what they write; visitors only add approvals to previews.
set local role @owner@;

create trigger authors after insert on curation.entry referencing new table as changed
    for each statement execute function ops.require_authors('created_by');
create trigger authors after insert on curation.revision referencing new table as changed
    for each statement execute function ops.require_authors('author_id');
create trigger authors after insert on curation.decision referencing new table as changed
    for each statement execute function ops.require_authors('decided_by');
create trigger authors after insert on curation.submission_approval referencing new table as changed
    for each statement execute function ops.require_authors('approved_by');
create trigger authors after insert on curation.note referencing new table as changed
    for each statement execute function ops.require_authors('author_id');

create trigger approvers_inserted after insert on curation.approval referencing new table as changed
    for each statement execute function ops.require_approvers();
create trigger approvers_deleted after delete on curation.approval referencing old table as changed
    for each statement execute function ops.require_approvers();
create trigger decided after insert on curation.publish_approval referencing new table as changed
    for each statement execute function ops.require_approved();
create trigger decided_inserted after insert on curation.release referencing new table as changed
    for each statement execute function ops.require_decided_release();
create trigger decided_updated after update on curation.release referencing new table as changed
    for each statement execute function ops.require_decided_release();
create trigger decided_inserted after insert on curation.release_item referencing new table as changed
    for each statement execute function ops.require_decided_item();
create trigger decided_updated after update on curation.release_item referencing new table as changed
    for each statement execute function ops.require_decided_item();
create trigger decided_replaced after update on curation.release_item referencing old table as changed
    for each statement execute function ops.require_decided_item();
create trigger decided_deleted after delete on curation.release_item referencing old table as changed
    for each statement execute function ops.require_decided_item();

-- Visitors who open a link refresh its snapshot, in a function of the owner (curation.refresh_preview), and approve it, in another
-- (curation.approve_preview).
create trigger by_staff before insert or delete or update of revoked_at on curation.preview
    for each statement execute function ops.require_unrestricted('create_release');
revoke insert, update, delete on curation.preview_approval from @daemon@;

reset role;
