-- Queries as people type them: quoted phrases, "or", "-not".

-- The words of a text, in this order. A part of a text in a script without spaces matches: no pair begins with its last
-- character. The last word may continue if it is unfinished.
create or replace function api_v1.phrase(p_text text, p_is_unfinished boolean) returns tsquery
language plpgsql immutable strict parallel safe as $$
declare
    phrase tsquery := phraseto_tsquery('pg_catalog.simple', api_v1.words(p_text));
    t text := phrase::text;
begin
    if t = '' then return phrase; end if;
    if t ~ ('''[' || api_v1.unspaced() || ']''$') then
        if t ~ '''\S(\S)'' <-> ''\1''$' then return left(t, -8)::tsquery; end if;
    elsif not p_is_unfinished then
        return phrase;
    end if;
    return (t || ':*')::tsquery;
end $$;

-- Built from the words of the text only, so that no character of it means anything to PostgreSQL: websearch_to_tsquery,
-- whose syntax this is, fails at 33 minus signs. The last word matches as a prefix if it has at least p_prefix characters
-- and nothing ends it. Words beyond the first hundred don't count.
create or replace function api_v1.parse_query(p_query text, p_prefix integer default null) returns tsquery
language plpgsql immutable parallel safe as $$
declare
    -- with the quotes and spaces of phones and of Japanese keyboards
    query text := translate(normalize(p_query), U&'\201C\201D\201E\201F\FF02\3000\00A0', '"""""  ');
    is_unfinished boolean := query ~ ('[[:alnum:]]{' || p_prefix || '}$');
    -- minus signs, a phrase, a word, spaces
    m text[];
    is_last boolean;
    is_alternative boolean := false;
    part tsquery;
    conjunction tsquery;
    alternatives tsquery;
begin
    for m, is_last in
        select r.m, lead(r.i) over (order by r.i) is null
        from regexp_matches(query, '(-*)(?:"([^"]*)"?|([^\s"]+))(\s*)', 'g') with ordinality r (m, i)
        order by r.i limit 100
    loop
        if m[1] = '' and lower(m[3]) = 'or' and m[4] <> '' and conjunction is not null then
            is_alternative := true;
            continue;
        end if;
        part := api_v1.phrase(coalesce(m[2], m[3]), coalesce(is_unfinished and is_last and m[1] = '', false));
        continue when numnode(part) = 0;
        if m[1] <> '' then part := !! part; end if;
        if is_alternative then
            alternatives := coalesce(alternatives || conjunction, conjunction);
            conjunction := null;
            is_alternative := false;
        end if;
        conjunction := coalesce(conjunction && part, part);
    end loop;
    return coalesce(alternatives || conjunction, conjunction, ''::tsquery);
end $$;

-- The query of a reader.
create or replace function api_v1.search_query(p_query text, p_prefix integer default 3) returns tsquery
language sql immutable parallel safe as $$
    select api_v1.parse_query(p_query, p_prefix)
$$;

-- The query of the search of the team. Null for one that excludes only, which no index answers.
create or replace function curation.search_query(p_query text, p_prefix integer) returns tsquery
language sql immutable parallel safe as $$
    select case when querytree(q) in ('', 'T') then null else q end from api_v1.parse_query(p_query, p_prefix) q
$$;

-- The beginnings of words, in any order, as for names.
create or replace function api_v1.beginnings(p_query text) returns tsquery language sql immutable parallel safe as $$
    select coalesce(string_agg(quote_literal(w) || ':*', ' & '), '')::tsquery
    from unnest(tsvector_to_array(api_v1.terms(p_query))) w
$$;

grant execute on function api_v1.phrase(text, boolean), api_v1.parse_query(text, integer), api_v1.search_query(text, integer),
    api_v1.beginnings(text) to @reader@, @guest@, @daemon@;
grant execute on function curation.search_query(text, integer) to @daemon@;
