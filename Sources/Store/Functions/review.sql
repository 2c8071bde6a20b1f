-- Functions of the review process.

-- PL/pgSQL keeps the plans of these functions. PostgreSQL would plan functions in SQL again for each statement that calls them,
-- which takes longer than running them.

-- The state of a submission follows from its latest decision.
create or replace function curation.submission_state(submission uuid) returns text language plpgsql stable as $$
begin
    return coalesce((
        select case d.verdict when 'approve' then 'approved' when 'reject' then 'rejected' when 'request_changes' then 'changes_requested'
                              when 'duplicate' then 'duplicate' else 'pending' end
        from curation.decision d where d.submission_id = submission_state.submission order by d.number desc limit 1), 'pending');
end $$;

-- Whether this account rejected the submission that is appealed: then another person or an administrator must decide.
-- The command line acts for the operator and is exempt.
create or replace function curation.rejected_by(p_submission uuid, p_decider uuid, p_role text) returns boolean
language plpgsql stable as $$
begin
    -- Few submissions are appealed.
    return exists (
        select from curation.decision a join curation.decision r on r.id = a.resubmits
        join ops.actor d on d.id = r.decided_by and d.kind <> 'system'
        where a.submission_id = p_submission and a.verdict = 'appeal' and r.decided_by = p_decider)
        and not ops.role_has(p_role, 'administer');
end $$;

-- The review stages of submissions in order, with the approvals so far, if approved into these categories (one array
-- literal per submission).
create or replace function curation.stages_of(p_submissions uuid[], p_categories text[])
returns table (submission_id uuid, stage_id uuid, number integer, name text, role text, required_approvals integer, approvals integer)
language plpgsql stable rows 10 as $$
begin
    -- Most teams have no stages.
    if not exists (select from curation.review_stage z where z.archived_at is null) then return; end if;
    return query
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
            select r.content from curation.revision r where r.entry_id = c.id order by r.number desc limit 1) n));
end $$;

-- How many people have approved a revision, and how many its content type requires. With four eyes, the author's own approval
-- does not count. With a search path of its own, because triggers have another one than other callers, and PostgreSQL plans again
-- after each change.
create or replace function curation.approvals_of(p_revision uuid, out required integer, out approved integer)
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    select t.required_approvals, count(distinct c.actor_id) filter (where not t.four_eyes or c.actor_id <> r.author_id)
    into required, approved
    from curation.revision r
    join curation.entry e on e.id = r.entry_id
    join curation.content_type t on t.name = e.type
    left join curation.approval c on c.revision_id = r.id
    where r.id = p_revision
    group by t.required_approvals;
end $$;

-- The lowest ID that a row of that time can have.
create or replace function curation.uuid_v7_from(p_time timestamptz) returns uuid language sql immutable as $$
    select (lpad(to_hex((extract(epoch from p_time) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

grant execute on function curation.submission_state(uuid), curation.rejected_by(uuid, uuid, text),
    curation.stages_of(uuid[], text[]), curation.approvals_of(uuid), curation.uuid_v7_from(timestamptz),
    curation.require_stage_approvals(uuid) to @daemon@;
