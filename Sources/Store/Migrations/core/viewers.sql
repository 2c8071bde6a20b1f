-- Who has a submission open, and an index for the list of a person's decisions.
set local role @owner@;

-- Lost in a crash, which costs nothing: pages renew their rows every few seconds.
create unlogged table curation.viewer (
    submission_id uuid not null constraint viewer_submission references curation.submission (id) on delete cascade,
    account_id uuid not null constraint viewer_account references ops.account (id) on delete cascade,
    seen_at timestamptz not null default clock_timestamp(),
    primary key (submission_id, account_id)
) with (fillfactor = 50);
create index viewer_account on curation.viewer (account_id);

grant select, insert, update, delete on curation.viewer to @daemon@;

-- IDs ascend with time.
create index decision_by_decider on curation.decision (decided_by, id);

reset role;
