-- Trigger functions that enforce access scopes: a change needs an audit event of somebody whose scope contains it.
-- `ops.govern` declares the rule of each table.

-- After each statement; the arguments are the rule, the key column and, for inserted rows, the column of the author.
create or replace function ops.require_scope() returns trigger language plpgsql as $$
declare
    accounts ops.account[];
begin
    if not ops.has_restricted_accounts() then return null; end if;
    if tg_nargs < 3 or tg_op <> 'INSERT' then
        accounts := ops.restricting(null);
        if accounts is null then return null; end if;
    end if;
    if exists (
        select from (select to_jsonb(c) as row from changed c) c
        cross join lateral (select case when tg_nargs < 3 or tg_op <> 'INSERT' then accounts
            else ops.restricting((c.row ->> tg_argv[2])::uuid) end as of) restricted
        where restricted.of is not null
            and not ops.contain_row(restricted.of, tg_argv[0], (c.row ->> tg_argv[1])::uuid, c.row)) then
        perform ops.refuse_scope(replace(tg_table_name, '_', ' '));
    end if;
    return null;
end $$;

-- At commit, when the categories of a revision are known.
create or replace function ops.require_scope_at_commit() returns trigger language plpgsql as $$
declare
    accounts ops.account[] := ops.restricting((to_jsonb(new) ->> tg_argv[2])::uuid);
begin
    if accounts is not null
        and not ops.contain_row(accounts, tg_argv[0], (to_jsonb(new) ->> tg_argv[1])::uuid, to_jsonb(new)) then
        perform ops.refuse_scope(replace(tg_table_name, '_', ' '));
    end if;
    return null;
end $$;

-- Accounts change what is their own; administrators without an access scope, and the program, that of everybody.
create or replace function ops.require_own() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if ops.may_administer() then return null; end if;
    if exists (
        select from changed c where not exists (
            select from ops.audit_event e where e.transaction = ops.audit_transaction(pg_current_xact_id())
                and e.actor_id = (to_jsonb(c) ->> tg_argv[1])::uuid)) then
        perform curation.refuse('audit_event_administrator', format('only administrators change the %s of others', tg_table_name));
    end if;
    return null;
end $$;

-- What a publication publishes and unpublishes: the published revisions and the replaced ones.
create or replace function ops.check_publication_scope() returns trigger language plpgsql as $$
declare
    accounts ops.account[] := ops.restricting(null);
    excluded_type text;
begin
    if accounts is null then return null; end if;
    select c.type into excluded_type from changed c
    where not ops.contain_entry(accounts, c.type, array[c.new_revision, c.old_revision]) limit 1;
    if excluded_type is not null then perform ops.refuse_scope(excluded_type); end if;
    return null;
end $$;
