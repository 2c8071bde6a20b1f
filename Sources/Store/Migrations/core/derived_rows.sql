-- What is derived from a revision is written with it: nobody adds references or images to a revision later. Slugs become
-- public with their revisions.
set local role @owner@;

create trigger derived after insert on curation.reference referencing new table as added
    for each statement execute function curation.check_derived();
create trigger derived after insert on curation.media_use referencing new table as added
    for each statement execute function curation.check_derived();
create trigger within_categories after insert on curation.reference referencing new table as added
    for each statement execute function curation.check_references();

revoke insert on curation.slug from @daemon@;
grant insert (kind, slug, entry_id) on curation.slug to @daemon@;

reset role;
