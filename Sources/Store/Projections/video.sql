-- The videos with what plays them (A31, A37, A38); not for guests. Key: id.
create view projection.video as
select v.id,
       v.content ->> 'slug' as slug,
       v.content ->> 'title' as title,
       v.tier,
       (v.content ->> 'duration')::integer as duration_seconds,
       v.content ->> 'provider' as provider,
       v.content ->> 'provider_ref' as provider_ref,
       v.content ->> 'hls_url' as hls_url,
       json_build_object('id', v.id, 'slug', v.content ->> 'slug', 'title', v.content ->> 'title',
           'tier', v.tier, 'access', projection.access(v.tier),
           'duration_seconds', (v.content ->> 'duration')::integer, 'provider', v.content ->> 'provider',
           'account', v.content ->> 'account', 'provider_ref', v.content ->> 'provider_ref',
           'hls_url', v.content ->> 'hls_url', 'poster', v.content -> 'poster', 'feeds', v.feed_ids,
           'published_at', projection.rfc3339(v.published_at), 'revision', v.number,
           'preview', projection.preview_text(v.preview, v.plain)) as document
from projection.item_base v
where v.type = 'video';

create or replace function projection.video_affected(p_publication bigint) returns table (id uuid) language sql stable as $$
    select id from projection.item_affected(p_publication)
$$;
