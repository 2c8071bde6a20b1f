-- Which governed tables each transaction has changed, so that its audit events can be compared with them. Triggers write the rows
-- (ops.record_changed_table), one for each table and transaction.
set local role @owner@;

create table ops.changed_table (
    transaction xid8 not null,
    name text not null,
    constraint changed_table_once primary key (transaction, name)
);

-- The first transaction whose changes of a table are all recorded.
create table ops.recorded_table (
    name text primary key,
    since xid8 not null
);

reset role;
