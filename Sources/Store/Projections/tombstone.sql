-- Entries that are no longer published (A19). Key: id.
create view projection.tombstone as
select v.id, v::api_v1.tombstone as tombstone
from (
    select e.id, e.type, e.kind, r.content ->> 'slug' as slug, p.publication, b.published_at as gone_at
    from curation.entry e
    cross join lateral (
        select c.publication, c.old_revision from curation.publication_change c
        where c.entry_id = e.id order by c.publication desc limit 1) p
    join curation.revision r on r.id = p.old_revision
    join curation.publication b on b.number = p.publication
    where not exists (select from curation.live l where l.entry_id = e.id)) v;
