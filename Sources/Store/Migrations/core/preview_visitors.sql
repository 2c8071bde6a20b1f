-- Limits the approvals of a preview link: one for each visitor and name.
set local role @owner@;

-- The network of the visitor; null for approvals from before.
alter table curation.preview_approval add column visitor text
    constraint preview_approval_visitor check (length(visitor) between 1 and 100);
create unique index preview_approval_visitor_once on curation.preview_approval (preview_id, visitor, lower(name));
grant update on curation.preview_approval to @daemon@;

create trigger limit_approvals before insert on curation.preview_approval
    for each row execute function curation.limit_preview_approvals();

reset role;
