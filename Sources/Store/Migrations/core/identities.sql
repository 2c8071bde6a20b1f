-- What belongs to this database but is stored elsewhere.
set local role @owner@;

-- The fingerprint of the key that encrypts stored secrets, and the id in the media store. Daemons and commands compare
-- them with what they are configured with before they use either: another key can't open the secrets, and in another
-- media store all images seem lost.
create table delivery.identity (
    resource text primary key constraint identity_resource check (resource in ('key', 'media')),
    value text not null constraint identity_value check (value ~ '^[0-9a-f]{32}$'),
    adopted_by uuid not null constraint identity_adopted_by references ops.actor (id),
    adopted_at timestamptz not null default clock_timestamp()
);
select ops.audit_changes('delivery.identity');

grant select on delivery.identity to @delivery@;
grant select, insert, update on delivery.identity to @daemon@;

reset role;
