-- Queries of the search of the team.

-- Parses a query as a web search: quoted phrases, "or", "-not". The last word matches as a prefix if it has at least this many
-- characters and nothing ends it. Null for a query that excludes only, which no index answers.
create or replace function curation.search_query(p_query text, p_prefix integer) returns tsquery
language sql stable parallel safe as $$
    select case
        when querytree(q) in ('', 'T') then null
        when p_query ~ format('[[:alnum:]]{%s}$', p_prefix) and q::text ~ '''$' and q::text !~ '!''[^'']*''$' then (q::text || ':*')::tsquery
        else q end
    from websearch_to_tsquery('pg_catalog.simple', p_query) q
$$;

grant execute on function curation.search_query(text, integer) to @daemon@;
