-- What may be kept of each feed for offline use, as a whole (A30, A34, A39): one version for all of its files, which is another
-- when any of them is. Key: feed_id. Streams are not among them: a film is held by its provider (K3).
create view projection.offline_manifest as
select v.feed_id, v::api_v1.offline_manifest as offline_manifest
from (
    select l.entry_id as feed_id,
           x.version,
           'premium' as requires,
           x.files as file_count,
           x.bytes,
           json_build_object('feed', l.entry_id, 'version', x.version, 'requires', 'premium', 'files', x.files,
               'bytes', x.bytes, 'streams_left_out', s.n) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    cross join lateral projection.filled_by(l.entry_id, r.content) b
    left join curation.media_total m on m.field = b.field and m.target_entry_id = b.target
    cross join lateral (
        select coalesce(m.files, 0) as files, coalesce(m.bytes, 0) as bytes,
               encode(sha256(convert_to(coalesce(m.mark::text, ''), 'UTF8')), 'hex') as version offset 0) x
    cross join lateral (
        select coalesce(sum(t.n), 0)::bigint as n from curation.member_count t
        where t.field = b.field and t.target_entry_id = b.target and t.type = 'video') s
    where l.kind = 'feed') v;

create or replace function projection.offline_manifest_by_feed(p_publication bigint)
returns table (feed_id uuid) language sql stable as $$
    select c.entry_id from curation.changed(p_publication) c where c.kind = 'feed'
$$;

create or replace function projection.offline_manifest_by_offline(p_publication bigint)
returns table (feed_id uuid) language sql stable as $$
    select p.feed_id from curation.repictured(p_publication) p
$$;

-- Films came or went.
create or replace function projection.offline_manifest_by_recount_feeds(p_publication bigint)
returns table (feed_id uuid) language sql stable as $$
    select e from curation.recounted(p_publication, 'feeds') e
$$;

create or replace function projection.offline_manifest_by_recount_categories(p_publication bigint)
returns table (feed_id uuid) language sql stable as $$
    select f.id from projection.recounted_takers(p_publication) f
$$;

create or replace function projection.offline_manifest_by_merge(p_publication bigint)
returns table (feed_id uuid) language sql stable as $$
    select d.id from projection.diverted_feeds(p_publication) d
$$;

-- What the counts of images must say; verify compares (m0009_publishing.sql).
create view projection.media_count as
select r.field, r.target_entry_id, u.media_id, count(distinct l.entry_id) as n
from curation.live l
join curation.media_use u on u.revision_id = l.revision_id
join curation.membership r on r.revision_id = l.revision_id and r.field in ('feeds', 'categories')
where l.kind = 'item'
group by r.field, r.target_entry_id, u.media_id;

create view projection.media_total as
select t.field, t.target_entry_id, sum(w.files)::bigint as files, sum(w.bytes)::bigint as bytes, bit_xor(w.mark) as mark
from projection.media_count t cross join lateral curation.media_weight(t.media_id) w
group by t.field, t.target_entry_id;
