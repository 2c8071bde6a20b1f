-- Featured feeds and categories of the Discover section, in the curators' order (A20). Categories are included only
-- while readers see them (B31, K1). Key: kind, id.
create view projection.discover as
with cut as materialized (select projection.preview_length() as length)
select v.kind, v.id, v::api_v1.discover as discover
from (
    select l.kind, l.entry_id as id,
           (r.content ->> 'featured')::integer as position,
           json_build_object('kind', l.kind, 'id', l.entry_id, 'slug', r.content ->> 'slug', 'title', r.content ->> 'title',
               'tier', r.content ->> 'tier', 'preview', case l.kind when 'feed' then
                   projection.preview_text(r.preview, r.plain, cut.length) else r.preview ->> 'about' end,
               'image', r.preview -> 'image') as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    cross join cut
    where r.content ->> 'featured' is not null
      and (l.kind = 'feed' or l.kind = 'category' and not exists (select from curation.category_merge o where o.category_id = l.entry_id) and (
          exists (select from curation.member_count t where t.field = 'categories' and t.target_entry_id = l.entry_id)
          or (select projection.setting('categories.include_empty')) = 'true'))) v;

create or replace function projection.discover_by_feed(p_publication bigint)
returns table (kind text, id uuid) language sql stable as $$
    select 'feed', c.entry_id from curation.changed(p_publication) c where c.kind = 'feed'
$$;

create or replace function projection.discover_by_category(p_publication bigint)
returns table (kind text, id uuid) language sql stable as $$
    select 'category', c.entry_id from curation.changed(p_publication) c where c.kind = 'category'
$$;

-- A category became empty or non-empty.
create or replace function projection.discover_by_recount_categories(p_publication bigint)
returns table (kind text, id uuid) language sql stable as $$
    select 'category', e from curation.recounted(p_publication, 'categories') e
$$;

create or replace function projection.discover_by_setting(p_publication bigint)
returns table (kind text, id uuid) language sql stable as $$
    select l.kind, l.entry_id
    from curation.live l
    where l.kind = 'feed' and (select projection.setting_changed(p_publication, 'preview.characters'))
       or l.kind = 'category' and (select projection.setting_changed(p_publication, 'categories.include_empty'))
$$;
