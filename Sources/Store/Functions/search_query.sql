-- Queries as people type them: quoted phrases, "or", "-not".

-- Built from the words of the text only, so that no character of it means anything to PostgreSQL: websearch_to_tsquery,
-- whose words these are, fails at 33 minus signs. The last word matches as a prefix if it has at least p_prefix characters
-- and nothing ends it. Words beyond the first hundred don't count.
create or replace function api_v1.parse_query(p_query text, p_prefix integer default null) returns tsquery
language plpgsql immutable parallel safe as $$
declare
    query text := normalize(p_query);
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
        from regexp_matches(query, '(-*)(?:"([^"]*)"?|([^\s"!&|():<]+))(\s*)', 'g') with ordinality r (m, i)
        order by r.i limit 100
    loop
        if m[1] = '' and lower(m[3]) = 'or' and m[4] <> '' and conjunction is not null then
            is_alternative := true;
            continue;
        end if;
        part := phraseto_tsquery('pg_catalog.simple', coalesce(m[2], m[3]));
        continue when numnode(part) = 0;
        if m[1] <> '' then
            part := !! part;
        elsif is_last and query ~ ('[[:alnum:]]{' || p_prefix || '}$') then
            part := (part::text || ':*')::tsquery;
        end if;
        if is_alternative then
            alternatives := coalesce(alternatives || conjunction, conjunction);
            conjunction := null;
            is_alternative := false;
        end if;
        conjunction := coalesce(conjunction && part, part);
    end loop;
    return coalesce(alternatives || conjunction, conjunction, ''::tsquery);
end $$;

-- The query of a reader: case and accents are ignored.
create or replace function api_v1.search_query(p_query text, p_prefix integer default 3) returns tsquery
language sql stable parallel safe as $$
    select api_v1.parse_query(lower(public.unaccent('public.unaccent'::regdictionary, normalize(p_query))), p_prefix)
$$;

-- The query of the search of the team. Null for one that excludes only, which no index answers.
create or replace function curation.search_query(p_query text, p_prefix integer) returns tsquery
language sql stable parallel safe as $$
    select case when querytree(q) in ('', 'T') then null else q end from api_v1.parse_query(p_query, p_prefix) q
$$;

grant execute on function api_v1.parse_query(text, integer), api_v1.search_query(text, integer) to @reader@, @guest@, @daemon@;
grant execute on function curation.search_query(text, integer) to @daemon@;
