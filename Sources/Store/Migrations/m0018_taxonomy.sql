-- Categories that were merged into others (B29): whose category their members are shown in, and how the counts follow.
set local role @owner@;

-- The category that a merged one leads to, at the end of its chain. It follows from the live revisions' field merged_into
-- (projection.category_merge); publications keep it, verify compares it.
create table curation.category_merge (
    category_id uuid primary key,
    into_id uuid not null,
    constraint category_merge_elsewhere check (into_id <> category_id)
);
create index merged_by_into on curation.category_merge (into_id);
create index merged_by_text on curation.category_merge ((category_id::text));

-- What each publication merged and parted.
create table curation.category_merge_change (
    publication bigint not null,
    category_id uuid not null,
    old_into uuid,
    new_into uuid,
    primary key (publication, category_id),
    constraint category_merge_change_differs check (old_into is distinct from new_into)
);

create view projection.category_merge as
with recursive step as (
    select l.entry_id as category_id, r.target_entry_id as into_id
    from curation.live l join curation.reference r on r.revision_id = l.revision_id and r.field = 'merged_into'
    where l.kind = 'category'),
walk as (
    select category_id, into_id, 1 as steps from step
    union all
    select w.category_id, s.into_id, w.steps + 1 from walk w join step s on s.category_id = w.into_id
) cycle into_id set is_circle using path
select distinct on (category_id) category_id, into_id, is_circle from walk order by category_id, steps desc;

-- What live revisions name, as readers see it: members of a merged category are members of the one that it leads to, once.
create view curation.membership as
select r.revision_id, r.field, r.position, coalesce(m.into_id, r.target_entry_id) as target_entry_id, r.within_entry_id,
       r.counted
from curation.reference r
left join curation.category_merge m on m.category_id = r.target_entry_id
where m.category_id is null or not exists (
    select from curation.reference o
    left join curation.category_merge om on om.category_id = o.target_entry_id
    where o.revision_id = r.revision_id and o.field = r.field
      and (o.target_entry_id = m.into_id or om.into_id = m.into_id and o.position < r.position));

-- Brings curation.category_merge up to the live set; called by curation.change_live (m0009_publishing.sql).
create function curation.follow_merges(p_publication bigint) returns void language plpgsql as $$
declare
    offender text;
begin
    -- Most publications merge nothing. Those that do walk all merges, of which there are few.
    if not exists (
        select from curation.changed(p_publication) c
        join curation.reference r on r.revision_id in (c.old_revision, c.new_revision)
        where c.kind = 'category' and r.field = 'merged_into') then
        return;
    end if;
    select r.content ->> 'title' into offender
    from projection.category_merge m
    join curation.changed(p_publication) c on c.entry_id = m.category_id
    join curation.revision r on r.id = c.new_revision
    where m.is_circle order by m.category_id limit 1;
    if found then
        perform curation.refuse('merged_circle', format('"%s" would be merged into itself', offender));
    end if;
    insert into curation.category_merge_change (publication, category_id, old_into, new_into)
    select p_publication, coalesce(n.category_id, m.category_id), m.into_id, n.into_id
    from projection.category_merge n full join curation.category_merge m on m.category_id = n.category_id
    where n.into_id is distinct from m.into_id;
    delete from curation.category_merge m using curation.category_merge_change x
    where x.publication = p_publication and x.category_id = m.category_id;
    insert into curation.category_merge (category_id, into_id)
    select category_id, new_into from curation.category_merge_change where publication = p_publication and new_into is not null;
end $$;

-- What a publication takes out of the counts (sign -1) and puts into them (1): each revision once for each entry that it
-- names, as readers see it. Beside the changed entries these are the members of what was merged or parted.
create function curation.contributions(p_publication bigint)
returns table (sign integer, type text, revision_id uuid, field text, target_entry_id uuid, within_entry_id uuid)
language plpgsql stable rows 10 as $$
begin
    -- Most publications merge nothing, and then old and new are read in one way.
    if not exists (select from curation.category_merge_change x where x.publication = p_publication) then
        return query
        select s.sign, c.type, s.revision_id, r.field, r.target_entry_id, r.within_entry_id
        from curation.changed(p_publication) c
        cross join lateral (values (-1, c.old_revision), (1, c.new_revision)) s (sign, revision_id)
        -- asked for each revision: a join would read all memberships first
        cross join lateral (
            select * from curation.membership m where m.revision_id = s.revision_id and m.counted offset 0) r;
        return;
    end if;
    return query
    select distinct t.sign, t.type, t.revision_id, r.field,
           coalesce(case when x.category_id is null then m.into_id when t.sign < 0 then x.old_into else x.new_into end,
               r.target_entry_id),
           r.within_entry_id
    from (
        select s.sign, c.type, s.revision_id
        from curation.changed(p_publication) c
        cross join lateral (values (-1, c.old_revision), (1, c.new_revision)) s (sign, revision_id)
        where s.revision_id is not null
        union
        select s.sign, l.type, l.revision_id
        from curation.category_merge_change x
        join curation.reference r on r.target_entry_id = x.category_id and r.counted
        join curation.live l on l.revision_id = r.revision_id
        cross join (values (-1), (1)) s (sign)
        where x.publication = p_publication
          and not exists (select from curation.publication_change c
              where c.publication = p_publication and c.entry_id = l.entry_id)) t
    join curation.reference r on r.revision_id = t.revision_id and r.counted
    left join curation.category_merge m on m.category_id = r.target_entry_id
    left join curation.category_merge_change x on x.publication = p_publication and x.category_id = r.target_entry_id;
end $$;

-- The categories whose members show something else after a publication: those that changed, those merged into them, and
-- those that were merged or parted.
create function curation.restated_categories(p_publication bigint) returns setof uuid language sql stable as $$
    select c.entry_id from curation.changed(p_publication) c where c.kind = 'category'
    union
    select m.category_id
    from curation.changed(p_publication) c join curation.category_merge m on m.into_id = c.entry_id
    where c.kind = 'category'
    union
    select x.category_id from curation.category_merge_change x where x.publication = p_publication
$$;

-- What the counts must be (curation.member_count, curation.member_count_within).
create view projection.member_count as
select r.field, r.target_entry_id, l.type, count(*) as n
from curation.live l join curation.membership r on r.revision_id = l.revision_id and r.counted
group by r.field, r.target_entry_id, l.type;

create view projection.member_count_within as
select r.field, r.target_entry_id, r.within_entry_id, l.type, count(*) as n
from curation.live l join curation.membership r on r.revision_id = l.revision_id and r.within_entry_id is not null
group by r.field, r.target_entry_id, r.within_entry_id, l.type;

grant select on curation.category_merge, curation.category_merge_change, curation.membership, projection.category_merge,
    projection.member_count, projection.member_count_within to @daemon@;
revoke execute on function curation.follow_merges(bigint), curation.contributions(bigint),
    curation.restated_categories(bigint) from public;

reset role;
