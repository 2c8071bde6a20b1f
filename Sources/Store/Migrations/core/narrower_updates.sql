-- Rights to update that the program doesn't use: approvals in review stages are only withdrawn, and releases are not
-- unscheduled by those who may not schedule them.
set local role @owner@;

revoke update on curation.submission_approval from @daemon@;
grant update (undone_at) on curation.submission_approval to @daemon@;
create trigger withdrawn before update on curation.submission_approval
    for each row execute function curation.check_withdrawn_approval();

create trigger decided_replaced after update on curation.release referencing old table as changed
    for each statement execute function ops.require_decided_release();

reset role;
