-- Stored catalog items are found by the words of their titles.
set local role @owner@;

create index catalog_item_words on curation.catalog_item using gin (api_v1.terms(title));
comment on column api_v1.catalog_item.terms is 'Search terms of the title, as api_v1.terms returns them.';

reset role;
