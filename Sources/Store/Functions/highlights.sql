-- Highlights: a text as HTML with the matches of a query in <em>.

-- The first part of a long text that has all phrases of a query, or the one that has most of them.
create or replace function api_v1.best_part(p_text text, p_phrases text[]) returns text
language plpgsql immutable parallel safe as $$
declare
    part text;
    folded text;
    n integer;
    best text;
    best_n integer := 0;
begin
    for i in 0 .. length(p_text) / 1800 loop
        part := substr(p_text, i * 1800 + 1, 2000);
        folded := api_v1.folded(part);
        select count(*) into n from unnest(p_phrases) q (phrase)
        where not exists (
            select from string_to_table(replace(q.phrase, '*', ''), ' ') w (word) where strpos(folded, w.word) = 0);
        continue when n <= best_n;
        best := case when i = 0 then part else regexp_replace(part, '^\S{1,40}\s', '') end;
        best_n := n;
        exit when n = cardinality(p_phrases);
    end loop;
    return best;
end $$;

-- Null without a match. p_length: of an excerpt, in words and what is between them; null for the whole text.
create or replace function api_v1.highlight(p_text text, p_query tsquery, p_length integer default null) returns text
language plpgsql immutable parallel safe as $$
declare
    between_words constant text := '([\s!-/:-@\[-`{-~\u00A0-\u00A9\u00AB\u00BB\u2010-\u2029\u202F-\u205F\u2190-\u2BFF\u3000-\u3004'
        '\u3008-\u3020\u30FB\uFF01-\uFF0F\uFF1A-\uFF20\U0001F000-\U0001FAFF]+)';
    -- the words of each phrase, with a star after one that may continue
    phrases text[] := array(
        select replace(replace(replace(m[1], '''', ''), ' <-> ', ' '), ':*', '*')
        from regexp_matches(querytree(p_query), '(''[^'']+''(?::\*)?(?: <-> ''[^'']+''(?::\*)?)*)', 'g') m);
    phrase text[];
    last text;
    t text := p_text;
    -- words at odd positions, what is between them at even ones, as are characters of scripts without spaces, which are marked
    units text[];
    is_marked boolean[];
    -- the words of the units, in which unit each is, and where it ends if it is a pair of such characters
    words text[];
    positions integer[];
    ends integer[];
    -- where matches begin, and of which phrase
    starts integer[] := '{}';
    found integer[] := '{}';
    i integer;
    first integer := 1;
begin
    if cardinality(phrases) = 0 then return null; end if;
    if length(t) > 2500 and p_length is not null then t := api_v1.best_part(t, phrases); end if;
    if t is null then return null; end if;
    t := regexp_replace(t, between_words, chr(2) || '\1' || chr(2), 'g');
    if octet_length(t) > length(t) and t ~ ('[' || api_v1.unspaced() || ']') then
        t := regexp_replace(t, '([' || api_v1.unspaced() || '][\u200B-\u200D\u3099\u309A]*)', chr(2) || chr(3) || '\1' || chr(2), 'g');
    end if;
    units := string_to_array(t, chr(2));
    if strpos(t, chr(3)) = 0 then
        select array_agg(w.word), array_agg(u.i) into words, positions
        from string_to_table(api_v1.folded(t), chr(2)) with ordinality u (t, i)
        cross join lateral string_to_table(u.t, ' ') w (word) where u.i % 2 = 1 and w.word <> '';
    else
        -- A mark that PostgreSQL's parser doesn't take for a letter begins no word, and is no word.
        select array_agg(case when not p.is_pair then p.word
                when p.word ~ '^[[:alpha:]]' then p.word || p.next
                else regexp_replace(p.word || p.next, '^[^[:alpha:]]+', '') end order by p.n),
            array_agg(p.i order by p.n), array_agg(case when p.is_pair then p.next_i end order by p.n)
        into words, positions, ends
        from (
            select row_number() over w as n, u.i, u.is_character, x.word, lead(x.word) over w as next, lead(u.i) over w as next_i,
                coalesce(u.is_character and lead(u.is_character) over w and lead(u.i) over w <= u.i + 2, false) as is_pair
            from (
                select y.k as i, starts_with(y.c, chr(3)) as is_character, ltrim(y.c, chr(3)) as t
                from string_to_table(api_v1.folded(t), chr(2)) with ordinality y (c, k)) u
            cross join lateral string_to_table(btrim(u.t), case when not u.is_character then ' ' end) with ordinality x (word, j)
            where (u.is_character or u.i % 2 = 1) and x.word <> ''
            window w as (order by u.i, x.j)) p
        where p.is_pair or not p.is_character or p.word ~ '[[:alpha:]]';
    end if;
    for p in 1 .. cardinality(phrases) loop
        phrase := string_to_array(phrases[p], ' ');
        last := phrase[cardinality(phrase)];
        for i in
            select w.n from unnest(words) with ordinality w (word, n)
            where w.word = phrase[1] or cardinality(phrase) = 1 and right(last, 1) = '*' and starts_with(w.word, left(last, -1))
        loop
            if cardinality(phrase) > 1 then
                continue when words[i : i + cardinality(phrase) - 2] <> phrase[1 : cardinality(phrase) - 1];
                continue when coalesce(words[i + cardinality(phrase) - 1] <> last and not (
                    right(last, 1) = '*' and starts_with(words[i + cardinality(phrase) - 1], left(last, -1))), true);
            end if;
            starts := starts || positions[i];
            found := found || p;
            i := i + cardinality(phrase) - 1;
            for u in positions[i - cardinality(phrase) + 1]
                .. case right(last, 1) when '*' then positions[i] else coalesce(ends[i], positions[i]) end
            loop
                is_marked[u] := true;
            end loop;
        end loop;
    end loop;
    if cardinality(starts) = 0 then return null; end if;
    if p_length is not null then
        -- where most phrases are near
        select s.start into first
        from (select start from unnest(starts) u (start) limit 50) s
        cross join lateral (
            select count(distinct f.phrase) as n from unnest(starts, found) f (start, phrase)
            where f.start between s.start and s.start + p_length - 12) c
        order by c.n desc, s.start limit 1;
        first := greatest(1, least(first - 10, cardinality(units) - p_length + 1));
    end if;
    return (
        select replace(replace(replace(replace(replace(replace(
            btrim(string_agg(case when is_marked[n] and (n % 2 = 1 or starts_with(units[n], chr(3))) and units[n] <> ''
                then chr(2) || ltrim(units[n], chr(3)) || chr(4) else ltrim(units[n], chr(3)) end, '' order by n)),
            chr(4) || chr(2), ''), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), chr(2), '<em>'), chr(4), '</em>')
        from generate_series(first, least(cardinality(units), first + coalesce(p_length, cardinality(units)) - 1)) n);
end $$;

grant execute on function api_v1.best_part(text, text[]), api_v1.highlight(text, tsquery, integer) to @reader@, @guest@, @daemon@;
