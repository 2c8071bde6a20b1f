-- Number of published places per published category and city (B31, K8). Key: city_id, category_id.
create view projection.category_city_count as
select v.city_id, v.category_id, v::api_v1.category_city_count as category_city_count
from (
    select t.within_entry_id as city_id, t.target_entry_id as category_id, t.n as place_count
    from (
        select within_entry_id, target_entry_id, sum(n)::bigint as n from curation.member_count_within
        where field = 'categories' group by within_entry_id, target_entry_id) t
    join curation.live c on c.entry_id = t.within_entry_id and c.kind = 'city'
    join curation.live g on g.entry_id = t.target_entry_id and g.kind = 'category') v;

-- The pairs that gained or lost a place.
create or replace function projection.recounted_within(p_publication bigint)
returns table (city_id uuid, category_id uuid) language sql stable as $$
    select f.within_entry_id, f.target_entry_id
    from curation.contributions(p_publication) f
    where f.within_entry_id is not null and f.field = 'categories'
$$;

-- A category was published or unpublished.
create or replace function projection.category_city_count_by_category(p_publication bigint)
returns table (city_id uuid, category_id uuid) language sql stable as $$
    select t.within_entry_id, t.target_entry_id
    from curation.changed(p_publication) c
    join curation.member_count_within t on t.target_entry_id = c.entry_id and t.field = 'categories'
    where c.kind = 'category' and (c.old_revision is null or c.new_revision is null)
$$;

-- A city was published or unpublished.
create or replace function projection.category_city_count_by_city(p_publication bigint)
returns table (city_id uuid, category_id uuid) language sql stable as $$
    select t.within_entry_id, t.target_entry_id
    from curation.changed(p_publication) c
    join curation.member_count_within t on t.within_entry_id = c.entry_id and t.field = 'categories'
    where c.kind = 'city' and (c.old_revision is null or c.new_revision is null)
$$;
