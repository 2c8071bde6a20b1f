-- Member counts.

-- The expected counts of curation.member_count and curation.member_count_within.
create view projection.member_count as
select r.field, r.target_entry_id, l.type, count(*) as n
from curation.live l join curation.membership r on r.revision_id = l.revision_id and r.counted
group by r.field, r.target_entry_id, l.type;

create view projection.member_count_within as
select r.field, r.target_entry_id, r.within_entry_id, l.type, count(*) as n
from curation.live l join curation.membership r on r.revision_id = l.revision_id and r.within_entry_id is not null
group by r.field, r.target_entry_id, r.within_entry_id, l.type;

-- Updates curation.member_count_within. Called by curation.change_live.
create or replace function curation.count_within(p_publication bigint) returns void language plpgsql as $$
begin
    merge into curation.member_count_within t
    using (
        select c.field, c.target_entry_id, c.within_entry_id, c.type, sum(c.sign) as n
        from curation.contributions(p_publication) c
        where c.within_entry_id is not null
        group by c.field, c.target_entry_id, c.within_entry_id, c.type having sum(c.sign) <> 0) d
    on t.field = d.field and t.target_entry_id = d.target_entry_id and t.within_entry_id = d.within_entry_id
        and t.type = d.type
    when matched and t.n + d.n = 0 then delete
    when matched then update set n = t.n + d.n
    when not matched then insert (field, target_entry_id, within_entry_id, type, n)
        values (d.field, d.target_entry_id, d.within_entry_id, d.type, d.n);
end $$;
