-- The URL of an external image stays: it says which image of published content the fetched one replaces, and nobody needs an audit
-- event for what background work updates.
set local role @owner@;

revoke update on ops.external_image from @daemon@;
grant update (state, media_id, bytes, attempts, next_at, last_error, is_due, shown_at) on ops.external_image to @daemon@;

reset role;
