-- Releases, publications and the changes of each publication.
set local role @owner@;

create table curation.release (
    id uuid primary key default curation.uuid_v7(),
    number bigint generated always as identity constraint release_number unique,
    title text not null constraint release_title check (length(title) between 1 and 300),
    state text not null default 'open' constraint release_state
        check (state in ('open', 'scheduled', 'published', 'failed', 'canceled')),
    local_time timestamp,
    zone text,
    due_at timestamptz,
    publication bigint,
    finished_at timestamptz,
    failure text,
    -- the entry that the failure is about
    failed_entry uuid constraint release_failed_entry references curation.entry (id),
    created_by uuid not null constraint release_created_by references ops.actor (id),
    created_at timestamptz not null default now(),
    constraint release_schedule_complete check ((local_time is null) = (zone is null) and (local_time is null) = (due_at is null)),
    constraint release_scheduled_has_time check (state <> 'scheduled' or due_at is not null),
    constraint release_finished check ((state in ('published', 'failed', 'canceled')) = (finished_at is not null)),
    constraint release_publication_is_published check (publication is null or state = 'published'),
    constraint release_failed_has_reason check ((state = 'failed') = (failure is not null)),
    constraint release_publication_once unique (publication)
);
create index release_due on curation.release (due_at, number) where state = 'scheduled';
create index release_failed on curation.release (number) where state = 'failed';
select ops.audit_changes('curation.release');
create trigger notify_failed after update of state on curation.release for each row
    when (new.state = 'failed' and old.state <> 'failed')
    execute function ops.notify_failed_release();
create trigger within_scope after update of state on curation.release for each row when (new.state = 'scheduled')
    execute function ops.check_release_scope();

-- Entries of a release: the revision to publish, or null to unpublish the entry.
create table curation.release_item (
    release_id uuid not null constraint release_item_release references curation.release (id),
    entry_id uuid not null constraint release_item_entry references curation.entry (id),
    revision_id uuid,
    -- the published revision when the item was added, for detecting later changes
    base_revision uuid,
    primary key (release_id, entry_id),
    constraint release_item_revision foreign key (revision_id, entry_id) references curation.revision (id, entry_id)
);
create index release_item_by_entry on curation.release_item (entry_id, release_id);
select ops.audit_changes('curation.release_item');
create trigger within_scope after insert or update on curation.release_item
    for each row execute function ops.check_release_scope();

-- The single row that numbers publications and changes without gaps. Publications lock it.
create table curation.publication_counter (
    only_row boolean primary key default true constraint publication_counter_only_row check (only_row),
    number bigint not null,
    change_number bigint not null
);

insert into curation.publication_counter (number, change_number) values (0, 0);

create table curation.publication (
    number bigint primary key,
    published_at timestamptz not null default clock_timestamp(),
    actor_id uuid not null constraint publication_actor references ops.actor (id),
    release_id uuid constraint publication_release references curation.release (id),
    note text not null default '',
    inserted integer not null,
    updated integer not null,
    deleted integer not null,
    duration_ms integer not null,
    -- after a restore or a failover with loss, numbers repeat; number and tag never do
    tag text not null default curation.random_tag() constraint publication_tag check (tag ~ '^[0-9a-f]{12}$'),
    constraint publication_release_once unique (release_id)
);

alter table curation.release add constraint release_publication
    foreign key (publication) references curation.publication (number);

-- Entries that each publication changed. The foreign key live_approved checks the approval of new revisions in the same
-- transaction.
create table curation.publication_change (
    publication bigint not null,
    entry_id uuid not null,
    type text not null,
    kind text not null,
    old_revision uuid,
    new_revision uuid,
    primary key (publication, entry_id),
    constraint publication_change_differs check (old_revision is distinct from new_revision)
);
create index publication_change_by_entry on curation.publication_change (entry_id, publication desc);
create trigger within_scope after insert on curation.publication_change referencing new table as changed
    for each statement execute function ops.check_publication_scope();

grant select, insert, update on curation.release to @daemon@;
grant select, insert, update, delete on curation.release_item to @daemon@;
grant select on curation.publication_counter, curation.publication, curation.publication_change to @daemon@;

reset role;
