-- Trigger functions that enforce access scopes: a change needs an audit event of somebody whose scope contains it.
-- `ops.govern` declares the rule of each table.

-- After each statement; the arguments are the rule, the key column and, for inserted rows, the column of the author. The categories
-- of a revision follow in further statements: curation.check_references checks it again with them. Checks for each row at commit would
-- read all audit events of the transaction for each row, and a session may set constraints earlier anyway.
create or replace function ops.require_scope() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    has_author boolean := tg_nargs > 2 and tg_op = 'INSERT';
    permitted ops.account[];
    acting record;
begin
    -- Nothing restricts the program.
    if not ops.has_restricted_accounts() or ops.has_event(null) then return null; end if;
    permitted := ops.restricting(ops.permissions_for(tg_relid));
    if permitted is null and not has_author then return null; end if;
    for acting in
        select (array_agg(a.author))[1] as author, array_agg((c.row ->> tg_argv[1])::uuid) as ids,
            array_agg(case when tg_argv[0] in ('note', 'release_item') then c.row end) as rows
        from (select to_jsonb(c) as row from changed c offset 0) c
        cross join lateral (select case when has_author then ops.restricted_author((c.row ->> tg_argv[2])::uuid, case tg_table_name
            when 'entry' then (c.row ->> 'submission_id')::uuid
            when 'revision' then (select e.submission_id from curation.entry e where e.id = (c.row ->> 'entry_id')::uuid)
            end) end as author offset 0) a
        group by (a.author).id
    loop
        -- Mostly the author is one of those who may change the table, and one check is enough.
        if (acting.author).id is not null and not ops.contain_rows(array[acting.author], tg_argv[0], acting.ids, acting.rows)
            or permitted is not null and not exists (select from unnest(permitted) p where p.id = (acting.author).id)
                and not ops.contain_rows(permitted, tg_argv[0], acting.ids, acting.rows) then
            perform ops.refuse_scope(replace(tg_table_name, '_', ' '));
        end if;
    end loop;
    return null;
end $$;

-- Refuses a change unless somebody without an access scope has one of the permissions in the first argument.
create or replace function ops.require_unrestricted() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if not ops.may_change(tg_argv[0]) then perform ops.refuse_change(tg_op, tg_table_name); end if;
    if ops.restricting(tg_argv[0]) is not null then perform ops.refuse_scope(replace(tg_table_name, '_', ' ')); end if;
    return null;
end $$;

-- Accounts change what is their own; administrators without an access scope, and the program, that of everybody.
create or replace function ops.require_own() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if ops.may_administer() then return null; end if;
    if exists (select from changed c where not ops.has_event((to_jsonb(c) ->> tg_argv[1])::uuid)) then
        perform curation.refuse('audit_event_administrator', format('only administrators change the %s of others', tg_table_name));
    end if;
    return null;
end $$;

-- Below: who may only decide approves, schedules and publishes what follows from a decision in the same transaction, on the
-- submission that an entry came from, and nothing else: times can be written in advance, the transaction of a row can't. The first
-- cases are those with the permission for any content.

-- Approvals: by somebody with the permission to approve, or of a revision that the approver's decision has just created.
create or replace function ops.require_approvers() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    permitted uuid[] := ops.permitted('approve');
    current_transaction constant xid8 := ops.audit_transaction(pg_current_xact_id());
begin
    if exists (select from unnest(permitted) p (id) where ops.is_program(p.id)) then return null; end if;
    if tg_op = 'DELETE' then
        if cardinality(permitted) = 0 and exists (select from changed) then perform ops.refuse_change(tg_op, tg_table_name); end if;
        return null;
    end if;
    if not exists (select from changed c where c.actor_id <> all (permitted)) then return null; end if;
    perform ops.refuse_change(tg_op, tg_table_name)
    from changed c
    join curation.revision r on r.id = c.revision_id
    join curation.entry e on e.id = r.entry_id
    where c.actor_id <> all (permitted) and not (r.audit_transaction = current_transaction and exists (
        select from ops.current_deciders(e.submission_id) d where d.decided_by = c.actor_id));
    return null;
end $$;

-- Revisions that become publishable.
create or replace function ops.require_approved() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    accounts ops.account[] := ops.restricting('approve');
    current_transaction constant xid8 := ops.audit_transaction(pg_current_xact_id());
begin
    if accounts is null then return null; end if;
    perform ops.refuse_undecided(accounts, tg_op, tg_table_name)
    from changed c
    join curation.revision r on r.id = c.revision_id
    join curation.entry e on e.id = r.entry_id
    where not (r.audit_transaction = current_transaction
            and exists (select from ops.current_deciders(e.submission_id)))
        and not ops.contain_row(accounts, 'revision', c.revision_id, null);
    return null;
