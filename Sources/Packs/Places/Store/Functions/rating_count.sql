-- Ratings of places (B56), counted by difference: of each contributor and place the newest published review counts.

-- A contributor, also an erased one, whose submissions were erased at one time; without one, a review has an author of its own.
create or replace function curation.review_author(p_entry uuid, p_client uuid, p_contributor text, p_erased_at timestamptz)
returns text language sql stable parallel safe as $$
    select case when p_contributor is not null then 'contributor ' || p_client || ' ' || p_contributor
        when p_erased_at is not null then 'erased ' || p_client || ' ' || extract(epoch from p_erased_at)
        else 'entry ' || p_entry end
$$;

-- Published reviews with their authors.
create view projection.rated_review as
select l.entry_id, (r.content ->> 'place')::uuid as place_id, (r.content ->> 'rating')::integer as rating, s.received_at,
       curation.review_author(l.entry_id, s.client_id, s.contributor, s.erased_at) as author
from curation.live l
join curation.revision r on r.id = l.revision_id
join curation.entry e on e.id = l.entry_id
left join curation.submission s on s.id = e.submission_id
where l.kind = 'review' and r.content ?& '{place,rating}';

-- The expected counts of curation.rating_count.
create view projection.rating_count as
select place_id, rating, count(*) as n
from (
    select distinct on (v.place_id, v.author) v.place_id, v.rating
    from projection.rated_review v order by v.place_id, v.author, v.received_at desc, v.entry_id desc) c
group by place_id, rating;

-- The entries of an author: of a contributor, of an erased one, or the one that has an author of its own.
create or replace function curation.reviews_of_author(p_entry uuid, p_client uuid, p_contributor text, p_erased_at timestamptz)
returns table (entry_id uuid, received_at timestamptz) language sql stable rows 2 as $$
    select e.id, s.received_at
    from curation.submission s join curation.entry e on e.submission_id = s.id
    where p_contributor is not null and s.client_id = p_client and s.contributor = p_contributor and e.kind = 'review'
    union all
    select e.id, s.received_at
    from curation.submission s join curation.entry e on e.submission_id = s.id
    where p_contributor is null and s.client_id = p_client and s.erased_at = p_erased_at and e.kind = 'review'
    union all
    select p_entry, null where p_contributor is null and p_erased_at is null
$$;

-- Updates the counts. Called by curation.change_live: for each author and place of a changed review, the review that counted
-- before is compared with the one that counts now.
create or replace function curation.count_ratings(p_publication bigint) returns void language plpgsql as $$
begin
    if not exists (select from curation.changed(p_publication) c where c.kind = 'review') then return; end if;
    merge into curation.rating_count t
    using (
        with changed as materialized (
            select distinct on (place_id, author) (r.content ->> 'place')::uuid as place_id,
                   curation.review_author(e.id, s.client_id, s.contributor, s.erased_at) as author, e.id as entry_id,
                   s.client_id, s.contributor, s.erased_at
            from curation.changed(p_publication) c
            join curation.revision r on r.id in (c.old_revision, c.new_revision)
            join curation.entry e on e.id = c.entry_id
            left join curation.submission s on s.id = e.submission_id
            where c.kind = 'review' and r.content ?& '{place,rating}'),
        counted as materialized (
            select w.place_id, w.author,
                   (array_agg((o.content ->> 'rating')::integer order by x.received_at desc, x.entry_id desc)
                       filter (where (o.content ->> 'place')::uuid = w.place_id and o.content ? 'rating'))[1] as before,
                   (array_agg((n.content ->> 'rating')::integer order by x.received_at desc, x.entry_id desc)
                       filter (where (n.content ->> 'place')::uuid = w.place_id and n.content ? 'rating'))[1] as after
            from changed w
            cross join lateral curation.reviews_of_author(w.entry_id, w.client_id, w.contributor, w.erased_at) x
            left join curation.publication_change c on c.publication = p_publication and c.entry_id = x.entry_id
            left join curation.live l on l.entry_id = x.entry_id
            left join curation.revision o on o.id = case when c.entry_id is null then l.revision_id else c.old_revision end
            left join curation.revision n on n.id = l.revision_id
            group by w.place_id, w.author)
        select c.place_id, s.rating, sum(s.sign) as n
        from counted c cross join lateral (values (-1, c.before), (1, c.after)) s (sign, rating)
        where s.rating is not null
        group by 1, 2 having sum(s.sign) <> 0) d
    on t.place_id = d.place_id and t.rating = d.rating
    when matched and t.n + d.n = 0 then delete
    when matched then update set n = t.n + d.n
    when not matched then insert (place_id, rating, n) values (d.place_id, d.rating, d.n);
end $$;
