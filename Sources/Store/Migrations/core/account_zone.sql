-- The time zone in which a person enters times: from the browser at the first sign-in, then as the person chooses.
set local role @owner@;

-- null until a browser or its owner has named one
alter table ops.account add column zone text
    constraint account_zone check (zone ~ '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z][A-Za-z0-9_+-]*)*$' and length(zone) <= 64);

grant update (zone) on ops.account to @daemon@;

reset role;
