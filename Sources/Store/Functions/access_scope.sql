-- Access scopes: which content a restricted account may change.

-- The category groups of a revision: those of its categories, a category's own group, or the group itself. The category
-- "Unsorted" belongs to no group, so that everyone can categorize its entries.
create or replace function curation.groups_of(revision uuid) returns uuid[] language sql stable as $$
    select coalesce(array_agg(distinct g.id) filter (where g.id is not null), '{}')
    from (
        select case e.kind when 'category_group' then e.id else (
            select f.target_entry_id from curation.revision c join curation.reference f on f.revision_id = c.id
            where c.entry_id = e.id and f.field = 'group' order by c.number desc limit 1) end as id
        from curation.reference r join curation.entry e on e.id = r.target_entry_id
        where r.revision_id = revision and e.kind in ('category', 'category_group')
          and e.id <> '00000000-0000-7000-8000-000000000013'
        union all
        select e.id from curation.revision v join curation.entry e on e.id = v.entry_id
        where v.id = revision and e.kind = 'category_group') g
$$;

-- The actor of this transaction, by its first audit event, if that account is restricted. Returns early if no account
-- is restricted, because imports ask for every revision.
create or replace function ops.restricted_actor() returns ops.account language plpgsql stable as $$
declare
    account ops.account;
begin
    if exists (select from ops.account a where a.types is not null or a.groups is not null) then
        select a.* into account from ops.account a
        where (a.types is not null or a.groups is not null) and a.id = (
            select e.actor_id from ops.audit_event e where e.transaction = ops.audit_transaction(pg_current_xact_id())
            order by e.id limit 1);
    end if;
    return account;
end $$;

-- Content without a category group, such as texts and settings, is not restricted by groups.
create or replace function ops.in_access_scope(account ops.account, type text, groups uuid[]) returns boolean language sql immutable as $$
    select (account.types is null or type = any(account.types))
       and (account.groups is null or groups = '{}' or groups && account.groups)
$$;

create or replace function ops.require_access_scope(account ops.account, type text) returns void language plpgsql as $$
begin
    perform curation.refuse('account_scope', format('this %s is outside the access scope of this account', type));
end $$;

grant execute on function curation.groups_of(uuid), ops.restricted_actor(), ops.in_access_scope(ops.account, text,
    uuid[]), ops.require_access_scope(ops.account, text) to @daemon@;
