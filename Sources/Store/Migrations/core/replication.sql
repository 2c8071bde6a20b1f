-- Replication lag.
set local role @owner@;

-- The daemons write the time every few seconds. On a replica its age is how far the replica may be behind, whatever
-- stopped the replication. In the schema of the delivery role, because readers may see the read tables only.
create table delivery.heartbeat (
    only_row boolean primary key default true constraint heartbeat_only_row check (only_row),
    beat_at timestamptz not null default now()
);

insert into delivery.heartbeat default values;

grant select on delivery.heartbeat to @delivery@;
grant select, update on delivery.heartbeat to @daemon@;

reset role;
