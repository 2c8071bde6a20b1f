-- Functions about contributors.

-- Until when a contributor is blocked: infinity for ever; null if not. A block ends exactly at its time.
create or replace function curation.blocked_until(p_client uuid, p_name text) returns timestamptz language sql stable as $$
    select coalesce(c.status_until, 'infinity') from curation.contributor c
    where c.client_id = p_client and c.name = p_name and c.status = 'blocked' and (c.status_until is null or c.status_until > now())
$$;

-- Holds those of these queue items whose contributors are blocked.
-- Because of the lock, a transaction that lifts the block waits for this one and then finds what it holds.
create or replace function curation.hold(p_submissions uuid[]) returns void language sql as $$
    with blocked as materialized (
        select s.id, coalesce(c.status_until, 'infinity') as until
        from curation.submission s join curation.contributor c on c.client_id = s.client_id and c.name = s.contributor
        where s.id = any(p_submissions) and c.status = 'blocked' and (c.status_until is null or c.status_until > now())
        for share of c)
    update curation.queue_item q set is_held = true, snoozed_until = b.until from blocked b where q.submission_id = b.id
$$;

-- Erases everything that a contributor has sent, and everything that identifies them, from their submissions. Entries that were
-- approved, decisions and audit events stay. Returns how many submissions were erased; null if there is no such contributor.
create or replace function curation.erase_contributor(p_id uuid) returns bigint language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    erased curation.contributor;
    ids uuid[];
    -- One time for all, by which packs know them as one contributor's.
    moment timestamptz := clock_timestamp();
begin
    if not ops.may_administer() then
        perform curation.refuse('audit_event_administrator', 'only administrators without an access scope erase contributors');
    end if;
    select * into erased from curation.contributor where id = p_id for update;
    if not found then return null; end if;
    ids := array(select s.id from curation.submission s where s.client_id = erased.client_id and s.contributor = erased.name);
    if exists (select from curation.queue_item q where q.submission_id = any(ids)) then
        perform curation.refuse('contributor_pending', 'submissions of this contributor are pending');
    end if;
    update curation.submission s set contributor = null, contributor_email = null, contributor_locale = null,
        idempotency_key = null, request_hash = decode(repeat('00', 32), 'hex'), source_name = null, source_url = null,
        requested_category = null,
        title = case when exists (select from curation.entry e where e.submission_id = s.id) then s.title else '' end,
        fields = '{}', received = '{}', erased_at = moment
    where s.id = any(ids);
    update curation.submission_version v set title = '', fields = '{}', received = '{}' where v.submission_id = any(ids);
    update curation.decision d set message = 'Erased' where d.submission_id = any(ids) and d.verdict = 'appeal';
    delete from curation.mention m using curation.note n
    where n.id = m.note_id and (n.submission_id = any(ids) or n.contributor_id = p_id);
    -- Their audit events stay, and so does what these are paired with: that a note was written.
    with erased_note as (
        delete from curation.note n where n.submission_id = any(ids) or n.contributor_id = p_id returning n.audit_transaction)
    insert into ops.changed_table (transaction, name)
    select distinct n.audit_transaction, 'curation.note' from erased_note n where n.audit_transaction is not null
    on conflict do nothing;
    delete from ops.outbox_message m where m.submission_id = any(ids);
    delete from curation.similarity y where y.subject_id = any(ids);
    delete from curation.similarity_key y where y.subject_id = any(ids);
    update curation.submission_search x set terms = curation.submission_terms(s.title, null, ''), domains = '{}', is_complete = true
    from curation.submission s where s.id = any(ids) and x.submission_id = s.id;
    update curation.screening n set reasons = '[]', inputs = '{}' where n.submission_id = any(ids);
    delete from ops.outbox_message m using curation.report r
    where r.client_id = erased.client_id and r.reporter = erased.name and m.dedupe = 'outcome:' || r.id;
    update curation.report r set reporter = null, reporter_email = null, reporter_locale = null, idempotency_key = null,
        request_hash = decode(repeat('00', 32), 'hex'), text = '', erased_at = clock_timestamp()
    where r.client_id = erased.client_id and r.reporter = erased.name;
    delete from curation.classification n where n.submission_id = any(ids);
    delete from curation.spam_token t where t.field = 'contributor' and t.token = left(erased.name, 100);
    delete from curation.contributor_record r where r.client_id = erased.client_id and r.contributor = erased.name;
    delete from curation.contributor_hour h where h.client_id = erased.client_id and h.contributor = erased.name;
    delete from curation.contributor c where c.id = p_id;
    return cardinality(ids);
end $$;

-- Erases the email addresses of reporters, which the program needs once.
create or replace function curation.erase_report_emails(p_ids uuid[]) returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if not ops.may_change('') then perform ops.refuse_change('UPDATE', 'report'); end if;
    update curation.report set reporter_email = null, reporter_locale = null where id = any(p_ids);
end $$;

grant execute on function curation.blocked_until(uuid, text), curation.hold(uuid[]), curation.erase_contributor(uuid),
    curation.erase_report_emails(uuid[]) to @daemon@;
