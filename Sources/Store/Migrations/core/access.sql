-- Who may change which table: permissions and access scope of those with an audit event in the transaction.
set local role @owner@;

-- People and clients
select ops.govern('ops.actor', 'read_queue', 'own', 'id');
select ops.govern('ops.account', 'read_queue', 'own', 'id');
-- Before the change, which could otherwise remove the access scope that forbids it.
drop trigger administrators_only on ops.account;
create trigger administrators_only before insert or update of email, role, disabled_at, types, groups on ops.account
    for each statement execute function ops.require_administrator_event();
drop trigger require_administrator on ops.account;
create trigger require_administrator after update of role, disabled_at, types, groups on ops.account for each row
    when (old.disabled_at is null) execute function ops.require_administrator();
select ops.govern('ops.second_factor', 'read_queue', 'own', 'account_id');
select ops.govern('ops.recovery_code', 'read_queue', 'own', 'account_id');
select ops.govern('ops.role', 'administer', 'unrestricted');
select ops.govern('delivery.client', 'administer', 'unrestricted');
select ops.govern('delivery.identity', '', 'unrestricted');

-- Submissions
create or replace trigger audited after insert on curation.submission referencing new table as changed
    for each statement execute function ops.require_audit_for_rows('submit,suggest', 'none');
select ops.govern('curation.submission_version', 'decide,visit', 'submission', 'submission_id');
select ops.govern('curation.status_link', 'decide', 'submission', 'submission_id');
select ops.govern('curation.note', 'read_queue', 'submission', 'submission_id', 'author_id');

-- Review
select ops.govern('curation.decision', 'decide,visit', 'submission', 'submission_id', 'decided_by');
select ops.govern('curation.submission_approval', 'decide', 'submission', 'submission_id', 'approved_by');
select ops.govern('curation.review_stage', 'administer', 'unrestricted');
select ops.govern('curation.screening_rules', 'publish', 'unrestricted');
select ops.govern('curation.screening_activation', 'publish', 'unrestricted');
select ops.govern('curation.automatic_decision', '', 'submission', 'submission_id');

-- Content
select ops.govern('curation.entry', 'suggest,decide', 'entry', 'id', 'created_by');
select ops.govern('curation.revision', 'suggest,decide', 'revision', 'id', 'author_id');
select ops.govern('curation.external_id', 'suggest,decide', 'entry', 'entry_id');
select ops.govern('curation.approval', 'approve,decide', 'revision', 'revision_id', 'actor_id');
select ops.govern('curation.publish_approval', 'approve,decide', 'revision', 'revision_id');
select ops.govern('ops.media', 'suggest,decide,submit', 'none');
select ops.govern('ops.media_file', 'suggest,decide,submit', 'none');
select ops.govern('curation.playlist_check', 'suggest,decide', 'none');

-- Publishing. Which entries a publication changes, curation.publication_change checks.
select ops.govern('curation.live', 'publish,decide', 'none');
select ops.govern('curation.publication', 'publish,decide', 'none');
select ops.govern('curation.release', 'create_release,publish,decide', 'release', 'id');
select ops.govern('curation.release_item', 'create_release,publish,decide', 'release_item', 'entry_id');
select ops.govern('curation.preview', 'create_release,visit', 'unrestricted');
select ops.govern('curation.preview_approval', 'create_release,visit', 'none');
select ops.govern('ops.webhook', 'administer', 'unrestricted');

reset role;
