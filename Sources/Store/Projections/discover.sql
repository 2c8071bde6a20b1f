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
