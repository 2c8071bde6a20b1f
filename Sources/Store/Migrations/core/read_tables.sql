-- What projections need: the registry of read tables, and the comparison of a read table with its projection.
set local role @owner@;

-- Read tables that projections fill, in order of computation. projection.install writes these rows.
create table projection.read_table (
    name text primary key,
    projection text not null,
    position integer not null constraint read_table_position_once unique,
    key text[] not null,
    checksum text not null
);

-- What the rows of each projection depend on. Like functions, these rows are installed again whenever their text changes
-- (Projections/dependencies.sql).
create table projection.dependency (
    projection text not null,
    -- what a publication changes: a kind of entries, or another cause of curation.causes, or any
    cause text not null,
    -- which keys it affects:
    --    itself        the changed entry
    --    references    what it refers to by the field
    --    referrers     published entries of these kinds that refer to it by the field
    --    members       published entries of these kinds that refer by the field to a category of curation.affected_categories
    --    counted       entries whose member count changed
    --    setting       all published entries of these kinds, if a watched setting changed
    --    function      the keys that the function returns, which is written by hand
    rule text not null constraint dependency_rule
        check (rule in ('itself', 'references', 'referrers', 'members', 'counted', 'setting', 'function')),
    kinds text[],
    field text,
    -- fields of the changed entry whose change matters; null for any change, empty if only being published or unpublished does
    watched text[],
    function text,
    constraint dependency_once unique nulls not distinct (projection, cause, rule, kinds, field, watched, function),
    constraint dependency_kinds check (rule not in ('referrers', 'members', 'counted', 'setting') or cardinality(kinds) > 0),
    constraint dependency_field check ((rule in ('references', 'referrers', 'members')) = (field is not null)),
    constraint dependency_setting check (rule <> 'setting' or cardinality(watched) > 0),
    constraint dependency_function check ((rule = 'function') = (function is not null))
);

-- Installations of functions and projections: an older program recognizes by them that it was replaced.
create table projection.installation (
    checksum text primary key,
    program_version text not null,
    packs text not null,
    installed_at timestamptz not null default now()
);

-- SQL fragments that compare one read table with its projection: the pairs of old and new row that differ, their
-- key, and the operation for each.
create type projection.difference as (
    read_table text,
    source text,
    key_columns text,
    key_text text,
    others text[],
    new_columns text[],
    old_row text,
    new_row text,
    row_id text,
    operation text
);

grant select on projection.read_table, projection.dependency, projection.installation to @daemon@;

reset role;
