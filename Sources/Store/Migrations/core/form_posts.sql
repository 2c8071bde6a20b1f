-- Forms that created something, so that one that is sent twice creates it once.
set local role @owner@;

-- Inserted in the transaction that creates: of two that send the same form at once, the second waits for the first.
create table ops.form_post (
    -- SHA-256 of the account, the number of the page and the input
    key bytea primary key constraint form_post_key check (length(key) = 32),
    -- the request that carried it out; it may take several transactions
    request_id text not null,
    -- where its response led; null until it did, or if the response was a page
    url text constraint form_post_url check (url ~ '^/' and length(url) <= 4000),
    sent_at timestamptz not null default clock_timestamp()
);
create index form_post_sent on ops.form_post (sent_at);

grant select, insert, update, delete on ops.form_post to @daemon@;

reset role;
