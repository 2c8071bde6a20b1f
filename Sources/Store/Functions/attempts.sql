-- Limits of attempts.

-- Counts an attempt of each subject, unless one of them has made as many as its limit in the last p_minutes; then it returns
-- the seconds to wait. `failed` are the subjects with earlier attempts in that time. Attempts with a common subject wait for each other, so that parallel ones are counted.
create or replace function ops.count_attempt(
    p_subjects text[], p_limits integer[], p_minutes integer, out counted_at timestamptz, out wait_seconds integer,
    out failed text[]
) language plpgsql as $$
declare
    since timestamptz;
begin
    -- in one order everywhere, against deadlocks
    perform pg_advisory_xact_lock(hashtextextended('attempt ' || s.subject, 0))
    from (select distinct subject from unnest(p_subjects) subject order by subject) s;
    since := clock_timestamp() - make_interval(mins => p_minutes);
    select max(ceil(extract(epoch from a.failed_at - since)))::integer into wait_seconds
    from unnest(p_subjects, p_limits) l (subject, most)
    cross join lateral (
        select f.failed_at from ops.sign_in_failure f
        where f.subject = l.subject and f.failed_at > since
        order by f.failed_at desc offset l.most - 1 limit 1) a;
    if wait_seconds is not null then return; end if;
    failed := array(
        select distinct f.subject from ops.sign_in_failure f where f.subject = any(p_subjects) and f.failed_at > since);
    counted_at := clock_timestamp();
    insert into ops.sign_in_failure (subject, failed_at) select distinct s, counted_at from unnest(p_subjects) s;
end $$;
grant execute on function ops.count_attempt(text[], integer[], integer) to @daemon@;
