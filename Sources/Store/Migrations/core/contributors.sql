-- Contributors: everybody who has sent a submission with a name, and whom the team trusts or has blocked.
set local role @owner@;

create table curation.contributor (
    id uuid primary key default curation.uuid_v7(),
    -- who vouches for the name: an API client, an import or a submission form
    client_id uuid not null constraint contributor_client references ops.actor (id),
    name text not null constraint contributor_name check (length(name) between 1 and 200),
    first_seen_at timestamptz not null,
    status text constraint contributor_status check (status in ('trusted', 'blocked')),
    status_reason text constraint contributor_status_reason check (status_reason ~ '\S' and length(status_reason) <= 500),
    -- the status ends at this moment; null for never
    status_until timestamptz,
    status_by uuid constraint contributor_status_by references ops.actor (id),
    status_at timestamptz,
    -- parts of names, such as the two of "m.okafor"
    search_terms tsvector not null
        generated always as (to_tsvector('simple', regexp_replace(name, '[^[:alnum:]]+', ' ', 'g'))) stored,
    constraint contributor_once unique (client_id, name),
    constraint contributor_status_complete check (
        num_nulls(status, status_reason, status_by, status_at) in (0, 4) and (status is not null or status_until is null)),
    constraint contributor_status_until check (status_until > status_at)
);
create index contributor_search on curation.contributor using gin (search_terms);
create index contributor_by_status on curation.contributor (status, id) where status is not null;
create index submission_contributor on curation.submission (client_id, contributor, received_at, id) where contributor is not null;
create index submission_contributor_email on curation.submission (lower(contributor_email)) where contributor_email is not null;

insert into curation.contributor (client_id, name, first_seen_at)
select client_id, contributor, min(received_at) from curation.submission where contributor is not null
group by client_id, contributor order by min(received_at);

-- Rows come from submissions alone, so only changes need an audit event.
select ops.govern('curation.contributor', 'decide', 'unrestricted');
create or replace trigger audited before update or delete on curation.contributor
    for each statement execute function ops.require_audit('decide', 'unrestricted');
drop trigger within_scope_inserted on curation.contributor;
create trigger contributors after insert on curation.submission referencing new table as added
    for each statement execute function curation.record_contributors();
create trigger status before update of status, status_reason, status_until, status_by, status_at on curation.contributor
    for each row execute function curation.check_contributor_status();
create trigger held after update of status, status_until on curation.contributor
    for each row execute function curation.update_held();

-- Kept aside, because the contributor is blocked: hidden like a snoozed item until the block ends.
alter table curation.queue_item add column is_held boolean not null default false,
    add constraint queue_item_held check (not is_held or snoozed_until is not null);
create index queue_item_held on curation.queue_item (received_at, submission_id) where is_held;

-- The data of the contributor was erased. What the team decided and published stays.
alter table curation.submission add column erased_at timestamptz,
    add constraint submission_erased check (
        erased_at is null or num_nonnulls(contributor, contributor_email, contributor_locale, idempotency_key) = 0);
create trigger erased before insert on curation.decision
    for each row execute function curation.check_erased();

grant select, update (status, status_reason, status_until, status_by, status_at) on curation.contributor to @daemon@;

reset role;
