-- The access scope of new revisions and approvals is checked after each statement instead of at commit for each row, where each row
-- read all audit events of the transaction.
set local role @owner@;

select ops.govern('curation.revision', 'suggest,decide', 'revision', 'id', 'author_id');
select ops.govern('curation.approval', 'approve,decide', 'revision', 'revision_id', 'actor_id');
select ops.govern('curation.publish_approval', 'approve,decide', 'revision', 'revision_id');

reset role;
