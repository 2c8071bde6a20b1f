-- What the search of the team finds in entries and submissions, and the triggers that write it.

-- The words of an entry's title, names, slug and key.
create or replace function curation.entry_terms(p_content jsonb) returns tsvector language sql immutable parallel safe as $$
    select api_v1.terms(concat_ws(E'\n', left(p_content ->> 'title', 300), left(p_content ->> 'synonyms', 2000),
        p_content ->> 'slug', p_content ->> 'key'))
$$;

create or replace function curation.submission_terms(p_title text, p_contributor text, p_text text) returns tsvector
language sql immutable parallel safe as $$
    select api_v1.terms(concat_ws(E'\n', left(p_title, 1000), p_contributor, left(p_text, 50000)))
$$;

create or replace function curation.index_entries() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    insert into curation.entry_search (entry_id, type, kind, number, title, terms)
    select distinct on (a.entry_id) a.entry_id, e.type, e.kind, a.number, coalesce(left(a.content ->> 'title', 300), ''),
        curation.entry_terms(a.content)
    from added a join curation.entry e on e.id = a.entry_id order by a.entry_id, a.number desc
    on conflict (entry_id) do update set number = excluded.number, title = excluded.title, terms = excluded.terms
    where excluded.number > entry_search.number;
    return null;
end $$;

-- What is decided before it was screened is found by its title at once.
create or replace function curation.index_decided() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    insert into curation.submission_search (submission_id, terms)
    select distinct s.id, curation.submission_terms(s.title, s.contributor, '')
    from decided d join curation.submission s on s.id = d.submission_id
    where not exists (select from curation.submission_search x where x.submission_id = d.submission_id)
    order by s.id
    on conflict (submission_id) do nothing;
    return null;
end $$;

grant execute on function curation.entry_terms(jsonb), curation.submission_terms(text, text, text) to @daemon@;
