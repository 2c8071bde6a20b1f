-- Trigger functions of contributors.

-- Every sender of a submission has a row, whatever stored it. In one order, so that concurrent statements wait for each other
-- instead of deadlocking.
create or replace function curation.record_contributors() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    insert into curation.contributor (client_id, name, first_seen_at)
    select a.client_id, a.contributor, min(a.received_at) from added a where a.contributor is not null
    group by a.client_id, a.contributor order by a.client_id, a.contributor
    on conflict (client_id, name) do nothing;
    return null;
end $$;

-- Refuses a status by somebody without an audit event in this transaction, and to trust a name that anybody can write.
create or replace function curation.check_contributor_status() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if new.status is not null and not ops.has_event(new.status_by) then
        perform curation.refuse('audit_event_author', 'contributor: who sets the status has no audit event');
    end if;
    if new.status = 'trusted' and exists (select from ops.actor a where a.id = new.client_id and a.kind = 'form') then
        perform curation.refuse('contributor_trusted_form', 'anybody can write this name into a submission form');
    end if;
    return new;
end $$;

-- Submissions that are held follow the block: to its new end, or back into the queue.
create or replace function curation.update_held() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    until timestamptz := case when new.status = 'blocked' then coalesce(new.status_until, 'infinity') end;
begin
    update curation.queue_item q set is_held = until is not null, snoozed_until = until
    from curation.submission s
    where q.is_held and q.snoozed_until > now() and s.id = q.submission_id and s.client_id = new.client_id and s.contributor = new.name;
    return null;
end $$;

-- Refuses to decide, undo or reopen a submission without content.
create or replace function curation.check_erased() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if exists (select from curation.submission s where s.id = new.submission_id and s.erased_at is not null) then
        perform curation.refuse('decision_erased', 'the data of the contributor was erased');
    end if;
    return new;
end $$;
