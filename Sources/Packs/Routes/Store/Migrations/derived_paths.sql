-- The path of a revision is written with it.
set local role @owner@;

create trigger derived after insert on curation.route_path referencing new table as added
    for each statement execute function curation.check_derived();

reset role;
