-- The manual order belongs to the feed: what the ranks of items said becomes a version of each feed that was ordered by them.
set local role @owner@;

comment on column api_v1.feed_item.rank is 'Sort order, before age and ID: pinned items are below -900000, then the positions of the manual order, from 1; all others share one large number.';

do $$
declare
    feed record;
    old uuid;
    new uuid;
begin
    for feed in
        select l.entry_id, l.revision_id as live, n.id as newest, y.revision_id as ready, w.items
        from curation.live l
        join curation.revision r on r.id = l.revision_id
        cross join lateral (
            select v.id from curation.revision v where v.entry_id = l.entry_id order by v.number desc limit 1) n
        cross join lateral (
            select array_agg(o.item_id order by o.position) as items
            from (
                select f.item_id, row_number() over (order by f.rank, f.age, f.item_id) as position
                from api_v1.feed_item f
                where f.feed_id = l.entry_id and f.rank between -900000 and 2147483646
                order by 2 limit 500) o) w
        left join curation.ready y on y.entry_id = l.entry_id
        where l.kind = 'feed' and r.content ->> 'order' = 'ranked' and w.items is not null
        order by l.entry_id
    loop
        insert into ops.audit_event (actor_id, action, object_type, object_id, detail)
        values ('00000000-0000-7000-8000-000000000001', 'entry.update', 'entry', feed.entry_id::text,
            '{"reason": "manual order"}');
        insert into projection.repair_due values ('manual order') on conflict do nothing;
        -- The published version and, as the newest one again, a draft.
        foreach old in array case when feed.newest = feed.live then array[feed.live] else array[feed.live, feed.newest] end
        loop
            insert into curation.revision (entry_id, number, content, preview, plain, html, content_hash, author_id, note)
            select r.entry_id, (select max(v.number) + 1 from curation.revision v where v.entry_id = r.entry_id), c.content,
                r.preview, r.plain, r.html, sha256(convert_to(c.content::text, 'UTF8')), r.author_id,
                'manual order taken from the ranks of items'
            from curation.revision r
            cross join lateral (
                select r.content || jsonb_build_object('manual_order', to_jsonb(feed.items)) as content) c
            where r.id = old
            returning id into new;
            insert into curation.reference (revision_id, field, position, target_entry_id, counted, within_entry_id)
            select new, f.field, f.position, f.target_entry_id, f.counted, f.within_entry_id
            from curation.reference f where f.revision_id = old
            union all
            select new, 'manual_order', i.position, i.id, false, null
            from unnest(feed.items) with ordinality i (id, position);
            insert into curation.media_use (revision_id, pointer, media_id, external_id, image)
            select new, u.pointer, u.media_id, u.external_id, u.image from curation.media_use u where u.revision_id = old;
            -- Approved by the same people at the same times, so that no date changes for readers.
            insert into curation.approval (revision_id, stage, actor_id, actor_role, approved_at)
            select new, a.stage, a.actor_id, a.actor_role, a.approved_at from curation.approval a where a.revision_id = old;
            insert into curation.publish_approval (revision_id, entry_id, approved_at)
            select new, a.entry_id, a.approved_at from curation.publish_approval a where a.revision_id = old;
            if old = feed.live then
                update curation.live set revision_id = new where entry_id = feed.entry_id;
                delete from curation.ready where entry_id = feed.entry_id;
                update curation.release_item i set base_revision = new
                where i.entry_id = feed.entry_id and i.base_revision = old;
                update curation.release_item i set confirmed_revision = new
                where i.entry_id = feed.entry_id and i.confirmed_revision = old;
            else
                update curation.release_item i set revision_id = new from curation.release e
                where i.entry_id = feed.entry_id and i.revision_id = old and e.id = i.release_id
                  and e.state in ('open', 'scheduled', 'failed');
            end if;
        end loop;
        -- An approved version older than the draft still waits for its publication.
        if feed.ready not in (feed.live, feed.newest) then
            insert into curation.ready (entry_id, revision_id) values (feed.entry_id, feed.ready)
            on conflict (entry_id) do nothing;
        end if;
    end loop;
end $$;

reset role;
