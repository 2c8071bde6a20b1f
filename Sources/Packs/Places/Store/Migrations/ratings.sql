-- Places by rating, and one review of each contributor and place that counts.
set local role @owner@;

-- The submissions of an erased contributor stay one contributor's: they were erased at one time.
create index submission_erased on curation.submission (client_id, erased_at) where erased_at is not null;

-- Until now every published review counted.
delete from curation.rating_count;
insert into curation.rating_count (place_id, rating, n)
select place_id, rating, count(*)
from (
    select distinct on (v.place_id, v.author) v.place_id, v.rating
    from (
        select (r.content ->> 'place')::uuid as place_id, (r.content ->> 'rating')::integer as rating, l.entry_id,
               s.received_at,
               case when s.contributor is not null then 'contributor ' || s.client_id || ' ' || s.contributor
                   when s.erased_at is not null then 'erased ' || s.client_id || ' ' || extract(epoch from s.erased_at)
                   else 'entry ' || l.entry_id end as author
        from curation.live l
        join curation.revision r on r.id = l.revision_id
        join curation.entry e on e.id = l.entry_id
        left join curation.submission s on s.id = e.submission_id
        where l.kind = 'review' and r.content ?& '{place,rating}') v
    order by v.place_id, v.author, v.received_at desc, v.entry_id desc) c
group by place_id, rating;

alter table api_v1.place add column rating_rank bigint not null default 0;
update api_v1.place p set rating_rank = -(n.mean * 100)::bigint * 1000000000 - n.n
from (
    select place_id, sum(n)::bigint as n, round(sum(n * rating) / sum(n), 2) as mean from curation.rating_count group by place_id) n
where n.place_id = p.id;
create index place_rating on api_v1.place (rating_rank, id);
create index place_city_rating on api_v1.place (city_id, rating_rank, id);

comment on column api_v1.place.rating_rank is 'Sort order by rating, before ID: the negative of the mean in hundredths times 1,000,000,000 plus the number of reviews; 0 without reviews.';

reset role;
