-- Access scopes: which content a restricted account may see and change. `types` and `groups` are the scope; null means all.

-- The category groups of a revision: those of its categories, a category's own group, or the group itself. The category
-- "Unsorted" belongs to no group, so that everyone can categorize its entries. In PL/pgSQL, as what else a bulk action asks for each
-- row: PostgreSQL plans functions in SQL again for each row of a trigger.
create or replace function curation.groups_of(revision uuid) returns uuid[] language plpgsql stable as $$
begin
    return (
        select coalesce(array_agg(distinct g.id) filter (where g.id is not null), '{}')
        from (
            select case e.kind when 'category_group' then e.id else (
                select f.target_entry_id from curation.revision c join curation.reference f on f.revision_id = c.id
                where c.entry_id = e.id and f.field = 'group' order by c.number desc limit 1) end as id
            from curation.reference r join curation.entry e on e.id = r.target_entry_id
            where r.revision_id = groups_of.revision and e.kind in ('category', 'category_group')
              and e.id <> '00000000-0000-7000-8000-000000000013'
            union all
            select e.id from curation.revision v join curation.entry e on e.id = v.entry_id
            where v.id = groups_of.revision and e.kind = 'category_group') g);
end $$;

-- The newest and the published revision of an entry.
create or replace function curation.current_revisions(p_entry uuid) returns uuid[] language plpgsql stable as $$
begin
    return array[(select r.id from curation.revision r where r.entry_id = p_entry order by r.number desc limit 1),
        (select l.revision_id from curation.live l where l.entry_id = p_entry)];
end $$;

-- Content without a category group, such as texts and settings, is not restricted by groups. Of several groups one is enough.
create or replace function ops.in_access_scope(types text[], groups uuid[], type text, given uuid[]) returns boolean
language sql immutable as $$
    select (types is null or type = any(types)) and (groups is null or given = '{}' or given && groups)
$$;

-- Whether pages show an entry: by its newest revision.
create or replace function ops.entry_in_scope(types text[], groups uuid[], type text, entry uuid) returns boolean
language sql stable as $$
    select ops.in_access_scope(types, null, type, '{}') and (groups is null or ops.in_access_scope(null, groups, type,
        curation.groups_of((select r.id from curation.revision r where r.entry_id = entry order by r.number desc limit 1))))
$$;

-- All names, in lowercase, of the published categories outside these groups.
create or replace function curation.names_outside(groups uuid[]) returns text[] language sql stable as $$
    select coalesce(array_agg(distinct lower(n.name)) filter (where n.name is not null), '{}')
    from curation.live l
    join lateral (select v.content from curation.revision v where v.entry_id = l.entry_id order by v.number desc limit 1) v on true
    cross join lateral (
        select v.content ->> 'title' as name union all select v.content ->> 'slug'
        union all select regexp_split_to_table(v.content ->> 'synonyms', '[\r\n]+')
        union all select t ->> 'name' from jsonb_array_elements(
            case jsonb_typeof(v.content -> 'names') when 'array' then v.content -> 'names' else '[]' end) t) n
    where l.kind = 'category' and (v.content ->> 'group')::uuid <> all(groups) and trim(n.name) <> ''
$$;

-- Submissions have no category yet; the published category that one requests counts.
create or replace function ops.submission_in_scope(types text[], groups uuid[], type text, requested_category text) returns boolean
language sql stable as $$
    select ops.in_access_scope(types, null, type, '{}')
        and (groups is null or requested_category is null or lower(requested_category) <> all(curation.names_outside(groups)))
$$;

-- Whether pages show what a note is about: a submission or an entry.
create or replace function ops.subject_in_scope(types text[], groups uuid[], submission uuid, entry uuid) returns boolean
language sql stable as $$
    select types is null and groups is null
        or exists (select from curation.submission s
            where s.id = submission and ops.submission_in_scope(types, groups, s.type, s.requested_category))
        or exists (select from curation.entry e where e.id = entry and ops.entry_in_scope(types, groups, e.type, e.id))
$$;

-- Whether pages show a contributor: by what they have sent.
create or replace function ops.contributor_in_scope(types text[], groups uuid[], p_contributor uuid) returns boolean
language sql stable as $$
    select types is null and groups is null or exists (
        select from curation.contributor c join curation.submission s on s.client_id = c.client_id and s.contributor = c.name
        where c.id = p_contributor and ops.submission_in_scope(types, groups, s.type, s.requested_category))
$$;

-- Whether pages show an image of the library: no entry uses it, published content shows it, or an entry in the scope uses it. What
-- this transaction has written doesn't count: choosing an image puts it into no scope.
create or replace function ops.image_in_scope(p_types text[], p_groups uuid[], p_image uuid) returns boolean language plpgsql stable as $$
declare
    current_transaction constant xid8 := ops.audit_transaction(pg_current_xact_id_if_assigned());
