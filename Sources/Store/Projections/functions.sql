-- What several projections share: times as text, plain text cut for a preview, words for the search.
-- All are STABLE, as what they call is: only so PostgreSQL puts their text into the query; calling them costs 20 us each.

-- An instant as RFC 3339 in UTC, to the second.
create or replace function projection.rfc3339(at timestamptz) returns text language sql stable parallel safe as $$
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

-- An instant as a number that sorts newest first: negative microseconds since 1970.
create or replace function projection.age(at timestamptz) returns bigint language sql stable parallel safe as $$
    select -(extract(epoch from at) * 1000000)::bigint
$$;

-- At most `length` characters of plain text, cut at a word's end; a cut is shown by an ellipsis (row A16).
create or replace function projection.cut(plain text, length integer) returns text language sql stable parallel safe as $$
    select case
        when char_length(plain) <= length then plain
        else coalesce(nullif(regexp_replace(left(plain, length), '\s+\S*$', ''), ''), left(plain, length)) || '…' end
$$;

-- What a guest may read of a text that has no preview of its own: the first 280 characters.
create or replace function projection.preview_text(preview jsonb, plain text) returns text language sql stable parallel safe as $$
    select coalesce(nullif(preview ->> 'summary', ''), projection.cut(coalesce(preview ->> 'description', plain), 280))
$$;

-- Text without accents and case, for searching.
create or replace function projection.fold(value text) returns text language sql stable parallel safe as $$
    select lower(public.unaccent('public.unaccent'::regdictionary, value))
$$;

-- What a live setting says, as it was written; null when there is none. Views ask it as a sub-select, `(select
-- projection.setting('...'))`, which is computed once for a query; their `affected` functions name what then changes.
create or replace function projection.setting(p_key text) returns text language sql stable parallel safe as $$
    select r.content ->> 'value'
    from curation.live l join curation.revision r on r.id = l.revision_id
    where l.kind = 'setting' and r.content ->> 'key' = p_key limit 1
$$;

-- Whether a publication changed, brought or took the live setting of this key.
create or replace function projection.setting_changed(p_publication bigint, p_key text) returns boolean
language sql stable as $$
    select exists (
        select from curation.changed(p_publication) c
        join curation.revision r on r.id in (c.old_revision, c.new_revision)
        where c.kind = 'setting' and r.content ->> 'key' = p_key)
$$;

create or replace function projection.access(tier text) returns text language sql stable parallel safe as $$
    select case tier when 'premium' then 'premium subscription' else 'account' end
$$;

-- A position in degrees as a point on the unit sphere: chords between such points sort as distances on the ground do.
create or replace function projection.spot(lat double precision, lon double precision)
returns public.cube language sql stable parallel safe as $$
    select public.cube(array[cos(radians(lat)) * cos(radians(lon)), cos(radians(lat)) * sin(radians(lon)), sin(radians(lat))])
$$;

-- Translated names by language: {"de": "Kaffee"}.
create or replace function projection.names(content jsonb) returns json language sql stable parallel safe as $$
    select coalesce(json_object_agg(t ->> 'locale', t ->> 'name' order by place), '{}')
    from jsonb_array_elements(content -> 'names') with ordinality u (t, place)
$$;

-- The other words for a category: its synonyms, one a line, and the names and synonyms of what was merged into it.
create or replace function projection.synonyms(category uuid, content jsonb) returns text[] language sql stable as $$
    select array(
        select w.word
        from (
            select 0 as part, null::uuid as id, place, word
            from string_to_table(content ->> 'synonyms', E'\n') with ordinality s (word, place)
            union all
            select 1, m.category_id, s.place, s.word
            from curation.merged m
            join curation.live l on l.entry_id = m.category_id
            join curation.revision r on r.id = l.revision_id
            cross join lateral string_to_table(concat_ws(E'\n', r.content ->> 'title', r.content ->> 'synonyms'), E'\n')
                with ordinality s (word, place)
            where m.into_id = category) w
        where w.word <> '' order by w.part, w.id, w.place)
$$;

-- All by which a category is found beside its name: other words and translations.
create or replace function projection.other_words(category uuid, content jsonb) returns text language sql stable as $$
    select concat_ws(' ', array_to_string(projection.synonyms(category, content), ' '),
        (select string_agg(t ->> 'name', ' ') from jsonb_array_elements(content -> 'names') t))
$$;
