-- What people typed into forms and have not saved yet, so that no crash or expired session loses it.
set local role @owner@;

-- One row for each account and form. The sequence orders the requests of a tab, which may arrive in any order.
create table ops.autosave (
    account_id uuid not null constraint autosave_account references ops.account (id) on delete cascade,
    -- the URL that opens the form
    form text not null constraint autosave_form
        check (form ~ '^/[^/]' and form !~ '[[:space:][:cntrl:]\\]' and length(form) <= 300),
    title text not null default '' constraint autosave_title check (length(title) <= 200),
    tab text not null constraint autosave_tab check (length(tab) <= 40),
    sequence bigint not null constraint autosave_sequence check (sequence >= 0),
    -- names and values in the order of the form; null once the form is saved or discarded, so that a request that arrives late
    -- restores nothing
    fields json constraint autosave_fields check (octet_length(fields::text) <= 262144),
    saved_at timestamptz not null default clock_timestamp(),
    primary key (account_id, form)
);

grant select, insert, update, delete on ops.autosave to @daemon@;

reset role;
