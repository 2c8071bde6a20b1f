-- Trigger functions of reports.

-- Every reporter with a name has a row as a contributor, so that their data can be exported and erased. In one order, so that
-- concurrent statements wait for each other instead of deadlocking.
create or replace function curation.record_reporters() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    insert into curation.contributor (client_id, name, first_seen_at)
    select a.client_id, a.reporter, min(a.received_at) from added a where a.reporter is not null
    group by a.client_id, a.reporter order by a.client_id, a.reporter
    on conflict (client_id, name) do nothing;
    return null;
end $$;

-- A decision stands: later reports open another case.
create or replace function curation.refuse_second_decision() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    perform curation.refuse('report_case_decided_once', 'this report case was decided');
    return null;
end $$;

-- Notifies webhooks of a decision now, and reporters by mail as contributors are notified.
create or replace function ops.record_report_outcomes() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    insert into ops.outcome (decision_id, report_id, decided_at)
    select r.id, r.id, new.decided_at from curation.report r where r.case_id = new.id and r.reporter_email is not null;
    perform ops.notify_report_decided(new.id);
    return null;
end $$;
