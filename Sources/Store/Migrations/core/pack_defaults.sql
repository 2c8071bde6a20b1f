-- Which default settings and texts came with a pack: readers see them only while it is enabled.
set local role @owner@;

-- Not a reference: an import replaces all entries, and defaults have the same IDs in every deployment.
create table projection.pack_default (
    entry_id uuid primary key,
    pack text not null
);

reset role;
