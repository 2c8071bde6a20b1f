-- How projections become functions that compare their view with the read tables, and plan or write the differences.

-- Compares affected keys: n contains a key and the projected row; the table is read through its index.
create or replace function projection.difference_by_key(table_name text, table_key text[]) returns projection.difference
language plpgsql as $install$
declare
    d projection.difference := projection.difference_of(table_name, table_key);
    has_old text := 't.row_id is not null';
    has_new text := format('(n.%I).%I is not null', table_name, table_key[1]);
begin
    d.key_columns := (select string_agg(format('n.%I', c), ', ') from unnest(table_key) c);
    d.new_columns := array(select format('(n.%1$I).%2$I', table_name, c) from unnest(d.others) c);
    d.old_row := 't.old_row';
    d.new_row := format('n.%I', table_name);
    d.row_id := 't.row_id';
    d.operation := format($q$case when not %s then 'insert' when not %s then 'delete' else 'update' end$q$, has_old, has_new);
    d.source := format('n
        left join lateral (
            select v as old_row, v.ctid as row_id from api_v1.%1$I v where %2$s offset 0) t on true
        where (%3$s) <> (%4$s) or t.old_row *<> n.%1$I', table_name,
        (select string_agg(format('v.%1$I = n.%1$I', c), ' and ') from unnest(table_key) c), has_old, has_new);
    return d;
end $install$;

-- Compares all rows of one table, for a complete repair.
create or replace function projection.difference_by_all(projection_name text, table_name text, table_key text[])
returns projection.difference language plpgsql as $install$
declare
    d projection.difference := projection.difference_of(table_name, table_key);
    has_old text := format('t.%I is not null', table_key[1]);
    has_new text := format('n.%I is not null', table_key[1]);
begin
    d.key_columns := (select string_agg(format('coalesce(n.%1$I, t.%1$I) as %1$I', c), ', ') from unnest(table_key) c);
    d.new_columns := array(select format('n.%I', c) from unnest(d.others) c);
    d.old_row := 't';
    d.new_row := 'n';
    d.row_id := 't.ctid';
    d.operation := format($q$case when not %s then 'insert' when not %s then 'delete' else 'update' end$q$, has_old, has_new);
    d.source := format('(select (v.%2$I).* from projection.%1$I v where (v.%2$I).%3$I is not null) n
        full join api_v1.%2$I t on %4$s where (%5$s) <> (%6$s) or t *<> n', projection_name, table_name, table_key[1],
        (select string_agg(format('t.%1$I = n.%1$I', c), ' and ') from unnest(table_key) c), has_old, has_new);
    return d;
end $install$;

-- The common part of both.
create or replace function projection.difference_of(table_name text, table_key text[]) returns projection.difference
language plpgsql as $install$
declare
    d projection.difference;
begin
    d.read_table := table_name;
    d.key_text := (select string_agg(format('x.%I::text', c), $q$ || '/' || $q$) from unnest(table_key) c);
    d.others := array(
        select attname from pg_attribute
        where attrelid = format('api_v1.%I', table_name)::regclass and attnum > 0 and not attisdropped
          and attname <> all (table_key) order by attnum);
    return d;
end $install$;

-- An expression for the first check constraint that a row of this read table violates, or null.
create or replace function projection.first_violation(table_name text) returns text language sql stable as $install$
    select coalesce('case ' || string_agg(format('when (%s) is false then %L', pg_get_expr(conbin, conrelid), conname), ' '
        order by conname) || ' end', 'null::text')
    from pg_constraint where conrelid = format('api_v1.%I', table_name)::regclass and contype = 'c'
$install$;