begin
    if p_types is null and p_groups is null then return true; end if;
    return not exists (
            select from curation.media_use u join curation.revision r on r.id = u.revision_id
            where u.media_id = p_image
              and (current_transaction is null or r.audit_transaction is distinct from current_transaction))
        or exists (
            select from curation.media_use u join curation.revision r on r.id = u.revision_id
            join curation.live l on l.revision_id = r.id
            where u.media_id = p_image
              and (current_transaction is null or r.audit_transaction is distinct from current_transaction))
        or exists (
            select from curation.media_use u join curation.revision r on r.id = u.revision_id
            join curation.entry e on e.id = r.entry_id
            where u.media_id = p_image and ops.entry_in_scope(p_types, p_groups, e.type, e.id)
              and (current_transaction is null or r.audit_transaction is distinct from current_transaction));
end $$;

-- Few teams have any, and imports ask for every row.
create or replace function ops.has_restricted_accounts() returns boolean language plpgsql stable security definer
set search_path = pg_catalog, pg_temp as $$
begin
    return exists (select from ops.account a where a.types is not null or a.groups is not null);
end $$;

-- The restricted accounts of which one must contain a change that takes one of these permissions; null if somebody who has one is
-- not restricted, and empty if nobody has one. Others who act in the transaction don't count, whatever their scope.
create or replace function ops.restricting(p_permissions text) returns ops.account[] language plpgsql stable security definer
set search_path = pg_catalog, pg_temp as $$
declare
    permitted constant uuid[] := ops.permitted(p_permissions);
begin
    if exists (
        select from unnest(permitted) p (id) left join ops.account a on a.id = p.id
        where a.types is null and a.groups is null) then
        return null;
    end if;
    return (select coalesce(array_agg(a), '{}') from unnest(permitted) p (id) join ops.account a on a.id = p.id);
end $$;

-- The author of a row, if an access scope restricts it: the row must be in this scope, unless the program acts, whose imports copy
-- what accounts wrote before they were restricted. What a contributor sent is the responsibility of the person who approved it.
create or replace function ops.restricted_author(p_author uuid, p_submission uuid) returns ops.account language plpgsql stable
security definer set search_path = pg_catalog, pg_temp as $$
declare
    author ops.account;
begin
    select a.* into author from ops.account a
    where (a.types is not null or a.groups is not null) and a.id = case
        when p_author <> '00000000-0000-7000-8000-000000000003' then p_author else (
            select d.decided_by from curation.decision d
            where d.submission_id = p_submission and d.verdict = 'approve' order by d.number desc limit 1) end;
    return author;
end $$;

-- Whether one of the accounts has all revisions in its scope. Revisions of one entry may be in different category groups, and each
-- counts, so that nobody takes an entry from others by giving it another category.
create or replace function ops.contain_entry(p_accounts ops.account[], p_type text, p_revisions uuid[]) returns boolean
language plpgsql stable as $$
begin
    return exists (
        select from unnest(p_accounts) a
        where ops.in_access_scope(a.types, a.groups, p_type, '{}') and (a.groups is null or not exists (
            select from unnest(p_revisions) r (id)
            cross join lateral (select curation.groups_of(r.id) as groups offset 0) g
            where r.id is not null and not ops.in_access_scope(null, a.groups, p_type, g.groups))));
end $$;

-- Whether each of the submissions is in the scope of one of the accounts. The names are computed once, and only if one of the
-- submissions requests a category: they are read from all categories, and approvals in stages are added one by one.
create or replace function ops.contain_submissions(p_accounts ops.account[], p_submissions uuid[]) returns boolean
language plpgsql stable as $$
begin
    return not exists (
        with account as materialized (
            select a.types, case when a.groups is not null and exists (
                select from unnest(p_submissions) i (id) join curation.submission s on s.id = i.id
                where s.requested_category is not null) then curation.names_outside(a.groups) else '{}' end as names
            from unnest(p_accounts) a)
        select from unnest(p_submissions) i (id)
        where not exists (
            select from curation.submission s, account a
            where s.id = i.id and ops.in_access_scope(a.types, null, s.type, '{}')
                and (s.requested_category is null or lower(s.requested_category) <> all(a.names))));
end $$;

