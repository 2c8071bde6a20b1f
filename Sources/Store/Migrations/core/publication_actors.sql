-- Who approved an entry, where approvals of several people are one publication. Null: the actor of the publication.
set local role @owner@;

alter table curation.publication_change add column actor_id uuid
    constraint publication_change_actor references ops.actor (id);
create index publication_change_actors on curation.publication_change (publication, actor_id) where actor_id is not null;

reset role;