-- The query for the keys that a dependency affects; duplicates are allowed. Key columns are the ID of an entry and, if one
-- is named so, its kind; functions return the columns of the key first.
create or replace function projection.affected_keys(d projection.dependency, table_key text[]) returns text
language plpgsql stable as $install$
declare
    kinds text := (select string_agg(quote_literal(k), ', ') from unnest(d.kinds) k);
    changed text := 'curation.changed(p_publication) c';
    condition text := case when d.cause not in ('any', 'added_or_removed') then format('c.kind = %L', d.cause) end;
    referring text := format('
            join curation.reference f on f.target_entry_id = c.entry_id and f.field = %L
            join curation.live l on l.revision_id = f.revision_id and l.kind in (%s)', d.field, kinds);
    kind text;
    entry text;
    source text;
begin
    if d.watched <> '{}' then
        changed := changed || '
            left join curation.revision o on o.id = c.old_revision
            left join curation.revision n on n.id = c.new_revision';
    end if;
    -- Being published or unpublished always matters.
    if d.watched is not null then
        condition := concat_ws(' and ', condition, concat('(c.old_revision is null or c.new_revision is null', (
            select string_agg(format('
                or o.content ->> %1$L is distinct from n.content ->> %1$L', w), '') from unnest(d.watched) w), ')'));
    end if;
    condition := coalesce('
            where ' || condition, '');
    case d.rule
    when 'itself' then
        kind := 'c.kind'; entry := 'c.entry_id';
        source := changed || condition;
    when 'references' then
        entry := 'f.target_entry_id';
        source := changed || format('
            join curation.reference f on f.revision_id in (c.old_revision, c.new_revision) and f.field = %L', d.field) || condition;
    when 'referrers' then
        kind := 'l.kind'; entry := 'l.entry_id';
        source := changed || referring || condition;
    when 'members' then
        kind := 'l.kind'; entry := 'l.entry_id';
        source := 'curation.affected_categories(p_publication) c (entry_id)' || referring;
    when 'counted' then
        kind := kinds; entry := 'c.entry_id';
        source := format('curation.recounted(p_publication, %L) c (entry_id)', substr(d.cause, length('recount_') + 1));
    when 'setting' then
        kind := 'l.kind'; entry := 'l.entry_id';
        source := format('curation.live l
            where l.kind in (%s) and (select projection.setting_changed(p_publication, %s))', kinds,
            (select string_agg(quote_literal(w), ', ') from unnest(d.watched) w));
    when 'function' then
        source := format('%s(p_publication) k (%s)', d.function, (select string_agg(quote_ident(k), ', ') from unnest(table_key) k));
    end case;
    return format('select %s
            from %s', (select string_agg(case when d.rule = 'function' then format('k.%I', k) when k = 'kind' then kind else entry end, ', ')
                from unnest(table_key) k), source);
end $install$;

-- Creates affected_X(publication, causes): the keys that depend on what the publication changed (projection.dependency).
create or replace function projection.install_affected(projection_name text) returns void language plpgsql as $install$
declare
    table_name text;
    table_key text[];
begin
    select name, key into table_name, table_key from projection.read_table where projection = projection_name limit 1;
    execute format($make$
create or replace function projection.affected_%1$s(p_publication bigint, p_causes text[])
returns table (%2$s) language plpgsql stable as $f$
begin
%3$s
end $f$ $make$, projection_name,
        (select string_agg(format('%1$I api_v1.%2$I.%1$I%%type', k, table_name), ', ') from unnest(table_key) k),
        (select string_agg(format(case when c.cause = 'any' then '%2$s' else E'    if %1$L = any (p_causes) then\n%2$s\n    end if;' end,
            c.cause, c.queries), E'\n' order by c.cause collate "C")
         from (
            select d.cause, string_agg(format(E'        return query\n            %s;', projection.affected_keys(d, table_key)), E'\n'
                order by d::text collate "C") as queries
            from projection.dependency d where d.projection = projection_name group by d.cause) c));
end $install$;

-- Creates the functions of one projection; docs/reference/projections.md prints some of them. Its view has the key columns
-- and one column per read table with that key, containing the projected row or null, so that shared values are computed
-- once. Creates:
--    affected_X(publication, causes)                 the keys of these causes (install_affected)
--    apply_X(publication, causes, change number)     writes differing rows and their changes
--    plan_X(publication, causes, limit)              returns the same differences: complete rows up to the limit, a hash of
--                                                    all, and the first check constraint that a row violates
--    differences_X(first, end, entries)              compares view and tables, in slices (install_comparison)
--    repair_X(publication, change number)            writes the differences of the complete comparison
--    repair_rows_X(publication, keys, change number) writes the differences of these keys
--    touched_X(change number)                        the current rows that were written after this change
-- View and tables are joined key by key through indexes if the keys are known, and by full joins otherwise. Differences
-- are computed once, then returned or written.
create or replace function projection.install(projection_name text, first_position integer, table_key text[], tables text[],
    entry text, table_checksum text) returns void language plpgsql as $install$
declare
    by_key projection.difference[];
    by_all projection.difference[];
    key_types text[] := array(
        select format_type(a.atttypid, a.atttypmod) from unnest(table_key) with ordinality k (name, i)
        join pg_attribute a on a.attrelid = format('api_v1.%I', tables[1])::regclass and a.attname = k.name order by k.i);
    keys text := (select string_agg(format('k.%I', k), ', ') from unnest(table_key) k);
    arrays text := (select string_agg(format('keys_%s', i), ', ') from generate_subscripts(table_key, 1) i);
    joined text := format('
        left join lateral (select * from projection.%I v where %s offset 0) v on true',
        projection_name, (select string_agg(format('v.%1$I = k.%1$I', c), ' and ') from unnest(table_key) c));
    columns text := 'v.' || array_to_string(tables, ', v.');
    variables text := (select string_agg(format('keys_%s %s[];', i, v), ' ') from unnest(key_types) with ordinality u (v, i));
    keys_from text := format('
    select %s into %s
    from (select distinct %%s) k;
    if keys_1 is null then return; end if;', (select string_agg(format('array_agg(k.%I)', k), ', ') from unnest(table_key) k), arrays);
    compared text := format('
    n as materialized (
        select %1$s, %2$s
        from unnest(%3$s) k (%4$s)%5$s),', keys, columns, arrays, (select string_agg(format('%I', k), ', ') from unnest(table_key) k), joined);
begin
    select array_agg(projection.difference_by_key(name, table_key) order by i),
           array_agg(projection.difference_by_all(projection_name, name, table_key) order by i)
    into by_key, by_all from unnest(tables) with ordinality u (name, i);

    insert into projection.read_table (name, projection, position, key, checksum)
    select name, projection_name, first_position + i, table_key, table_checksum
    from unnest(tables) with ordinality u (name, i);
    perform projection.install_affected(projection_name);
    perform projection.install_comparison(projection_name, table_key, key_types, tables, entry);

    -- Most publications affect few projections: for the others, not even the statements are prepared.
    perform projection.make_writer('apply', projection_name, table_key, by_key, 'p_causes text[], ', variables,
        format(keys_from, format('%s from projection.affected_%s(p_publication, p_causes) k', keys, projection_name)), compared);
    perform projection.make_writer('repair_rows', projection_name, table_key, by_key, 'p_keys text[], ', variables,
        format(keys_from, (
            select string_agg(format('%s::%s as %I', projection.key_part('w.key', cardinality(table_key), i::integer), t, k), ', ' order by i)
            from unnest(table_key, key_types) with ordinality u (k, t, i)) || ' from unnest(p_keys) w (key)'), compared);
    perform projection.make_writer('repair', projection_name, table_key, by_all, '', '', '', '');
    execute format($make$
        create or replace function projection.plan_%1$s(p_publication bigint, p_limit integer, p_causes text[])
        returns table (read_table text, key text, operation text, mark bigint, before jsonb, after jsonb, refused text)
        language sql as $f$
            with n as materialized (
                select k.*, %2$s from (select distinct %3$s from projection.affected_%1$s(p_publication, p_causes) k) k %4$s)
            %5$s
        $f$ $make$, projection_name, columns, keys, joined,
        (select string_agg(format(
            'select %1$L, %2$s, x.operation,
                 hashtextextended(coalesce(x.before::text, ''none''), 0) # hashtextextended(coalesce(x.after::text, ''none''), 1),
                 case when x.ordinal <= p_limit and x.operation <> ''insert'' then to_jsonb(x.before) end,
                 case when x.ordinal <= p_limit and x.operation <> ''delete'' then to_jsonb(x.after) end,
                 case when x.operation <> ''delete'' then (select %8$s from (select (x.after).*) r) end
             from (select x.*, row_number() over (order by x.operation, %2$s) as ordinal
                 from (select %3$s, %4$s as operation, %5$s as before, %6$s as after from %7$s) x) x',
            d.read_table, d.key_text, d.key_columns, d.operation, d.old_row, d.new_row, d.source,
            projection.first_violation(d.read_table)), ' union all ')
         from unnest(by_key) d));
    execute format($make$
        create or replace function projection.touched_%1$s(p_change bigint)
        returns table (read_table text, key text, content jsonb) language sql as $f$ %2$s $f$ $make$, projection_name,
        (select string_agg(format(
            'select c.read_table, c.key, case when t.%2$I is not null then to_jsonb(t) end
             from (select distinct read_table, key from api_v1.change where number > p_change and read_table = %1$L) c
             left join api_v1.%1$I t on %3$s', name, table_key[1],
            (select string_agg(format('t.%1$I = split_part(c.key, ''/'', %2$s)::%3$s', k, i, key_types[i]), ' and ')
             from unnest(table_key) with ordinality u (k, i))), ' union all ')
         from unnest(tables) name));
end $install$;

-- One column of a key, as text, from the text of the whole key.
create or replace function projection.key_part(key_text text, columns integer, number integer) returns text
language sql immutable as $install$
    select case when columns = 1 then key_text else format('split_part(%s, ''/'', %s)', key_text, number) end
$install$;

-- Creates the functions that compare a projection with its read tables. The view is computed once, whatever the number of
-- tables, and in slices whose rows fit into memory, which several connections share. A slice is a range of IDs in a column
-- that the view and all of its tables have (Pack.Projection.entry): a column of the key, or else there is one slice.
--    slices_X(since, rows)                 where slices begin (>=) and end (<); null for no bound. Of a table without rows,
--                                          the only slice has neither, because rows may be missing
--    entries_X(since, first, end)          the IDs of a slice that publications after this one changed: their entries, and
--                                          those of the rows that they wrote
--    differences_X(first, end, entries)    the rows that differ in a slice; with entries, only their rows
create or replace function projection.install_comparison(projection_name text, table_key text[], key_types text[], tables text[],
    entry text) returns void language plpgsql as $install$
declare
    entry_position integer := array_position(table_key, entry);
    slice text := format('($1 is null or v.%1$I >= $1) and ($2 is null or v.%1$I < $2) and ($3 is null or v.%1$I = any ($3))', entry);
    joins text := '';
    operations text := '';
    known text[] := array(select format('n.%I', k) from unnest(table_key) with ordinality u (k, i) order by i);
    -- 64 MB. A column outside of the key may be wrong: then row and projected row would be in different slices.
    size text := case when entry_position is null then '1e15' else format(
        'coalesce(p_rows, greatest(1000, 67108864 * coalesce(total, (select count(*) from api_v1.%I)) / greatest(1, %s)))', tables[1],
        (select string_agg(format('pg_table_size(%L::regclass)', format('api_v1.%I', name)), ' + ') from unnest(tables) name)) end;
    written text;
begin
    for number in 1 .. cardinality(tables) loop
        joins := joins || format('
    full join (select %1$s, v as old_row from api_v1.%2$I v where %3$s) t%4$s
      on %5$s',
            (select string_agg(format('v.%I', k), ', ') from unnest(table_key) k), tables[number], slice, number,
            (select string_agg(format('t%s.%I = %s', number, k, e), ' and ' order by i)
             from unnest(table_key, known) with ordinality u (k, e, i)));
        known := array(
            select format('coalesce(%s, t%s.%I)', e, number, k) from unnest(table_key, known) with ordinality u (k, e, i) order by i);
    end loop;
    for number in 1 .. cardinality(tables) loop
        operations := operations || format('%1$s
        (%2$L::text, %3$s, case
            when (n.%4$I).%5$I is null and t%6$s.%5$I is null then null
            when t%6$s.%5$I is null then ''insert'' when (n.%4$I).%5$I is null then ''delete''
            when t%6$s.old_row *<> n.%4$I then ''update'' end)',
            case when number > 1 then ',' else '' end, tables[number],
            (select string_agg(e || '::text', ' || ''/'' || ' order by i) from unnest(known) with ordinality u (e, i)),
            tables[number], table_key[1], number);
    end loop;
    execute format($make$
create or replace function projection.differences_%1$s(p_first uuid, p_end uuid, p_entries uuid[])
returns table (read_table text, key text, operation text) language plpgsql stable as $f$
begin
    return query execute %2$L using p_first, p_end, p_entries;
end $f$ $make$, projection_name, format('
    select x.read_table, x.key, x.operation
    from (select v.* from projection.%1$I v where %2$s) n%3$s
    cross join lateral (values%4$s) x (read_table, key, operation)
    where x.operation is not null', projection_name, slice, joins, operations));

    -- The IDs of the rows that the publications wrote: in their keys, or in the rows if they are no part of the key.
    if entry_position is not null then
        written := format('select %s::uuid from api_v1.change c',
            projection.key_part('c.key', cardinality(table_key), entry_position));
    else
        written := format('select v.%I from api_v1.change c join api_v1.%I v on %s', entry, tables[1],
            (select string_agg(format('v.%I = %s::%s', k, projection.key_part('c.key', cardinality(table_key), i::integer), t), ' and ')
             from unnest(table_key, key_types) with ordinality u (k, t, i)));
    end if;
    execute format($make$
create or replace function projection.entries_%1$s(p_since bigint, p_first uuid, p_end uuid) returns uuid[]
language plpgsql stable as $f$
declare
    first_change bigint := (select c.change_number from curation.publication_counter c)
        - coalesce((select sum(p.changes) from api_v1.publication p where p.number > p_since), 0);
begin
    return (
        select coalesce(array_agg(e.id order by e.id), '{}')
        from (
            select c.entry_id as id from curation.publication_change c where c.publication > p_since
            union
            %2$s where c.number > first_change and c.read_table = any (%3$L::text[])) e
        where (p_first is null or e.id >= p_first) and (p_end is null or e.id < p_end));
end $f$ $make$, projection_name, written, tables);

    execute format($make$
create or replace function projection.slices_%1$s(p_since bigint, p_rows integer)
returns table (first_entry uuid, end_entry uuid) language plpgsql stable as $f$
declare
    entries uuid[];
    step bigint;
    -- A sample of a large table divides it well enough.
    total double precision := (
        select c.reltuples from pg_class c where c.oid = 'api_v1.%3$I'::regclass and c.reltuples > 30000);
    percent real := coalesce(3000000 / total, 100);
begin
    if p_since is not null then
        entries := projection.entries_%1$s(p_since, null, null);
        step := greatest(coalesce(p_rows, 20000), cardinality(entries) / 50);
        return query
        select case when b.number > 1 then b.entry end, lead(b.entry) over (order by b.entry)
        from unnest(entries) with ordinality b (entry, number) where (b.number - 1) %% step = 0;
        return;
    end if;
    step := greatest(1, %2$s * percent / 100);
    return query
    select case when b.number > 1 then b.entry end, lead(b.entry) over (order by b.entry)
    from (
        select distinct on (e.entry) e.entry, e.number
        from (
            select v.%4$I as entry, row_number() over (order by v.%4$I) as number
            from api_v1.%3$I v tablesample system (percent)) e
        where (e.number - 1) %% step = 0 order by e.entry, e.number) b;
    if not found then return query select null::uuid, null::uuid; end if;
end $f$ $make$, projection_name, size, tables[1], entry);
end $install$;

-- Creates apply_X, repair_X or repair_rows_X: computes the differences, then writes them to each table, with one change per row.
create or replace function projection.make_writer(verb text, projection_name text, table_key text[], tables projection.difference[],
    parameters text, variables text, preparation text, before text) returns void language plpgsql as $install$
declare
    d projection.difference;
    steps text := '';
    all_rows text := '';
begin
    foreach d in array tables loop
        steps := steps || format($write$
    x_%1$s as materialized (
        select %2$s%3$s, %4$s as row_id,
            %5$s as operation
        from %6$s),
    d_%1$s as (
        delete from api_v1.%1$I t using x_%1$s x where t.ctid = x.row_id and x.operation = 'delete'),
    u_%1$s as (
        update api_v1.%1$I t set %7$s
        from x_%1$s x where t.ctid = x.row_id and x.operation = 'update'),
    i_%1$s as (
        insert into api_v1.%1$I (%8$s)
        select %8$s from x_%1$s x where x.operation = 'insert'),$write$,
            d.read_table, d.key_columns, (select string_agg(', ' || c, '') from unnest(d.new_columns) c), d.row_id,
            d.operation, d.source,
            (select string_agg(format('%1$I = x.%1$I', c), ', ') from unnest(coalesce(nullif(d.others, '{}'), table_key)) c),
            array_to_string(table_key || d.others, ', '));
        all_rows := all_rows || case when all_rows = '' then '' else E'\n        union all\n        ' end || format(
            'select %1$L as read_table, %2$s as key, x.operation from x_%1$s x', d.read_table, d.key_text);
    end loop;
    execute format($make$
create or replace function projection.%1$s_%2$s(p_publication bigint, %3$sp_change bigint,
    out inserted bigint, out updated bigint, out deleted bigint) language plpgsql as $f$
declare
    %4$s
begin
    inserted := 0; updated := 0; deleted := 0;%5$s
    with%6$s%7$s
    x as materialized (
        %8$s),
    c as (
        insert into api_v1.change (number, publication, read_table, key, operation)
        select p_change + row_number() over (order by x.read_table, x.key), p_publication, x.read_table, x.key, x.operation
        from x)
    select count(*) filter (where x.operation = 'insert'), count(*) filter (where x.operation = 'update'),
           count(*) filter (where x.operation = 'delete')
    into inserted, updated, deleted from x;
end $f$ $make$, verb, projection_name, parameters, variables, preparation, before, steps, all_rows);
end $install$;

-- Creates the functions over all projections, so that their statements are planned once.
create or replace function projection.install_all() returns void language plpgsql as $install$
declare
    names text[] := array(select projection from projection.read_table group by projection order by min(position));
    calls text := '';
    repairs text := '';
    row_repairs text := '';
    called text;
    called_causes text[];
begin
    foreach called in array names loop
        called_causes := array(select distinct d.cause from projection.dependency d where d.projection = called order by d.cause);
        calls := calls || format('if %2$s then counts := projection.apply_%1$s(p_publication, causes, p_change + total);
            total := total + counts.inserted + counts.updated + counts.deleted; inserted := inserted + counts.inserted;
            updated := updated + counts.updated; deleted := deleted + counts.deleted; end if; ', called,
            case when 'any' = any (called_causes) then 'true' else format('causes && %L::text[]', called_causes) end);
        repairs := repairs || format('counts := projection.repair_%s(p_publication, p_change + total);
            total := total + counts.inserted + counts.updated + counts.deleted; inserted := inserted + counts.inserted;
            updated := updated + counts.updated; deleted := deleted + counts.deleted; ', called);
        row_repairs := row_repairs || format('counts := projection.repair_rows_%1$s(p_publication, array(
                select w.key from unnest(p_tables, p_keys) w (read_table, key) where w.read_table = any (%2$L::text[])), p_change + total);
            total := total + counts.inserted + counts.updated + counts.deleted; inserted := inserted + counts.inserted;
            updated := updated + counts.updated; deleted := deleted + counts.deleted; ', called,
            array(select t.name from projection.read_table t where t.projection = called order by t.position));
    end loop;
    execute format($make$
        create or replace function projection.apply_all(p_publication bigint, p_change bigint,
            out inserted bigint, out updated bigint, out deleted bigint) language plpgsql as $f$
        declare counts record; total bigint := 0; causes text[] := curation.causes(p_publication);
        begin inserted := 0; updated := 0; deleted := 0; %s end $f$ $make$, calls);
    execute format($make$
        create or replace function projection.repair_all(p_publication bigint, p_change bigint,
            out inserted bigint, out updated bigint, out deleted bigint) language plpgsql as $f$
        declare counts record; total bigint := 0;
        begin inserted := 0; updated := 0; deleted := 0; %s end $f$ $make$, repairs);
    execute format($make$
        create or replace function projection.repair_rows_all(p_publication bigint, p_tables text[], p_keys text[], p_change bigint,
            out inserted bigint, out updated bigint, out deleted bigint) language plpgsql as $f$
        declare counts record; total bigint := 0;
        begin inserted := 0; updated := 0; deleted := 0; %s end $f$ $make$, row_repairs);
    execute format($make$
        create or replace function projection.plan_all(p_publication bigint, p_limit integer, p_causes text[])
        returns table (read_table text, key text, operation text, mark bigint, before jsonb, after jsonb, refused text)
        language sql as $f$ %s $f$
        $make$, (select string_agg(format('select * from projection.plan_%s(p_publication, p_limit, p_causes)', n), ' union all ')
                 from unnest(names) n));
    execute format($make$
        create or replace function projection.touched_all(p_change bigint)
        returns table (read_table text, key text, content jsonb) language sql as $f$ %s $f$
        $make$, (select string_agg(format('select * from projection.touched_%s(p_change)', n), ' union all ') from unnest(names) n));
end $install$;

-- The rows of a projection that differ (install_comparison).
create or replace function projection.differences(p_projection text, p_first uuid, p_end uuid, p_entries uuid[])
returns table (read_table text, key text, operation text) language plpgsql stable as $$
begin
    return query execute format('select * from projection.%I($1, $2, $3)', 'differences_' || p_projection)
        using p_first, p_end, p_entries;
end $$;
