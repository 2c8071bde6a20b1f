-- The items with everything an entitled reader may see (A16). Key: id.
create view projection.item_full as
select v.id,
       json_build_object('id', v.id, 'type', v.type, 'slug', v.content ->> 'slug', 'title', v.content ->> 'title',
           'tier', v.tier, 'access', projection.access(v.tier),
           'published_at', projection.rfc3339(v.published_at), 'updated_at', projection.rfc3339(v.approved_at),
           'revision', v.number, 'feeds', v.feed_ids, 'categories', v.categories,
           'preview', projection.preview_text(v.preview, v.plain),
           'fields', v.content - array['slug', 'tier', 'rank', 'feeds', 'categories']) as document
from projection.item_base v;

create or replace function projection.item_full_affected(p_publication bigint) returns table (id uuid) language sql stable as $$
    select id from projection.item_affected(p_publication)
$$;
