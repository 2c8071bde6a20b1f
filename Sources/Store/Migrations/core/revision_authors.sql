-- Forms begin with what a person chose last, so the versions that a person wrote are found. Those of the program and of
-- contributors, which are most, are not included.
set local role @owner@;

create index revision_by_person on curation.revision (author_id, id)
    where author_id > '00000000-0000-7000-8000-0000000000ff';

reset role;
