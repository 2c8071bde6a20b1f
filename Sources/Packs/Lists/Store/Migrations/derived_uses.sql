-- The items of a revision are written with it.
set local role @owner@;

create trigger derived after insert on curation.catalog_use referencing new table as added
    for each statement execute function curation.check_derived();

reset role;
