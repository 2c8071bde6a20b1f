-- Trigger functions that enforce the access scope of restricted accounts: on decisions, revisions and approvals,
-- publications and releases.

create or replace function ops.check_decision_scope() returns trigger language plpgsql as $$
declare
    account ops.account := ops.restricted_actor();
    kind text;
begin
    if account.id is null then return new; end if;
    select s.type into kind from curation.submission s where s.id = new.submission_id;
    if not ops.in_access_scope(account, kind, '{}') then perform ops.require_access_scope(account, kind); end if;
    return new;
end $$;

-- Checks the previous and the new revision at commit, when their categories are known.
create or replace function ops.check_revision_scope() returns trigger language plpgsql as $$
declare
    account ops.account := ops.restricted_actor();
    version record;
begin
    if account.id is null then return null; end if;
    for version in
        select e.type, curation.groups_of(r.id) as groups
        from curation.revision written
        join curation.revision r on r.entry_id = written.entry_id and r.number in (written.number, written.number - 1)
        join curation.entry e on e.id = r.entry_id
        where written.id = (to_jsonb(new) ->> case tg_table_name when 'revision' then 'id' else 'revision_id' end)::uuid
    loop
        if not ops.in_access_scope(account, version.type, version.groups) then
            perform ops.require_access_scope(account, version.type);
        end if;
    end loop;
    return null;
end $$;

create or replace function ops.check_publication_scope() returns trigger language plpgsql as $$
declare
    account ops.account := ops.restricted_actor();
    excluded_type text;
begin
    if account.id is null then return null; end if;
    select c.type into excluded_type from changed c
    where not ops.in_access_scope(account, c.type, curation.groups_of(coalesce(c.new_revision, c.old_revision))) limit 1;
    if excluded_type is not null then perform ops.require_access_scope(account, excluded_type); end if;
    return null;
end $$;

-- Checks each item when it is added, and all items when the release is scheduled.
create or replace function ops.check_release_scope() returns trigger language plpgsql as $$
declare
    account ops.account := ops.restricted_actor();
    excluded_type text;
begin
    if account.id is null then return null; end if;
    select e.type into excluded_type from curation.release_item i join curation.entry e on e.id = i.entry_id
    where i.release_id = (to_jsonb(new) ->> case tg_table_name when 'release' then 'id' else 'release_id' end)::uuid
      and (tg_table_name = 'release' or i.entry_id = (to_jsonb(new) ->> 'entry_id')::uuid)
      and not ops.in_access_scope(account, e.type, curation.groups_of(coalesce(i.revision_id, i.base_revision))) limit 1;
    if excluded_type is not null then perform ops.require_access_scope(account, excluded_type); end if;
    return null;
end $$;
