-- What the search of the team finds: words of entries and submissions, and the domains of links. All derived.
set local role @owner@;

-- The words of the newest title, slug and key of each entry. Triggers write it.
create table curation.entry_search (
    entry_id uuid primary key constraint entry_search_entry references curation.entry (id) on delete cascade,
    type text not null,
    kind text not null,
    -- of which revision
    number integer not null,
    title text not null,
    terms tsvector not null
);
create index entry_search_terms on curation.entry_search using gin (terms);
create index entry_search_kind on curation.entry_search (kind, entry_id) where kind <> 'item';

insert into curation.entry_search (entry_id, type, kind, number, title, terms)
select distinct on (r.entry_id) r.entry_id, e.type, e.kind, r.number, coalesce(left(r.content ->> 'title', 300), ''),
    curation.entry_terms(r.content)
from curation.revision r join curation.entry e on e.id = r.entry_id order by r.entry_id, r.number desc;

create trigger indexed after insert on curation.revision referencing new table as added
    for each statement execute function curation.index_entries();

-- The words of the title, contributor and text of each submission, and the domains of its links, in its latest version. Screening
-- writes it; a decision before that adds the title, and the rest follows.
create table curation.submission_search (
    submission_id uuid primary key constraint submission_search_submission references curation.submission (id),
    terms tsvector not null,
    domains text[] not null default '{}',
    is_complete boolean not null default false
);
create index submission_search_terms on curation.submission_search using gin (terms);
create index submission_search_domains on curation.submission_search using gin (domains);
create index submission_search_incomplete on curation.submission_search (submission_id) where not is_complete;

insert into curation.submission_search (submission_id, terms)
select s.id, curation.submission_terms(s.title, s.contributor, '') from curation.submission s where s.erased_at is null;

create trigger indexed after insert on curation.decision referencing new table as decided
    for each statement execute function curation.index_decided();

-- The same for what is pending, so that a word of a million decided submissions finds the pending ones without reading those.
create table curation.queue_search (
    submission_id uuid primary key
        constraint queue_search_queue_item references curation.queue_item (submission_id) on delete cascade,
    terms tsvector not null,
    domains text[] not null
);
create index queue_search_terms on curation.queue_search using gin (terms);
create index queue_search_domains on curation.queue_search using gin (domains);

grant select on curation.entry_search to @daemon@;
grant select, insert, update, delete on curation.submission_search, curation.queue_search to @daemon@;

reset role;
