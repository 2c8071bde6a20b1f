-- What projections need: the registry of read tables, and the comparison of a read table with its projection.
set local role @owner@;

-- Read tables that projections fill, in order of computation. projection.install writes these rows.
create table projection.read_table (
    name text primary key,
    projection text not null,
    position integer not null constraint read_table_position_once unique,
    key text[] not null,
    -- causes that can affect it (curation.causes, or any)
    causes text[] not null,
    checksum text not null
);

-- Installations of functions and projections: an older program recognizes by them that it was replaced.
create table projection.installation (
    checksum text primary key,
    program_version text not null,
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

grant select on projection.read_table, projection.installation to @daemon@;

reset role;
