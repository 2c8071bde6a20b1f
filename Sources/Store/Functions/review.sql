-- Functions of the review process.

-- The state of a submission follows from its latest decision.
create or replace function curation.submission_state(submission uuid) returns text language sql stable as $$
    select coalesce((
        select case d.verdict when 'approve' then 'approved' when 'reject' then 'rejected' when 'request_changes' then 'changes_requested'
                              when 'duplicate' then 'duplicate' else 'pending' end
        from curation.decision d where d.submission_id = submission order by d.number desc limit 1), 'pending')
$$;

-- Whether this account rejected the submission that is appealed: then another person or an administrator must decide.
-- The command line acts for the operator and is exempt.
create or replace function curation.rejected_by(p_submission uuid, p_decider uuid, p_role text) returns boolean
language sql stable as $$
    select not ops.role_has(p_role, 'administer') and exists (
        select from curation.decision a join curation.decision r on r.id = a.resubmits
        join ops.actor d on d.id = r.decided_by and d.kind <> 'system'
        where a.submission_id = p_submission and a.verdict = 'appeal' and r.decided_by = p_decider)
$$;

-- The review stages of submissions in order, with the approvals so far, if approved into these categories (one array
-- literal per submission).
create or replace function curation.stages_of(p_submissions uuid[], p_categories text[])
returns table (submission_id uuid, stage_id uuid, number integer, name text, role text, required_approvals integer, approvals integer)
language sql stable as $$
    select i.id, t.id, t.number::integer, t.name, t.role, t.required_approvals::integer, (
        select count(*)::integer from curation.submission_approval a
        where a.submission_id = i.id and a.stage_id = t.id and a.undone_at is null and a.version = (
            select coalesce(max(d.number), 0) from curation.decision d where d.submission_id = i.id and d.verdict <> 'approve'))
    from unnest(p_submissions, p_categories) i (id, categories)
    join curation.submission s on s.id = i.id
    join curation.review_stage t on t.archived_at is null and (t.type = s.type or t.group_id in (
        select (n.content ->> 'group')::uuid
        from unnest(i.categories::uuid[]) c (id)
        cross join lateral (
            select r.content from curation.revision r where r.entry_id = c.id order by r.number desc limit 1) n))
$$;

-- How many people have approved a revision, and how many its content type requires. With four eyes, the author's own approval
-- does not count.
create or replace function curation.approvals_of(p_revision uuid, out required integer, out approved integer)
language sql stable as $$
    select t.required_approvals, count(c.actor_id) filter (where not t.four_eyes or c.actor_id <> r.author_id)
    from curation.revision r
    join curation.entry e on e.id = r.entry_id
    join curation.content_type t on t.name = e.type
    left join (select distinct revision_id, actor_id from curation.approval) c on c.revision_id = r.id
    where r.id = p_revision
    group by t.required_approvals
$$;

-- The lowest ID that a row of that time can have.
create or replace function curation.uuid_v7_from(p_time timestamptz) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from p_time) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

grant execute on function curation.submission_state(uuid), curation.rejected_by(uuid, uuid, text),
    curation.stages_of(uuid[], text[]), curation.approvals_of(uuid), curation.uuid_v7_from(timestamptz) to @daemon@;
