-- The terms that are published, and spelling correction.

-- Reads the next changes and adds their terms. Returns the number of changes.
create or replace function delivery.index_search_terms(p_limit integer) returns bigint language plpgsql as $$
declare
    first bigint := (select change from delivery.search_progress for update);
    last bigint;
    indexed bigint;
begin
    select max(c.number), count(*) into last, indexed
    from (select number from api_v1.change where number > first order by number limit p_limit) c;
    if last is null then return 0; end if;
    insert into delivery.search_term (term)
    select distinct w.term
    from api_v1.change c
    join api_v1.search s on s.id = case c.read_table when 'search' then c.key::uuid end
    cross join lateral unnest(tsvector_to_array(s.terms)) w (term)
    where c.number > first and c.number <= last and c.read_table = 'search'
      and length(w.term) between 3 and 40 and w.term !~ '[[:digit:]]'
    order by w.term
    on conflict do nothing;
    update delivery.search_progress set change = last;
    return indexed;
end $$;

-- Deletes terms that are no longer published, from the next p_limit terms; starts again at the end.
create or replace function delivery.remove_search_terms(p_limit integer) returns bigint language plpgsql as $$
declare
    terms text[] := array(
        select w.term from delivery.search_term w
        where w.term > (select p.term from delivery.search_progress p for update) order by w.term limit p_limit);
    removed bigint;
begin
    delete from delivery.search_term w
    where w.term = any (terms)
      and not exists (select from api_v1.search s where s.terms @@ (quote_literal(w.term))::tsquery);
    get diagnostics removed = row_count;
    update delivery.search_progress set term = coalesce(terms[cardinality(terms)], '');
    return removed;
end $$;

-- Loads pg_trgm, whose parameter the next function sets.
select public.show_limit();

-- The query with unknown words replaced by the most similar published term: at most two edits, one for words of four
-- letters. Null if nothing is corrected. Queries with phrases, alternatives or exclusions are not corrected.
create or replace function api_v1.corrected_query(p_query text) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set pg_trgm.similarity_threshold = 0.2 as $$
declare
    words text := trim(regexp_replace(api_v1.folded(p_query), '[^[:alnum:]]+', ' ', 'g'));
    corrected text := '';
    nearest text;
    typed text;
begin
    if p_query ~* '["“”„‟＂]|(^|\s)-|(^|\s)or(\s|$)' then return null; end if;
    foreach typed in array string_to_array(words, ' ') loop
        nearest := null;
        if length(typed) between 4 and 40
            and not exists (select from delivery.search_term w where w.term = typed) then
            select w.term into nearest from delivery.search_term w
            where w.term operator(public.%) typed
              and public.levenshtein_less_equal(w.term, typed, 2) <= case when length(typed) < 5 then 1 else 2 end
            order by public.levenshtein_less_equal(w.term, typed, 2), public.similarity(w.term, typed) desc, w.term limit 1;
        end if;
        corrected := corrected || ' ' || coalesce(nearest, typed);
    end loop;
    return nullif(trim(corrected), words);
end $$;

grant execute on function delivery.index_search_terms(integer), delivery.remove_search_terms(integer) to @daemon@;
grant execute on function api_v1.corrected_query(text) to @reader@, @guest@, @daemon@;
