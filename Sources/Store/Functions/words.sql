-- The words of texts. Every search compares them: of readers and of the team, when a text is stored and when a query is read.
-- Terms are stored: a change of what these functions return needs a migration that builds them again, as
-- core/search_words does.

-- The characters of scripts without spaces between words: Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese and what is
-- written like them. Korean has spaces, but particles follow a word without one.
create or replace function api_v1.unspaced() returns text language sql immutable parallel safe as $$
    select '\u0E01-\u0E3A\u0E40-\u0E4E\u0E81-\u0ECE\u0EDC-\u0EDF\u1000-\u103F\u1050-\u108F\u109A-\u109D\u1100-\u11FF\u1780-\u17D3'
        '\u17D7\u17DC\u17DD\u1950-\u19C9\u1A20-\u1A7C\u2E80-\u2FDF\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303C\u3041-\u309A'
        '\u309D-\u309F\u30A1-\u30FA\u30FC-\u318F\u31A0-\u31BF\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97F\uA9E0-\uA9EF'
        '\uA9FA-\uA9FE\uAA60-\uAADF\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF'
$$;

-- A text as it is compared: compatibility forms, case, accents and what can't be seen make no difference. Whatever separates
-- two words is a space, or a character without a meaning to PostgreSQL's parser, which would take "Linz/Zwettl" for a file
-- and "pier.Embarkation" for a host. A digit followed by a letter ends a token: "12km" is "12 km".
create or replace function api_v1.folded(p_text text) returns text
language plpgsql immutable strict parallel safe as $$
declare
    -- soft hyphens, joiners, directions, variations, tags; the points of Hebrew and Arabic
    invisible constant text := '[\u00AD\u034F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061C\u0640\u064B-\u065F'
        '\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F'
        '\u3164\uFE00-\uFE0F\uFEFF\uFFA0\U000E0000-\U000E0FFF]+';
    t text := p_text;
begin
    if octet_length(t) = length(t) then
        t := lower(t);
    else
        if t ~ invisible then t := regexp_replace(t, invisible, '', 'g'); end if;
        if t is not nfkc normalized then t := normalize(t, nfkc); end if;
        t := replace(lower(public.unaccent('public.unaccent'::regdictionary, t)), 'ς', 'σ');
    end if;
    t := replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t, '-', ' '), '.', ' '),
        '/', ' '), '_', ' '), ':', ' '), '@', ' '), '&', ' '), '+', ' '), '<', ' '), '>', ' '), '~', ' ');
    if t ~ '[0-9][a-z\u00AA-\U0010FFFF]' then t := regexp_replace(t, '([0-9])(?=[a-z\u00AA-\U0010FFFF])', '\1 ', 'g'); end if;
    return t;
end $$;

-- The words of a text. In scripts without spaces every character begins a word with the one that follows, so that a query finds
-- any part of the text: "東京都" is "東京 京都 都".
create or replace function api_v1.words(p_text text) returns text
language plpgsql immutable strict parallel safe as $$
declare
    unspaced constant text := '[' || api_v1.unspaced() || ']';
    t text := api_v1.folded(p_text);
begin
    if octet_length(t) > length(t) and t ~ unspaced then
        select string_agg(
            case when x.is_unspaced and x.follows then x.c || ' ' || x.c
                when x.is_unspaced <> x.follows then ' ' || x.c else x.c end, '' order by x.i)
        into t
        from (
            select u.c, u.i, y.is_unspaced, coalesce(lag(y.is_unspaced) over (order by u.i), false) as follows
            from string_to_table(t, null) with ordinality u (c, i)
            cross join lateral (select u.c ~ unspaced as is_unspaced) y) x;
    end if;
    return t;
end $$;

-- The terms of a text. A tsvector holds at most a megabyte: so many characters leave room for others.
create or replace function api_v1.terms(p_text text) returns tsvector language plpgsql immutable strict parallel safe as $$
begin
    return to_tsvector('pg_catalog.simple', left(api_v1.words(p_text), 150000));
end $$;

-- The terms of a title, few enough for a row of a B-tree.
create or replace function api_v1.title_terms(p_title text) returns tsvector
language plpgsql immutable strict parallel safe as $$
begin
    return to_tsvector('pg_catalog.simple', left(api_v1.words(left(p_title, 230)), 400));
end $$;

grant execute on function api_v1.unspaced(), api_v1.folded(text), api_v1.words(text), api_v1.terms(text), api_v1.title_terms(text)
    to @reader@, @guest@, @daemon@;
