-- External images are replaced in published content by what the program has fetched for them.
set local role @owner@;

create trigger stored_inserted before insert on ops.external_image for each row when (new.media_id is not null)
    execute function ops.check_stored_image();
create trigger stored_updated before update of media_id on ops.external_image for each row
    when (new.media_id is not null and new.media_id is distinct from old.media_id)
    execute function ops.check_stored_image();

reset role;
