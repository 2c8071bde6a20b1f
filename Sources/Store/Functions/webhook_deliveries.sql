-- Messages to webhooks. They are thin: receivers fetch details from the API.

-- A timestamp in UTC with milliseconds.
create or replace function ops.webhook_time(moment timestamptz) returns text language sql stable as $$
    select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- One message per changed entry for a range of publications.
create or replace function ops.entry_messages(p_from bigint, p_to bigint)
returns table (type text, publication bigint, entry_id uuid, body text) language sql stable rows 10 as $$
    select m.type, m.publication, m.entry_id, row_to_json(m.message)::text
    from (
        select e.event as type, c.publication, c.entry_id,
            (select message from (select e.event as type, ops.webhook_time(p.published_at) as timestamp,
                (select data from (select c.publication, p.tag as publication_tag, c.entry_id as entry, c.type, c.kind,
                    r.content ->> 'slug' as slug, r.number as revision) data) as data) message) as message
        from curation.publication_change c
        join curation.publication p on p.number = c.publication
        join curation.revision r on r.id = coalesce(c.new_revision, c.old_revision)
        cross join lateral (select case when c.old_revision is null then 'entry.published'
            when c.new_revision is null then 'entry.unpublished' else 'entry.updated' end as event) e
        where c.publication between p_from and p_to) m
$$;

-- Inserts the messages in the publication's own transaction. Called by curation.end_publication.
create or replace function ops.notify_publication(p_number bigint) returns void language plpgsql as $$
begin
    if not exists (select from ops.webhook where state <> 'disabled') then return; end if;
    insert into ops.outbox_message (webhook_id, type, publication, entry_id, body)
    select w.id, m.type, m.publication, m.entry_id, m.body
    from ops.entry_messages(p_number, p_number) m
    join ops.webhook w on w.state <> 'disabled' and m.type = any (w.events);
end $$;

-- Reports a failed release. Called by curation.publish_due.
create or replace function ops.notify_failure(p_release uuid) returns void language plpgsql as $$
begin
    insert into ops.outbox_message (webhook_id, type, body)
    select w.id, 'release.failed', row_to_json(m)::text
    from (
        select 'release.failed' as type, ops.webhook_time(r.finished_at) as timestamp,
            (select data from (select r.number as release, r.title, ops.webhook_time(r.due_at) as due_at,
                left(r.failure, 1000) as reason) data) as data
        from curation.release r where r.id = p_release) m
    join ops.webhook w on w.state <> 'disabled' and m.type = any (w.events);
end $$;

-- Reports decisions. Receivers identify the submission by its ID.
create or replace function ops.notify_decisions(p_decisions uuid[]) returns void language plpgsql as $$
begin
    insert into ops.outbox_message (webhook_id, type, body)
    select w.id, m.type, row_to_json(m)::text
    from (
        select 'submission.decided' as type, ops.webhook_time(d.decided_at) as timestamp,
            (select data from (select d.submission_id as submission, s.client_id as client, d.id as decision, d.verdict,
                curation.submission_state(d.submission_id) as state, d.reason, d.message) data) as data
        from curation.decision d join curation.submission s on s.id = d.submission_id
        where d.id = any (p_decisions)) m
    join ops.webhook w on w.state <> 'disabled' and m.type = any (w.events);
end $$;

-- Reports the decision of a report case. Apps know their reports of the entry, or read them by their IDs. The note stays with the
-- team.
create or replace function ops.notify_report_decided(p_case uuid) returns void language plpgsql as $$
begin
    insert into ops.outbox_message (webhook_id, type, body)
    select w.id, m.type, row_to_json(m)::text
    from (
        select 'report.decided' as type, ops.webhook_time(c.decided_at) as timestamp,
            (select data from (select c.id as report_case, c.entry_id as entry, e.type as entry_type, c.outcome,
                (select count(*) from curation.report r where r.case_id = c.id) as reports) data) as data
        from curation.report_case c join curation.entry e on e.id = c.entry_id where c.id = p_case) m
    join ops.webhook w on w.state <> 'disabled' and m.type = any (w.events);
end $$;

-- Sends all messages since a publication again, including ones that were never sent. Returns their number.
create or replace function ops.replay_webhook(p_webhook uuid, p_from bigint) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    deliveries bigint;
begin
    insert into ops.outbox_message (webhook_id, type, publication, entry_id, body)
    select w.id, m.type, m.publication, m.entry_id, m.body
    from ops.webhook w join ops.entry_messages(p_from, (select number from curation.publication_counter)) m
        on m.type = any (w.events)
    where w.id = p_webhook
    on conflict on constraint webhook_delivery_once do update
    set state = 'waiting', attempts = 0, next_at = clock_timestamp(), finished_at = null;
    get diagnostics deliveries = row_count;
    perform pg_notify('vitrine_outbox', '');
    return deliveries;
end $$;

grant execute on function ops.webhook_time(timestamptz), ops.notify_decisions(uuid[]), ops.notify_report_decided(uuid),
    ops.replay_webhook(uuid, bigint)
    to @daemon@;
