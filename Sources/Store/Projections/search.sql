-- Search terms of items, feeds, categories and what packs add (A27), twice: of what guests can see,
-- and for entitled readers of the full text. Categories match their synonyms and translations (B29)
-- while readers see them. Key: id.
create view projection.search as
with cut as materialized (select projection.preview_length() as length)
select l.entry_id as id, search::api_v1.search as search, search_full::api_v1.search_full as search_full
from curation.live l
join curation.revision r on r.id = l.revision_id
join curation.publish_approval a on a.revision_id = l.revision_id
join curation.content_type ct on ct.name = l.type
cross join cut
cross join lateral (
    select case l.kind when '' then null
               -- packs: search_preview
               else projection.preview_text(r.preview, r.plain, cut.length) end as preview,
           -- Not all documents show more of a long text than a preview.
           left(case l.kind when '' then null
               -- packs: search_text
               else (select t.texts from projection.texts_of(
                   r.preview, array_remove(array_remove(ct.text_fields, 'summary'), 'description'), cut.length) t) end, 20000) as text,
           nullif(left(concat_ws(E'\n', (select t.texts from projection.texts_of(r.content, ct.text_fields) t), nullif(r.plain, '')), 100000), '')
               as full_text,
           projection.age(a.approved_at) as age,
           case l.kind when '' then null::timestamptz
               -- packs: search_ends
           end as ends_at offset 0) x
cross join lateral (
    select setweight(projection.terms(r.content ->> 'title'), 'A') || setweight(projection.terms(left(x.preview, 10000)), 'B')
        || setweight(projection.terms(r.preview ->> 'address'), 'C')
        || case when l.kind = 'category' then setweight(projection.terms(projection.synonyms_text(l.entry_id, r.content)), 'B')
           else '' end || setweight(projection.terms(x.text), 'D') as terms offset 0) t
cross join lateral (
    select l.entry_id as id, l.kind, l.type, x.age, t.terms,
           -- a review has no slug: its URL has the id
           json_build_object('kind', l.kind, 'type', l.type, 'id', l.entry_id, 'slug', coalesce(r.content ->> 'slug', l.entry_id::text),
               'title', r.content ->> 'title', 'preview', x.preview) as document,
           x.ends_at, x.text) search
cross join lateral (
    select l.entry_id as id, l.type, x.age,
           t.terms || setweight(projection.terms(x.full_text), 'D') as terms,
           x.ends_at, x.full_text) search_full
where l.kind in ('item', 'feed'
       -- packs: search_kinds
   )
   -- packs: search_rows
   or l.kind = 'category' and exists (select from projection.category k where k.id = l.entry_id);
