-- The names of cities as they are compared with what is typed.
set local role @owner@;

alter table api_v1.city add column names_key text not null default '';
comment on column api_v1.city.names_key is
    'All names in lowercase, and then as api_v1.folded returns them, each between line breaks: exact matches and beginnings come first.';
comment on column api_v1.city.terms is 'Search terms of all names, as api_v1.terms returns them; api_v1.beginnings finds beginnings of words.';

reset role;
