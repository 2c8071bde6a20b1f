-- Trigger functions of decisions and review stages.

-- Refuses an original that is a duplicate itself, so that following originals ends, and a duplicate of itself.
create or replace function curation.check_duplicate() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    perform pg_advisory_xact_lock(hashtextextended('curation.duplicate', 0));
    if new.original_submission_id = new.submission_id or exists (
        select from curation.entry e where e.id = new.original_entry_id and e.submission_id = new.submission_id) then
        perform curation.refuse('decision_own_original', 'a submission cannot be a duplicate of itself');
    end if;
    if curation.submission_state(new.original_submission_id) = 'duplicate' then
        perform curation.refuse('decision_original_is_duplicate', 'the original is itself a duplicate');
    end if;
    return new;
end $$;

-- Refuses to mention somebody who can't see what a note is about. A submission may be assigned to anybody, with the reason.
create or replace function curation.check_mentions() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if not ops.has_restricted_accounts() then return null; end if;
    if exists (
        select from added m join curation.note n on n.id = m.note_id join ops.account a on a.id = m.account_id
        where n.kind = 'note' and not ops.subject_in_scope(a.types, a.groups, n.submission_id, n.entry_id)
            and not ops.contributor_in_scope(a.types, a.groups, n.contributor_id)) then
        perform curation.refuse('mention_scope', 'the mentioned person cannot see what the note is about');
    end if;
    return null;
end $$;

-- Refuses a decision on an appeal by the person who rejected the submission.
create or replace function curation.check_appeal() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    -- Few submissions are appealed.
    if exists (select from curation.decision d where d.submission_id = new.submission_id and d.verdict = 'appeal')
        and curation.rejected_by(new.submission_id, new.decided_by, null)
        and not ops.role_has(ops.acting_role(new.decided_by, new.decider_role), 'administer') then
        perform curation.refuse('decision_appeal_by_another', 'the person who rejected a submission cannot decide its appeal');
    end if;
    return new;
end $$;

-- Refuses an approval outside the first open stage, by a role that does not include the stage's, or of one's own submission.
create or replace function curation.check_submission_approval() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    stage curation.review_stage;
begin
    select * into stage from curation.review_stage where id = new.stage_id;
    -- One approval at a time, so that each sees the earlier ones.
    perform from curation.queue_item where submission_id = new.submission_id for update;
    if not found then
        -- Submissions with requested changes are not in the queue, but can be approved.
        perform pg_advisory_xact_lock(hashtextextended('curation.submission_approval ' || new.submission_id, 0));
        if curation.submission_state(new.submission_id) <> 'changes_requested' then
            perform curation.refuse('submission_approval_open', 'the submission is not awaiting review');
        end if;
    end if;
    if exists (
        select from curation.submission s left join ops.account a on a.id = new.approved_by
        where s.id = new.submission_id and (s.client_id = new.approved_by or lower(a.email) = lower(s.contributor_email))) then
        perform curation.refuse('submission_approval_own', 'people cannot approve their own submissions');
    end if;
    -- The command line acts for the operator.
    if new.approved_by <> '00000000-0000-7000-8000-000000000002'
        and not ops.role_includes(ops.acting_role(new.approved_by, new.role), stage.role) then
        perform curation.refuse('submission_approval_role', 'this stage requires another role');
    end if;
    if stage.archived_at is not null or exists (
        select from curation.review_stage t
        where t.archived_at is null and t.number < stage.number
          and (t.type = stage.type or t.group_id = stage.group_id) and t.required_approvals > (
            select count(*) from curation.submission_approval a
            where a.submission_id = new.submission_id and a.stage_id = t.id and a.version = new.version
              and a.undone_at is null)) then
        perform curation.refuse('submission_approval_order', 'an earlier stage is not complete');
    end if;
    return new;
end $$;

-- Approvals in stages are withdrawn once, by who gave them, and change in no other way.
create or replace function curation.check_withdrawn_approval() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if old.undone_at is not null or new.undone_at is null or not ops.has_event(old.approved_by) then
        perform curation.refuse('submission_approval_withdrawal', 'people withdraw their own approvals only');
    end if;
    return new;
end $$;

-- Refuses to approve a submission before all stages are complete, those of its categories included.
create or replace function curation.require_stage_approvals(p_submission uuid) returns void language plpgsql as $$
begin
    if exists (
        select from curation.stages_of(array[p_submission], array[coalesce((
            select array_agg(f.target_entry_id)::text from curation.entry e
            cross join lateral (
                select id from curation.revision r where r.entry_id = e.id order by r.number desc limit 1) r
            join curation.reference f on f.revision_id = r.id and f.field = 'categories'
            where e.submission_id = p_submission), '{}')]) t
        where t.approvals < t.required_approvals) then
        perform curation.refuse('decision_needs_approvals', 'approvals are missing');
    end if;
end $$;

-- Runs at commit, when the categories are known, or earlier if the session wants it: then curation.check_references does it
-- again.
create or replace function curation.check_stage_approvals() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    -- Fast path: most teams have no stages.
    if exists (select from curation.review_stage where archived_at is null) then
        perform curation.require_stage_approvals(new.submission_id);
    end if;
    return null;
end $$;

-- Records the notification of a decision. A later decision supersedes unsent notifications and cancels mails that were
-- not attempted.
create or replace function ops.record_outcome() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    -- Nothing is to be superseded by first decisions, which are most.
    if exists (select from decided where number > 1) then
        update ops.outcome o set state = 'superseded', finished_at = clock_timestamp()
        from decided d where o.submission_id = d.submission_id and o.state = 'waiting';
    end if;
    update ops.outbox_message m set state = 'canceled', finished_at = clock_timestamp()
    from decided d where m.submission_id = d.submission_id and m.state = 'waiting' and m.attempts = 0;
    insert into ops.outcome (decision_id, submission_id, decided_at)
    select id, submission_id, decided_at from decided where verdict in ('approve', 'reject', 'request_changes');
    return null;
end $$;
