-- Plans: what a publication would change. The changes are undone inside the functions.

-- Returns the base publication, the numbers of rows, the first p_limit rows (null for all) before and after, and a
-- digest of all rows by which a later plan can be compared. The publication numbers in tombstones, for example, are not
-- part of the digest. `blocked` contains the entries that the publication would be refused for: those whose rows violate
-- a check of their read table (at most 1000), or the first that any other rule refuses.
create or replace function curation.plan(p_entries uuid[], p_revisions uuid[], p_limit integer) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    plan jsonb;
    counter curation.publication_counter;
    base bigint;
    rule text;
    reason text;
    detail text;
    content_tables text[];
begin
    begin
        insert into ops.audit_event (actor_id, action, object_type)
        values ('00000000-0000-7000-8000-000000000001', 'publication.plan', 'publication');
        select * into counter from curation.publication_counter for update;
        base := counter.number;
        if curation.change_live(base + 1, p_entries, p_revisions) + curation.apply_pending(base + 1) > 0 then
            perform curation.begin_publication(base + 1, '00000000-0000-7000-8000-000000000001', null, '');
        end if;
        content_tables := array(select kind from curation.content_type union select name from curation.content_type);
        select jsonb_build_object('base', base, 'total', count(*),
                'inserted', count(*) filter (where d.operation = 'insert'),
                'updated', count(*) filter (where d.operation = 'update'),
                'deleted', count(*) filter (where d.operation = 'delete'),
                'digest', to_hex(coalesce(bit_xor(hashtextextended(concat(
                    d.read_table, ' ', d.key, d.operation, case when d.read_table not in ('tombstone'
                        -- packs: tables_with_publication
                    ) then d.mark end), 0)), 0)),
                'rows', coalesce(jsonb_agg(to_jsonb(d) - 'position' - 'mark' - 'refused' - 'refusal' order by d.position)
                    filter (where d.position <= coalesce(p_limit, d.position)), '[]'),
                'blocked', coalesce(jsonb_agg(curation.blocked_entry(d.refused, '', d.key) order by d.position)
                    filter (where d.refused is not null and d.refusal <= 1000), '[]'))
        into plan
        from (
            -- Content first, each entry with all of its rows, then what follows from it, such as its positions in feeds. Within
            -- a table it is the order of plan_all, which reads the contents of the first rows only.
            select p.*, row_number() over (
                    order by t.name = any(content_tables) desc, t.name, p.operation, p.key, p.read_table) as position,
                row_number() over (partition by p.refused is null order by p.read_table, p.key) as refusal
            from projection.plan_all(base + 1, coalesce(p_limit, 2147483647), curation.causes(base + 1)) p
            cross join lateral (select case when right(p.read_table, 5) = '_full' then left(p.read_table, -5)
                else p.read_table end as name) t) d;
        -- Writing the rows checks everything else, such as unique keys.
        if plan -> 'blocked' = '[]' then perform projection.apply_all(base + 1, counter.change_number); end if;
        raise exception using errcode = 'VT000';
    exception
        when sqlstate 'VT000' then
            null;
        when integrity_constraint_violation then
            get stacked diagnostics rule = constraint_name, reason = message_text, detail = pg_exception_detail;
            plan := coalesce(plan, jsonb_build_object('base', base, 'total', 0, 'inserted', 0, 'updated', 0, 'deleted', 0,
                'digest', '', 'rows', '[]'::jsonb)) || jsonb_build_object('blocked',
                jsonb_build_array(curation.blocked_entry(rule, reason, detail)));
    end;
    return plan;
end $$;

select curation.read_through_indexes('plan(uuid[], uuid[], integer)');

grant execute on function curation.plan(uuid[], uuid[], integer) to @daemon@;
