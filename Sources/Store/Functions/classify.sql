-- Functions of the external classifier. Each locks the one row of ops.classifier first, so that daemons agree on the budget and
-- the breaker; none is open while the service responds.

-- Counts in the current hour.
create or replace function ops.count_classifier(p_calls integer default 0, p_responses integer default 0,
    p_failures integer default 0, p_reused integer default 0, p_skipped integer default 0) returns void language sql as $$
    insert into ops.classifier_hour as h (hour, calls, responses, failures, reused, skipped)
    values (date_trunc('hour', clock_timestamp(), 'UTC'), p_calls, p_responses, p_failures, p_reused, p_skipped)
    on conflict (hour) do update set calls = h.calls + excluded.calls, responses = h.responses + excluded.responses,
        failures = h.failures + excluded.failures, reused = h.reused + excluded.reused, skipped = h.skipped + excluded.skipped
$$;

-- Decides whether a claimed submission may be asked about: "call", and it is counted; "reused", and it has an earlier answer about
-- the same text; "skipped", because the budget is used up; "postponed", because the breaker is open or another daemon asks
-- about the same text; "outdated", because it was resubmitted. Postponing doesn't count as an attempt.
create or replace function ops.admit_classification(p_submission uuid, p_message uuid, p_hash bytea, p_per_hour integer,
    p_per_day integer, p_cache_seconds integer, p_lease_seconds integer) returns text language plpgsql as $$
declare
    service ops.classifier;
    known curation.classification;
    later timestamptz;
    moment timestamptz;
begin
    select * into service from ops.classifier for update;
    moment := clock_timestamp();
    perform from curation.classification c
    where c.submission_id = p_submission and c.message_id = p_message and c.state = 'waiting' for update;
    if not found then return 'outdated'; end if;

    select * into known from curation.classification c
    where c.content_hash = p_hash and c.state = 'scored' and c.responded_at > moment - make_interval(secs => p_cache_seconds)
    order by c.responded_at desc limit 1;
    if found then
        update curation.classification c set state = 'scored', content_hash = p_hash, asked_until = null, score = known.score,
            reasons = known.reasons, service_name = known.service_name, service_version = known.service_version,
            responded_at = known.responded_at, finished_at = moment
        where c.submission_id = p_submission;
        perform ops.count_classifier(p_reused => 1);
        return 'reused';
    end if;

    if exists (select from curation.classification c
        where c.content_hash = p_hash and c.asked_until > moment and c.submission_id <> p_submission) then
        later := moment + interval '1 second';
    elsif service.open_until > moment then
        later := service.open_until;
    elsif service.open_until is not null and service.probe_until > moment then
        later := moment + interval '1 second';
    end if;
    if later is not null then
        update curation.classification c set next_at = later, attempts = c.attempts - 1 where c.submission_id = p_submission;
        return 'postponed';
    end if;

    if (select coalesce(sum(h.calls) filter (where h.hour = date_trunc('hour', moment, 'UTC')), 0) >= p_per_hour
            or coalesce(sum(h.calls), 0) >= p_per_day
        from ops.classifier_hour h where h.hour >= date_trunc('day', moment, 'UTC')) then
        update curation.classification c set state = 'skipped', problem = 'The budget is used up.', finished_at = moment
        where c.submission_id = p_submission;
        perform ops.count_classifier(p_skipped => 1);
        return 'skipped';
    end if;

    later := moment + make_interval(secs => p_lease_seconds);
    update curation.classification c set content_hash = p_hash, asked_until = later, next_at = later
    where c.submission_id = p_submission;
    if service.open_until is not null then update ops.classifier set probe_until = later; end if;
    perform ops.count_classifier(p_calls => 1);
    return 'call';
end $$;

-- Records an answer, and closes the breaker. Returns whether it was not closed.
create or replace function ops.score_classification(p_submission uuid, p_message uuid, p_score integer, p_reasons jsonb,
    p_name text, p_version text, p_duration_ms integer) returns boolean language plpgsql as $$
declare
    service ops.classifier;
    moment timestamptz;
begin
    select * into service from ops.classifier for update;
    moment := clock_timestamp();
    update curation.classification c set state = 'scored', asked_until = null, score = p_score, reasons = p_reasons,
        service_name = p_name, service_version = p_version, duration_ms = p_duration_ms, problem = null, responded_at = moment,
        finished_at = moment
    where c.submission_id = p_submission and c.message_id = p_message and c.state = 'waiting';
    update ops.classifier set failures = 0, failing_since = null, last_error = null, responded_at = moment, pause_seconds = null,
        open_until = null, probe_until = null;
    perform ops.count_classifier(p_responses => 1);
    return service.open_until is not null;
end $$;

-- Records a failed call, after which the submission is asked about again in so many seconds, or never (null). Opens the breaker
-- after so many failures in a row, after a failed call of a half-open one, and when the service asks for a pause. Returns when
-- the breaker opens until then; null if it does not open now.
create or replace function ops.fail_classification(p_submission uuid, p_message uuid, p_error text, p_retry_seconds float8,
    p_breaker_failures integer, p_first_pause integer, p_longest_pause integer, p_asked_pause integer)
    returns timestamptz language plpgsql as $$
declare
    service ops.classifier;
    moment timestamptz;
    pause integer;
begin
    select * into service from ops.classifier for update;
    moment := clock_timestamp();
    update curation.classification c set asked_until = null, problem = left(p_error, 500),
        state = case when p_retry_seconds is null then 'failed' else 'waiting' end,
        finished_at = case when p_retry_seconds is null then moment end,
        next_at = moment + make_interval(secs => coalesce(p_retry_seconds, 0))
    where c.submission_id = p_submission and c.message_id = p_message and c.state = 'waiting';
    perform ops.count_classifier(p_failures => 1);
    if service.open_until > moment then
        null; -- a call that began before it opened
    elsif service.open_until is not null then
        pause := least(service.pause_seconds * 2, p_longest_pause);
    elsif service.failures + 1 >= p_breaker_failures or p_asked_pause > 0 then
        pause := p_first_pause;
    end if;
    update ops.classifier set failures = failures + 1, failing_since = coalesce(failing_since, moment),
        last_error = left(p_error, 500), probe_until = null, pause_seconds = coalesce(pause, pause_seconds),
        open_until = case when pause is null then open_until
            else moment + make_interval(secs => greatest(pause, least(p_asked_pause, p_longest_pause))) end;
    return case when pause is not null then (select open_until from ops.classifier) end;
end $$;

grant execute on function ops.count_classifier(integer, integer, integer, integer, integer),
    ops.admit_classification(uuid, uuid, bytea, integer, integer, integer, integer),
    ops.score_classification(uuid, uuid, integer, jsonb, text, text, integer),
    ops.fail_classification(uuid, uuid, text, float8, integer, integer, integer, integer) to @daemon@;
