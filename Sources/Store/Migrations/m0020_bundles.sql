-- What a bundle brings without its secrets waits for new ones.
set local role @owner@;

-- A webhook that came without its secret is not told anything before it has a new one.
alter table ops.webhook add constraint webhook_active_has_secret check (state <> 'active' or length(secret) > 0);

reset role;
