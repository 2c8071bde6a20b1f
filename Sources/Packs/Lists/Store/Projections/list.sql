-- Curated lists (D2, D23) with their share text (D28). The version is the publication that last changed the content:
-- the revision, or the title of an item. Equal versions have equal content, and updated_at changes if and only if the
-- published content does. Key: id.
create view projection.list as
select v.id, v::api_v1.list as list
from (
    select l.entry_id as id,
           r.content ->> 'slug' as slug,
           r.content ->> 'title' as title,
           r.content ->> 'owner' as owner,
           s.id as subject_id,
           r.content -> 'photo' as photo,
           i.n as item_count,
           p.number as version,
           e.created_at,
           p.published_at as updated_at,
           projection.age(p.published_at) as age,
           (r.content ->> 'title') || E'\n' || i.lines as text,
           json_build_object('id', l.entry_id, 'slug', r.content ->> 'slug', 'user', r.content ->> 'owner',
               'title', r.content ->> 'title', 'photo', r.content -> 'photo', 'about', r.content ->> 'about',
               'subject', case when s.id is not null then json_build_object('id', s.id, 'kind', s.kind,
                   'item_id', s.external_id, 'title', s.title) end,
               'count', i.n, 'version', p.number, 'created_at', projection.rfc3339(e.created_at),
               'updated_at', projection.rfc3339(p.published_at)) as document
    from curation.live l
    join curation.revision r on r.id = l.revision_id
    join curation.entry e on e.id = l.entry_id
    left join curation.catalog_use su on su.revision_id = l.revision_id and su.field = 'subject'
    left join curation.catalog_item s on s.id = su.item_id
    cross join lateral (
        select count(*)::integer as n, coalesce(string_agg(c.title || E'\n', '' order by u.position), '') as lines
        from curation.catalog_use u join curation.catalog_item c on c.id = u.item_id
        where u.revision_id = l.revision_id and u.field = 'items') i
    cross join lateral (
        select greatest(
            (select c.publication from curation.publication_change c
             left join curation.revision o on o.id = c.old_revision
             join curation.revision n on n.id = c.new_revision
             where c.entry_id = l.entry_id and o.content_hash is distinct from n.content_hash
             order by c.publication desc limit 1),
            (select max(f.publication) from curation.catalog_use u
             join curation.catalog_change f on f.item_id = u.item_id and f.is_renamed
             where u.revision_id = l.revision_id)) as publication) w
    join curation.publication p on p.number = w.publication
    where l.kind = 'list') v;

-- The title of an item or of the subject changed.
create or replace function projection.list_by_catalog(p_publication bigint)
returns table (id uuid) language sql stable as $$
    select l.entry_id
    from curation.catalog_changed(p_publication) f
    join curation.catalog_use u on u.item_id = f.item_id
    join curation.live l on l.revision_id = u.revision_id and l.kind = 'list'
    where f.is_renamed
$$;
