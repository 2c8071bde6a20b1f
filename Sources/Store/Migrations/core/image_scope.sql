-- Images of the library are in an access scope like content: by the entries that use them.
set local role @owner@;

select ops.govern('ops.media', 'suggest,decide,submit,contribute,visit', 'image', 'id');
select ops.govern('ops.media_file', 'suggest,decide,submit,contribute,visit', 'image', 'media_id');
select ops.govern('ops.media_version', 'suggest,decide,submit,contribute,visit', 'image', 'media_id');
create trigger within_scope after insert on curation.media_use referencing new table as added
    for each statement execute function curation.check_image_scope();

reset role;
