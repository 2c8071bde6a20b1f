-- Search terms of items, feeds, categories and what packs add (A27), twice: of what guests can see,
-- which is the preview, and for entitled readers of the full text. Categories match their synonyms and translations (B29)
-- while readers see them. Key: id.
create view projection.search as
with cut as materialized (select projection.preview_length() as length)
select l.entry_id as id, search::api_v1.search as search, search_full::api_v1.search_full as search_full
from curation.live l
join curation.revision r on r.id = l.revision_id
join curation.publish_approval a on a.revision_id = l.revision_id
cross join cut
cross join lateral (
    select projection.preview_text(r.preview, r.plain, cut.length) as preview,
           projection.age(a.approved_at) as age,
           case l.kind when '' then null::timestamptz
               -- packs: search_ends
           end as ends_at offset 0) x
cross join lateral (
    select setweight(projection.terms(r.content ->> 'title'), 'A') || setweight(projection.terms(x.preview), 'B')
        || setweight(projection.terms(r.preview ->> 'address'), 'C')
        || case when l.kind = 'category' then setweight(projection.terms(projection.synonyms_text(l.entry_id, r.content)), 'B')
           else '' end as terms offset 0) t
cross join lateral (
    select l.entry_id as id, l.kind, l.type, x.age, t.terms,
           json_build_object('kind', l.kind, 'type', l.type, 'id', l.entry_id, 'slug', r.content ->> 'slug',
               'title', r.content ->> 'title', 'preview', x.preview) as document,
           x.ends_at) search
cross join lateral (
    select l.entry_id as id, l.type, x.age,
           -- a tsvector holds at most a megabyte; this much text always fits
           t.terms || setweight(projection.terms(left(
               concat_ws(E'\n', r.content ->> 'summary', r.content ->> 'description', r.plain), 100000)), 'D') as terms,
           x.ends_at) search_full
where l.kind in ('item', 'feed'
       -- packs: search_kinds
   )
   -- packs: search_rows
   or l.kind = 'category' and exists (select from projection.category k where k.id = l.entry_id);
