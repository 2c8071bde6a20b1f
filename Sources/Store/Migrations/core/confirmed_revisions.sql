-- What a scheduled release may replace: a version that is published after somebody confirmed it makes the release fail.
set local role @owner@;

-- The published revision that somebody confirmed the release replaces, although it is newer than the release's own.
alter table curation.release_item add column confirmed_revision uuid;

-- Releases that are scheduled already replace what is published now, as before.
do $$
begin
    if exists (select from curation.release where state = 'scheduled') then
        insert into ops.audit_event (actor_id, action, object_type)
        values ('00000000-0000-7000-8000-000000000001', 'release.update', 'release');
        update curation.release_item i set confirmed_revision = l.revision_id
        from curation.release r, curation.live l
        where r.id = i.release_id and r.state = 'scheduled' and l.entry_id = i.entry_id;
    end if;
end $$;

reset role;
