-- Previews.
set local role @owner@;

-- Previews: all read tables at another point in time, for people with the link.
create table curation.preview (
    id uuid primary key default curation.uuid_v7(),
    token_hash bytea not null constraint preview_token_once unique,
    title text not null constraint preview_title check (length(title) between 1 and 300),
    instant timestamptz not null,
    local_time timestamp not null,
    zone text not null,
    created_by uuid not null constraint preview_created_by references ops.actor (id),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    revoked_at timestamptz,
    -- publication and schedule from which the rows were computed; a change of either makes them stale
    base bigint,
    schedule text,
    constraint preview_expires_later check (expires_at > created_at)
);
select ops.audit_changes('curation.preview');

-- Rows that differ from the published read tables at that time; content is null for deleted rows.
create table curation.preview_row (
    preview_id uuid not null constraint preview_row_preview references curation.preview (id) on delete cascade,
    read_table text not null,
    key text not null,
    content jsonb,
    primary key (preview_id, read_table, key)
);

-- Approvals by people without an account.
create table curation.preview_approval (
    id uuid primary key default curation.uuid_v7(),
    preview_id uuid not null constraint preview_approval_preview references curation.preview (id) on delete cascade,
    name text not null constraint preview_approval_name check (length(btrim(name)) between 1 and 200),
    note text not null default '' constraint preview_approval_note check (length(note) <= 2000),
    base bigint not null,
    schedule text not null,
    approved_at timestamptz not null default clock_timestamp()
);
create index preview_approval_by_preview on curation.preview_approval (preview_id, approved_at);
select ops.audit_changes('curation.preview_approval');

grant select, insert, update, delete on curation.preview to @daemon@;
grant select, delete on curation.preview_row to @daemon@;
grant select, insert, delete on curation.preview_approval to @daemon@;

reset role;
