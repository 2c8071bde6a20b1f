-- How words are looked for: the last one may go on, a mistyped one is mended, and what was found is marked (A27).
create extension if not exists fuzzystrmatch;

set local role @owner@;

-- Reads texts as the search does, accents and all, so that what was found can be marked where it stands.
create text search configuration api_v1.folded (copy = pg_catalog.simple);
alter text search configuration api_v1.folded
    alter mapping for hword, hword_part, word with public.unaccent, pg_catalog.simple;

-- Words that published previews hold, to mend mistyped ones by. A job learns them from the log of changes, so a publication
-- does not wait for it; a word that is not held any more does no harm, for the search itself finds nothing by it.
create table delivery.search_term (
    word text primary key constraint search_term_length check (length(word) between 3 and 40)
);
create index search_term_similarity on delivery.search_term using gin (word public.gin_trgm_ops);

-- How far it has come: the last change that was learned from, the last word that was looked after.
create table delivery.search_progress (
    only_one boolean primary key default true constraint search_progress_once check (only_one),
    change bigint not null default 0,
    word text not null default ''
);
insert into delivery.search_progress default values;

-- Learns from the next changes; returns how many there were.
create function delivery.index_search_terms(p_limit integer) returns bigint language plpgsql as $$
declare
    first bigint := (select change from delivery.search_progress for update);
    last bigint;
    read bigint;
begin
    select max(c.number), count(*) into last, read
    from (select number from api_v1.change where number > first order by number limit p_limit) c;
    if last is null then return 0; end if;
    insert into delivery.search_term (word)
    select distinct w.word
    from api_v1.change c
    join api_v1.search s on s.id = case c.read_table when 'search' then c.key::uuid end
    cross join lateral unnest(tsvector_to_array(s.words)) w (word)
    where c.number > first and c.number <= last and c.read_table = 'search'
      and length(w.word) between 3 and 40 and w.word !~ '[[:digit:]]'
    order by w.word
    on conflict do nothing;
    update delivery.search_progress set change = last;
    return read;
end $$;

-- Forgets, among the next words, those that nothing holds any more; begins anew at the end.
create function delivery.remove_search_terms(p_limit integer) returns bigint language plpgsql as $$
declare
    words text[] := array(
        select w.word from delivery.search_term w
        where w.word > (select p.word from delivery.search_progress p for update) order by w.word limit p_limit);
    gone bigint;
begin
    delete from delivery.search_term w
    where w.word = any (words)
      and not exists (select from api_v1.search s where s.words @@ (quote_literal(w.word))::tsquery);
    get diagnostics gone = row_count;
    update delivery.search_progress set word = coalesce(words[cardinality(words)], '');
    return gone;
end $$;

-- What people write as a query: quoted phrases, `or`, `-not`; case and accents do not count. The last word may go on where it
-- has three letters or more and was not finished with a space, a quote or a minus before it.
create function api_v1.search_query(p_words text) returns tsquery language sql stable parallel safe as $$
    select case
        when p_words ~ '[[:alnum:]]{3}$' and q::text ~ '''$' and q::text !~ '!''[^'']*''$' then (q::text || ':*')::tsquery
        else q end
    from websearch_to_tsquery('pg_catalog.simple', lower(public.unaccent('public.unaccent'::regdictionary, p_words))) q
$$;

-- The same words with those mended that nothing published holds: by the nearest one, at most two letters away, one for words
-- of four letters. Null where there is nothing to mend. Phrases, alternatives and exclusions are left as they are.
create function api_v1.mended(p_words text) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set pg_trgm.similarity_threshold = 0.2 as $$
declare
    folded text := lower(public.unaccent('public.unaccent'::regdictionary, p_words));
    mended text := '';
    near text;
    part text;
begin
    if folded ~ '"|(^| )-|(^| )or( |$)' then return null; end if;
    foreach part in array regexp_split_to_array(trim(regexp_replace(folded, '[^[:alnum:]]+', ' ', 'g')), ' ') loop
        near := null;
        if length(part) between 4 and 40
            and not exists (select from delivery.search_term w where w.word = part) then
            select w.word into near from delivery.search_term w
            where w.word operator(public.%) part
              and public.levenshtein_less_equal(w.word, part, 2) <= case when length(part) < 5 then 1 else 2 end
            order by public.levenshtein_less_equal(w.word, part, 2), public.similarity(w.word, part) desc, w.word limit 1;
        end if;
        mended := mended || ' ' || coalesce(near, part);
    end loop;
    mended := trim(mended);
    return nullif(mended, trim(regexp_replace(folded, '[^[:alnum:]]+', ' ', 'g')));
end $$;

-- A text as HTML with what was found in <em>; null where nothing was. `p_options` as ts_headline has them.
create function api_v1.marked(p_text text, p_query tsquery, p_options text) returns text
language sql stable parallel safe as $$
    select replace(replace(replace(replace(replace(h, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'),
        chr(2), '<em>'), chr(3), '</em>')
    from ts_headline('api_v1.folded', p_text, p_query, format('StartSel=%s, StopSel=%s, %s', chr(2), chr(3), p_options)) h
    where strpos(h, chr(2)) > 0
$$;

revoke execute on function delivery.index_search_terms(integer), delivery.remove_search_terms(integer), api_v1.search_query(text),
    api_v1.mended(text), api_v1.marked(text, tsquery, text) from public;
grant execute on function api_v1.search_query(text), api_v1.mended(text), api_v1.marked(text, tsquery, text)
    to @reader@, @guest@, @daemon@;
grant execute on function delivery.index_search_terms(integer), delivery.remove_search_terms(integer) to @daemon@;
grant select, insert, delete on delivery.search_term to @daemon@;
grant select, update on delivery.search_progress to @daemon@;

reset role;
