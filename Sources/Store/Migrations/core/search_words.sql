-- Words by the rules of words.sql: what is searched is built again.
set local role @owner@;

alter table curation.queue_item drop column search_terms;
-- Stored, because not every search uses an index.
alter table curation.queue_item add column search_terms tsvector not null
    generated always as (api_v1.title_terms(title)) stored;
-- A small pending list keeps inserts cheap: with a large one, a single writer pays for flushing it.
create index queue_item_search on curation.queue_item using gin (search_terms)
    with (fastupdate = on, gin_pending_list_limit = 128);
-- Rows of one score are scattered in the table: a search in this order reads only the index.
create index queue_item_by_score on curation.queue_item (risk_order, received_at, submission_id)
    include (snoozed_until, type, client_id, search_terms);

alter table curation.contributor drop column search_terms;
alter table curation.contributor add column search_terms tsvector not null generated always as (api_v1.terms(name)) stored;
create index contributor_search on curation.contributor using gin (search_terms);

drop index ops.media_search;
create index media_search on ops.media using gin (api_v1.terms(name || ' ' || alt));

-- Entries are found by entry_search.
drop index curation.revision_titles;
update curation.entry_search x set terms = curation.entry_terms(r.content)
from curation.revision r where r.entry_id = x.entry_id and r.number = x.number;

-- The titles at once; screening reads the texts again.
update curation.submission_search x
set terms = x.terms || curation.submission_terms(coalesce(v.title, s.title), s.contributor, ''), is_complete = false
from curation.submission s left join lateral (
    select title from curation.submission_version v where v.submission_id = s.id order by v.number desc limit 1) v on true
where s.id = x.submission_id and s.erased_at is null;

comment on column api_v1.search.terms is 'Search terms of the guest-visible text, as api_v1.terms returns them.';
comment on column api_v1.search_full.terms is
    'Search terms of the preview and of the first 100,000 characters of the full text, as api_v1.terms returns them.';
drop text search configuration api_v1.normalized;

-- Why read tables have to be repaired after functions and projections were installed.
create table projection.repair_due (
    reason text primary key
);
insert into projection.repair_due select 'words' where exists (select from curation.publication);

reset role;