end $$;

-- Releases: for a decision, one with nothing else. Undoing a decision may leave it empty. One that is scheduled or published takes
-- the permission to publish, before the change as well as after it.
create or replace function ops.require_decided_release() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    composers ops.account[] := ops.restricting('create_release,publish');
    publishers ops.account[] := ops.restricting('publish');
begin
    if publishers is null then return null; end if;
    perform ops.refuse_undecided(a.accounts, tg_op, tg_table_name)
    from changed c
    cross join lateral (
        select case when c.state in ('scheduled', 'published') then publishers else composers end as accounts) a
    where a.accounts is not null and (not exists (select from ops.current_decisions())
            or exists (
                select from curation.release_item i join curation.entry e on e.id = i.entry_id
                where i.release_id = c.id
                    and not exists (select from ops.current_deciders(e.submission_id))))
        and not ops.contain_row(a.accounts, 'release', c.id, null);
    return null;
end $$;

-- Items of releases: for a decision, a revision that it has created is added, and an entry whose approval it undoes is removed.
create or replace function ops.require_decided_item() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    composers ops.account[] := ops.restricting('create_release,publish');
    publishers ops.account[] := ops.restricting('publish');
    current_transaction constant xid8 := ops.audit_transaction(pg_current_xact_id());
begin
    if publishers is null then return null; end if;
    perform ops.refuse_undecided(a.accounts, tg_op, tg_table_name)
    from changed c
    cross join lateral (
        select case when exists (
            select from curation.release l where l.id = c.release_id and l.state in ('scheduled', 'published'))
            then publishers else composers end as accounts) a
    where a.accounts is not null and not exists (
            select from curation.entry e
            cross join lateral ops.current_deciders(e.submission_id) d
            left join ops.account a on a.id = d.decided_by
            where e.id = c.entry_id and (tg_op = 'DELETE' or tg_op = 'INSERT' and exists (
                    select from curation.revision r where r.id = c.revision_id and r.audit_transaction = current_transaction))
                and (a.types is null and a.groups is null
                    or ops.contain_entry(array[a], e.type, array[c.revision_id, c.base_revision])))
        and not ops.contain_row(a.accounts, 'release_item', c.entry_id, to_jsonb(c));
    return null;
end $$;

-- What a publication publishes and unpublishes: the published revision and the replaced one of each entry must be in the access
-- scope of somebody with the permission to publish, or of somebody who has just decided the submission that the entry came from.
create or replace function ops.check_publication_scope() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    accounts ops.account[] := ops.restricting('publish');
    refused record;
begin
    if accounts is null then return null; end if;
    select c.type, cardinality(accounts) > 0 or decided.is_contained is not null as is_scope into refused
    from changed c
    cross join lateral (
        select bool_or(a.types is null and a.groups is null
            or ops.contain_entry(array[a], c.type, array[c.new_revision, c.old_revision])) as is_contained
        from curation.entry e
        cross join lateral ops.current_deciders(e.submission_id) d
        left join ops.account a on a.id = d.decided_by
        where e.id = c.entry_id) decided
    where decided.is_contained is not true
        and not ops.contain_entry(accounts, c.type, array[c.new_revision, c.old_revision])
    limit 1;
    if not found then return null; end if;
    if refused.is_scope then perform ops.refuse_scope(refused.type); end if;
    perform ops.refuse_change('INSERT', 'publication_change');
    return null;
end $$;

-- Images that revisions use: in the scope of who may change the revision, before the revision was written. Which image it is, nobody
-- outside learns: an image outside is refused like a missing one.
create or replace function curation.check_image_scope() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    accounts ops.account[];
    outside text;
begin
    -- Nothing restricts the program.
    if not ops.has_restricted_accounts() or ops.has_event(null) then return null; end if;
    accounts := ops.restricting(ops.permissions_for('curation.revision'::regclass));
    select a.pointer into outside
    from added a
    join curation.revision r on r.id = a.revision_id
    join curation.entry e on e.id = r.entry_id
    cross join lateral (select ops.restricted_author(r.author_id, e.submission_id) as account) author
    cross join lateral (
        select case when (author.account).id is null then accounts else array[author.account] end as accounts) acting
    where a.media_id is not null and acting.accounts is not null
      and not ops.contain_row(acting.accounts, 'image', a.media_id, null)
    limit 1;
    if found then
        perform curation.refuse('media_use_scope', 'an image is outside the access scope: /fields/' || case
            when strpos(outside, '#') > 0 then split_part(outside, '#', 1) else outside || '/media' end);
    end if;
    return null;
end $$;
