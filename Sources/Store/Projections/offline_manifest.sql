-- Offline manifests (A30, A34, A39): one version for all files of a feed, which changes when any of them does. Streams
-- are not included, because providers host videos (K3), nor are external images; their numbers are. Key: feed_id.
create view projection.offline_manifest as
select v.feed_id, v::api_v1.offline_manifest as offline_manifest
from (
    select l.entry_id as feed_id,
           x.version,
           'premium' as requires,
           x.files as file_count,
           x.bytes,
           json_build_object('feed', l.entry_id, 'version', x.version, 'requires', 'premium', 'files', x.files,
               'bytes', x.bytes, 'excluded_streams', s.n, 'excluded_images', x.excluded) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    cross join lateral projection.feed_source(l.entry_id, r.content) b
    left join curation.media_total m on m.field = b.field and m.target_entry_id = b.target
    cross join lateral (
        select coalesce(m.files, 0) as files, coalesce(m.bytes, 0) as bytes,
               coalesce(m.excluded, 0) as excluded,
               encode(sha256(convert_to(case when m.files > 0 then m.mark::text else '' end, 'UTF8')), 'hex') as version offset 0) x
    cross join lateral (
        select coalesce(sum(t.n), 0)::bigint as n from curation.member_count t
        where t.field = b.field and t.target_entry_id = b.target and t.type = 'video') s
    where l.kind = 'feed') v;
