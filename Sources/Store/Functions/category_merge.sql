-- Category merges (B29): where members of merged categories appear, and how counts follow.

-- Each merged category with the end of its merge chain.
create view projection.category_merge as
with recursive step as (
    select l.entry_id as category_id, r.target_entry_id as target_id
    from curation.live l join curation.reference r on r.revision_id = l.revision_id and r.field = 'merged_into'
    where l.kind = 'category'),
walk as (
    select category_id, target_id, 1 as steps from step
    union all
    select w.category_id, s.target_id, w.steps + 1 from walk w join step s on s.category_id = w.target_id
) cycle target_id set is_cycle using path
select distinct on (category_id) category_id, target_id, is_cycle from walk order by category_id, steps desc;

-- References of revisions as readers see them: members of a merged category are members of its target, once.
create view curation.membership as
select r.revision_id, r.field, r.position, coalesce(m.target_id, r.target_entry_id) as target_entry_id, r.within_entry_id,
       r.counted
from curation.reference r
left join curation.category_merge m on m.category_id = r.target_entry_id
where m.category_id is null or not exists (
    select from curation.reference o
    left join curation.category_merge om on om.category_id = o.target_entry_id
    where o.revision_id = r.revision_id and o.field = r.field
      and (o.target_entry_id = m.target_id or om.target_id = m.target_id and o.position < r.position));

grant select on curation.membership to @daemon@;

-- Updates curation.category_merge. Called by curation.change_live.
create or replace function curation.follow_merges(p_publication bigint) returns void language plpgsql as $$
declare
    category text;
begin
    -- Most publications merge nothing. The others recompute all merges, of which there are few.
    if not exists (
        select from curation.changed(p_publication) c
        join curation.reference r on r.revision_id in (c.old_revision, c.new_revision)
        where c.kind = 'category' and r.field = 'merged_into') then
        return;
    end if;
    select r.content ->> 'title' into category
    from projection.category_merge m
    join curation.changed(p_publication) c on c.entry_id = m.category_id
    join curation.revision r on r.id = c.new_revision
    where m.is_cycle order by m.category_id limit 1;
    if found then
        perform curation.refuse('category_merge_cycle', format('"%s" would be merged into itself', category));
    end if;
    insert into curation.category_merge_change (publication, category_id, old_target, new_target)
    select p_publication, coalesce(n.category_id, m.category_id), m.target_id, n.target_id
    from projection.category_merge n full join curation.category_merge m on m.category_id = n.category_id
    where n.target_id is distinct from m.target_id;
    delete from curation.category_merge m using curation.category_merge_change x
    where x.publication = p_publication and x.category_id = m.category_id;
    insert into curation.category_merge (category_id, target_id)
    select category_id, new_target from curation.category_merge_change where publication = p_publication and new_target is not null;
end $$;

-- What a publication removes from counts (sign -1) and adds to them (1): each revision once per referenced entry, as
-- readers see it. Includes the members of merged and unmerged categories.
create or replace function curation.contributions(p_publication bigint)
returns table (sign integer, type text, revision_id uuid, field text, target_entry_id uuid, within_entry_id uuid)
language plpgsql stable rows 10 as $$
begin
    -- Without merges, old and new revisions are read alike.
    if not exists (select from curation.category_merge_change x where x.publication = p_publication) then
        return query
        select s.sign, c.type, s.revision_id, r.field, r.target_entry_id, r.within_entry_id
        from curation.changed(p_publication) c
        cross join lateral (values (-1, c.old_revision), (1, c.new_revision)) s (sign, revision_id)
        -- lateral: a join would read all memberships first
        cross join lateral (
            select * from curation.membership m where m.revision_id = s.revision_id and m.counted offset 0) r;
        return;
    end if;
    return query
    select distinct t.sign, t.type, t.revision_id, r.field,
           coalesce(case when x.category_id is null then m.target_id when t.sign < 0 then x.old_target else x.new_target end,
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

-- Categories whose members show something else after a publication: changed categories, those merged into them, and
-- merged or unmerged ones.
create or replace function curation.affected_categories(p_publication bigint) returns setof uuid language sql stable as $$
    select c.entry_id from curation.changed(p_publication) c where c.kind = 'category'
    union
    select m.category_id
    from curation.changed(p_publication) c join curation.category_merge m on m.target_id = c.entry_id
    where c.kind = 'category'
    union
    select x.category_id from curation.category_merge_change x where x.publication = p_publication
$$;
