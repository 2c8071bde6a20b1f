-- Where a database is, so that a copy of it is recognized.
set local role @owner@;

-- The resource "database" is the server and the number of the database that last adopted its media store: 16 hexadecimal
-- digits each. A copy has the value of its original.
alter table delivery.identity drop constraint identity_resource;
alter table delivery.identity
    add constraint identity_resource check (resource in ('key', 'media', 'database'));

reset role;
