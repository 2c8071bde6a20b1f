-- Counts of the images of feeds and categories, for offline manifests. media_id is the ID of a version of an image, which the
-- revisions show, or of an external image.

-- Number, size and hash of an image's files. An external image has none and is excluded from offline manifests.
create or replace function curation.media_weight(p_media uuid)
returns table (files bigint, bytes bigint, mark bit(256), excluded bigint) language sql stable as $$
    select count(*), coalesce(sum(f.bytes), 0)::bigint,
           coalesce(bit_xor(('x' || encode(sha256(convert_to(concat_ws(' ', f.media_id, f.width, f.path, f.sha256), 'UTF8')), 'hex'))::bit(256)),
               repeat('0', 256)::bit(256)),
           (count(*) = 0)::integer::bigint
    from ops.media_file f where f.version_id = p_media
$$;

-- The expected counts.
create view projection.media_count as
select r.field, r.target_entry_id, coalesce(u.version_id, u.external_id) as media_id, count(distinct l.entry_id) as n
from curation.live l
join curation.media_use u on u.revision_id = l.revision_id
join curation.membership r on r.revision_id = l.revision_id and r.field in ('feeds', 'categories')
where l.kind = 'item'
group by r.field, r.target_entry_id, coalesce(u.version_id, u.external_id);

create view projection.media_total as
select t.field, t.target_entry_id, sum(w.files)::bigint as files, sum(w.bytes)::bigint as bytes, bit_xor(w.mark) as mark,
    sum(w.excluded)::bigint as excluded
from projection.media_count t cross join lateral curation.media_weight(t.media_id) w
group by t.field, t.target_entry_id;

-- Updates the counts. Called by curation.change_live.
create or replace function curation.count_media(p_publication bigint) returns void language plpgsql as $$
begin
    if not exists (select from curation.changed(p_publication) c
            join curation.media_use u on u.revision_id in (c.old_revision, c.new_revision))
        and not exists (select from curation.category_merge_change where publication = p_publication) then
        return;
    end if;
    insert into curation.media_count_change (publication, field, target_entry_id, media_id, n, added)
    select p_publication, d.field, d.target_entry_id, d.media_id, d.n,
           case when t.n is null then 1 when t.n + d.n = 0 then -1 else 0 end
    from (
        select c.field, c.target_entry_id, u.media_id, sum(c.sign) as n
        from curation.contributions(p_publication) c
        join curation.content_type z on z.name = c.type and z.kind = 'item'
        cross join lateral (
            select distinct coalesce(u.version_id, u.external_id) as media_id
            from curation.media_use u where u.revision_id = c.revision_id) u
        where c.field in ('feeds', 'categories')
        group by c.field, c.target_entry_id, u.media_id) d
    left join curation.media_count t
      on t.field = d.field and t.target_entry_id = d.target_entry_id and t.media_id = d.media_id
    where d.n <> 0;
    if not found then return; end if;
    merge into curation.media_count t
    using (select * from curation.media_count_change where publication = p_publication) d
    on t.field = d.field and t.target_entry_id = d.target_entry_id and t.media_id = d.media_id
    when matched and t.n + d.n = 0 then delete
    when matched then update set n = t.n + d.n
    when not matched then insert (field, target_entry_id, media_id, n)
        values (d.field, d.target_entry_id, d.media_id, d.n);
    merge into curation.media_total t
    using (
        select d.field, d.target_entry_id, sum(d.added * w.files)::bigint as files, sum(d.added * w.bytes)::bigint as bytes,
               bit_xor(w.mark) as mark, sum(d.added * w.excluded)::bigint as excluded
        from curation.media_count_change d cross join lateral curation.media_weight(d.media_id) w
        where d.publication = p_publication and d.added <> 0
        group by d.field, d.target_entry_id) d
    on t.field = d.field and t.target_entry_id = d.target_entry_id
    when matched and t.files + d.files + t.excluded + d.excluded = 0 then delete
    when matched then update set files = t.files + d.files, bytes = t.bytes + d.bytes, mark = t.mark # d.mark,
        excluded = t.excluded + d.excluded
    when not matched then insert (field, target_entry_id, files, bytes, mark, excluded)
        values (d.field, d.target_entry_id, d.files, d.bytes, d.mark, d.excluded);
end $$;

-- Published feeds whose images a publication changed, directly or through the category of a category feed.
create or replace function curation.feeds_with_changed_images(p_publication bigint) returns table (feed_id uuid, media_id uuid)
language plpgsql stable rows 1 as $$
begin
    return query
    select l.entry_id, d.media_id
    from curation.media_count_change d
    join curation.live l on l.entry_id = d.target_entry_id and l.kind = 'feed'
    where d.publication = p_publication and d.added <> 0 and d.field = 'feeds'
    union
    select l.entry_id, d.media_id
    from curation.media_count_change d
    cross join lateral projection.with_merged(d.target_entry_id) c
    join curation.reference f on f.target_entry_id = c.id and f.field = 'source_category'
    join curation.live l on l.revision_id = f.revision_id
    where d.publication = p_publication and d.added <> 0 and d.field = 'categories';
end $$;