-- Whether one of the accounts has a changed row in its scope, which without any is false; `p_rule` and `p_id` are the rule of the
-- table and the ID in its key column.
create or replace function ops.contain_row(p_accounts ops.account[], p_rule text, p_id uuid, p_row jsonb) returns boolean
language plpgsql stable as $$
begin
    if coalesce(cardinality(p_accounts), 0) = 0 then return false; end if;
    case p_rule
        when 'submission' then return ops.contain_submissions(p_accounts, array[p_id]);
        when 'note' then return exists (
            select from unnest(p_accounts) a
            where ops.subject_in_scope(a.types, a.groups, (p_row ->> 'submission_id')::uuid, (p_row ->> 'entry_id')::uuid)
                or ops.contributor_in_scope(a.types, a.groups, (p_row ->> 'contributor_id')::uuid));
        when 'entry' then return exists (
            select from curation.entry e
            where e.id = p_id and ops.contain_entry(p_accounts, e.type, curation.current_revisions(e.id)));
        when 'revision' then return exists (
            select from curation.revision v join curation.entry e on e.id = v.entry_id
            where v.id = p_id and ops.contain_entry(p_accounts, e.type, array(
                select r.id from curation.revision r where r.entry_id = v.entry_id and r.number <= v.number
                order by r.number desc limit 2)));
        when 'release' then return not exists (
            select from curation.release_item i join curation.entry e on e.id = i.entry_id
            where i.release_id = p_id and not ops.contain_entry(p_accounts, e.type, array[i.revision_id, i.base_revision]));
        when 'release_item' then return exists (
            select from curation.entry e where e.id = p_id and ops.contain_entry(p_accounts, e.type,
                array[(p_row ->> 'revision_id')::uuid, (p_row ->> 'base_revision')::uuid]));
        when 'image' then return exists (select from unnest(p_accounts) a where ops.image_in_scope(a.types, a.groups, p_id));
        else return false;
    end case;
end $$;

-- The same for each of several rows.
create or replace function ops.contain_rows(p_accounts ops.account[], p_rule text, p_ids uuid[], p_rows jsonb[]) returns boolean
language plpgsql stable as $$
begin
    if p_rule = 'submission' then return ops.contain_submissions(p_accounts, p_ids); end if;
    return not exists (
        select from unnest(p_ids, p_rows) c (id, row) where ops.contain_row(p_accounts, p_rule, c.id, c.row) is not true);
end $$;

create or replace function ops.refuse_scope(p_type text) returns void language plpgsql as $$
begin
    perform curation.refuse('account_scope', format('this %s is outside the access scope of this account', p_type));
end $$;

-- The decisions of this transaction by those with the permission to decide: its times are known before it begins, its number isn't.
create or replace function ops.current_decisions() returns table (submission_id uuid, decided_by uuid) language sql stable as $$
    select d.submission_id, d.decided_by from curation.decision d
    where d.decided_by = any ((select ops.permitted('decide'))::uuid[]) and d.decided_at >= now()
      and d.audit_transaction = ops.audit_transaction(pg_current_xact_id())
$$;

-- Who made those on a submission. Found by the submission: found by the transaction, a bulk action would read all of its decisions for
-- each row.
create or replace function ops.current_deciders(p_submission uuid) returns table (decided_by uuid) language sql stable rows 1 as $$
    select d.decided_by
    from (select d.decided_by, d.decided_at, d.audit_transaction from curation.decision d where d.submission_id = p_submission offset 0) d
    where d.decided_by = any ((select ops.permitted('decide'))::uuid[]) and d.decided_at >= now()
      and d.audit_transaction = ops.audit_transaction(pg_current_xact_id())
$$;

-- Refuses a change of somebody who may only decide, beyond what they decided in the transaction (require_decided_release and others).
create or replace function ops.refuse_undecided(p_accounts ops.account[], p_operation text, p_table text) returns void language plpgsql as $$
begin
    if cardinality(p_accounts) > 0 then perform ops.refuse_scope(replace(p_table, '_', ' ')); end if;
    perform ops.refuse_change(p_operation, p_table);
end $$;

grant execute on function curation.groups_of(uuid), curation.current_revisions(uuid), curation.names_outside(uuid[]),
    ops.in_access_scope(text[], uuid[], text, uuid[]), ops.entry_in_scope(text[], uuid[], text, uuid),
    ops.submission_in_scope(text[], uuid[], text, text), ops.subject_in_scope(text[], uuid[], uuid, uuid),
    ops.contributor_in_scope(text[], uuid[], uuid), ops.image_in_scope(text[], uuid[], uuid),
    ops.has_restricted_accounts(), ops.restricting(text), ops.restricted_author(uuid, uuid), ops.contain_entry(ops.account[], text, uuid[]),
    ops.contain_row(ops.account[], text, uuid, jsonb),
    ops.contain_submissions(ops.account[], uuid[]), ops.contain_rows(ops.account[], text, uuid[], jsonb[]), ops.current_decisions(),
    ops.current_deciders(uuid), ops.refuse_scope(text), ops.refuse_undecided(ops.account[], text, text) to @daemon@;
