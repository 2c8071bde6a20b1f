-- Texts of all fields are searched, and read tables contain them for highlights.
set local role @owner@;

-- The fields with text, except titles and slugs; of rows as "rows.field". The program writes them.
alter table curation.content_type add column text_fields text[] not null default '{}';

-- What guests, and readers, find beyond titles and previews.
alter table api_v1.search add column text text;
alter table api_v1.search_full add column text text;
comment on column api_v1.search.text is 'Guest-visible text besides title and preview, for highlights; null if there is none.';
comment on column api_v1.search_full.text is 'The first 100,000 characters of the full text, for highlights; null if there is none.';

insert into projection.repair_due select 'texts' where exists (select from curation.publication);

reset role;
