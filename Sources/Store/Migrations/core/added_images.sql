-- The permission to add images adds nothing to the images of others: neither files, which readers would get with the next
-- publication, nor versions.
set local role @owner@;

create trigger whole after insert on ops.media_version for each row when (new.number > 1)
    execute function ops.require_audit('suggest,decide');
create trigger whole after insert on ops.media_file referencing new table as added
    for each statement execute function ops.check_added_files();

reset role;
