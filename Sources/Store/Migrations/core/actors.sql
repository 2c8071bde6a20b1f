-- The database recognizes who acts: roles for signing in, background work and the command line, and authors that have an
-- audit event in the transaction.
set local role @owner@;

insert into ops.audit_event (actor_id, action, object_type)
values ('00000000-0000-7000-8000-000000000001', 'actor.create', 'actor');
insert into ops.actor (id, kind, name) values ('00000000-0000-7000-8000-000000000006', 'system', 'visitor');

-- Events are recorded by functions only (record_requested and others).
revoke insert on ops.audit_event from @daemon@;

-- Signing in: only its role makes sessions, links, passwords and second factors. Mails create links when they are sent.
revoke insert, update on ops.session, ops.sign_in_link, ops.account from @daemon@;
revoke insert, update, delete on ops.second_factor, ops.recovery_code from @daemon@;
grant update (seen_at) on ops.session to @daemon@;
grant insert (id, email, role, locale), update (email, role, disabled_at, locale, invited_at, types, groups)
    on ops.account to @daemon@;
grant insert on ops.session to @sign_in@;
grant insert, update on ops.sign_in_link to @sign_in@;
grant insert on ops.sign_in_link to @schedule@;
grant insert, update on ops.account to @sign_in@;
grant insert, update, delete on ops.second_factor, ops.recovery_code to @sign_in@;

-- Only its functions refresh a preview.
revoke update on curation.preview from @daemon@;
grant update (revoked_at) on curation.preview to @daemon@;

-- Derived by triggers and by synchronizing the content types.
revoke insert, update on curation.ready from @daemon@;
revoke insert, update on curation.content_type from @daemon@;

-- Publishing is staff's.
select ops.audit_changes('curation.publication');

create trigger administrators_only after insert or update of email, role, disabled_at, types, groups on ops.account
    for each statement execute function ops.require_administrator_event();
create trigger administrators_only after insert or update on delivery.client
    for each statement execute function ops.require_administrator_event();
create trigger administrators_only after insert or update or delete on ops.webhook
    for each statement execute function ops.require_administrator_event();
create trigger administrators_only after insert or update on curation.review_stage
    for each statement execute function ops.require_administrator_event();

create trigger authored before insert on curation.decision for each row execute function ops.check_author('decided_by');
create trigger by_staff before insert on curation.decision for each row execute function ops.check_decider();
create trigger authored before insert on curation.entry for each row execute function ops.check_content_author();
create trigger authored before insert on curation.revision for each row execute function ops.check_content_author();
create trigger authored before insert on curation.approval for each row execute function ops.check_author('actor_id');
create trigger authored before insert on curation.submission_approval
    for each row execute function ops.check_author('approved_by');
create trigger authored after insert on curation.submission referencing new table as added
    for each statement execute function ops.check_senders();
create trigger authored before insert on curation.note for each row execute function ops.check_author('author_id');
create trigger authored before insert on curation.bulk_action for each row execute function ops.check_author('created_by');
create trigger authored before insert on curation.saved_view for each row execute function ops.check_author('owner_id');
create trigger authored before insert on curation.release for each row execute function ops.check_author('created_by');
create trigger authored before insert on curation.publication for each row execute function ops.check_author('actor_id');
create trigger authored before insert on curation.preview for each row execute function ops.check_author('created_by');
create trigger authored before insert on curation.screening_rules for each row execute function ops.check_author('created_by');
create trigger authored before insert on curation.screening_activation
    for each row execute function ops.check_author('created_by');
create trigger authored before insert on curation.playlist_check for each row execute function ops.check_author('checked_by');
create trigger authored before insert on ops.media for each row execute function ops.check_author('uploaded_by');
create trigger authored before insert on ops.webhook for each row execute function ops.check_author('created_by');

reset role;
