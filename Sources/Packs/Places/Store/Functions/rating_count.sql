-- Ratings of places (B56), counted by difference.

-- The expected counts of curation.rating_count.
create view projection.rating_count as
select (r.content ->> 'place')::uuid as place_id, (r.content ->> 'rating')::integer as rating, count(*) as n
from curation.live l join curation.revision r on r.id = l.revision_id
where l.kind = 'review' and r.content ?& '{place,rating}'
group by 1, 2;

-- Updates the counts. Called by curation.change_live.
create or replace function curation.count_ratings(p_publication bigint) returns void language plpgsql as $$
begin
    if not exists (select from curation.changed(p_publication) c where c.kind = 'review') then return; end if;
    merge into curation.rating_count t
    using (
        select (r.content ->> 'place')::uuid as place_id, (r.content ->> 'rating')::integer as rating, sum(s.sign) as n
        from curation.changed(p_publication) c
        cross join lateral (values (-1, c.old_revision), (1, c.new_revision)) s (sign, revision_id)
        join curation.revision r on r.id = s.revision_id
        where c.kind = 'review' and r.content ?& '{place,rating}'
        group by 1, 2 having sum(s.sign) <> 0) d
    on t.place_id = d.place_id and t.rating = d.rating
    when matched and t.n + d.n = 0 then delete
    when matched then update set n = t.n + d.n
    when not matched then insert (place_id, rating, n) values (d.place_id, d.rating, d.n);
end $$;
