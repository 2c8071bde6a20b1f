-- What people type into forms is saved whatever its length is: as JSON, every form of 2 MiB fits into 4 MiB.
set local role @owner@;

-- The size is a column, so that the sum of an account is known without reading its texts.
alter table ops.autosave drop constraint autosave_fields,
    add constraint autosave_fields check (octet_length(fields::text) <= 4194304),
    add column bytes integer not null generated always as (coalesce(octet_length(fields::text), 0)) stored;

reset role;
