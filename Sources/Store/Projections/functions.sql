-- Functions that several projections share: timestamps, previews, search terms, feeds. All are STABLE, like the
-- functions that they call: only then does PostgreSQL inline them; each call costs 20 us otherwise. It never inlines a
-- function of one value that reads rows. Those for each row of a large table return a table of one row instead, and are
-- called in a subquery: `(select f.approved_at from projection.first_approved(l.entry_id) f)`. Others are in PL/pgSQL, which
-- keeps their plans: a function in SQL that isn't inlined is planned again in each publication.

-- A timestamp as RFC 3339 in UTC, with seconds.
create or replace function projection.rfc3339(at timestamptz) returns text language sql stable parallel safe as $$
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

-- A timestamp in negative microseconds since 1970, so that ascending order is newest first.
create or replace function projection.age(at timestamptz) returns bigint language sql stable parallel safe as $$
    select -(extract(epoch from at) * 1000000)::bigint
$$;

-- When the first published revision of an entry was approved: its publication date, which edits do not move (row A7).
create or replace function projection.first_approved(p_entry uuid) returns table (approved_at timestamptz)
language sql stable parallel safe rows 1 as $$
    select a.approved_at
    from curation.publication_change c join curation.publish_approval a on a.revision_id = c.new_revision
    where c.entry_id = p_entry order by c.publication limit 1
$$;

-- At most `length` characters of plain text, truncated after a complete word and marked with an ellipsis (row A16). Text
-- without spaces is truncated at `length`.
create or replace function projection.truncate(plain text, length integer) returns text language sql stable parallel safe as $$
    select case
        when char_length(plain) <= length then plain
        else coalesce(substring(left(plain, length + 1) from '^(.*\S)\s+\S*$'), left(plain, length)) || '…' end
$$;

-- The preview for guests: the summary, or the beginning of the text. Views compute `length` once, with
-- projection.preview_length().
create or replace function projection.preview_text(preview jsonb, plain text, length integer) returns text
language sql stable parallel safe as $$
    select coalesce(nullif(preview ->> 'summary', ''), projection.truncate(coalesce(preview ->> 'description', plain), length))
$$;

-- Text in lowercase and without accents, as a key.
create or replace function projection.normalize(value text) returns text language sql stable parallel safe as $$
    select lower(public.unaccent('public.unaccent'::regdictionary, value))
$$;

-- The search terms of a text; none for null.
create or replace function projection.terms(value text) returns tsvector language sql stable parallel safe as $$
    select case when value <> '' then api_v1.terms(value) else '' end
$$;

-- The texts in these fields of a content, one per line; "rows.field" names a field within rows. Null if there are none.
-- `length`: the most characters of each.
create or replace function projection.texts_of(content jsonb, fields text[], length integer default 1000000)
returns table (texts text) language sql stable parallel safe rows 1 as $$
    select string_agg(projection.truncate(t.value, length), E'\n' order by f.position)
    from unnest(fields) with ordinality f (name, position)
    cross join lateral (
        select content ->> f.name where strpos(f.name, '.') = 0
        union all
        select w.value ->> split_part(f.name, '.', 2)
        from jsonb_array_elements(case when strpos(f.name, '.') > 0 and jsonb_typeof(content -> split_part(f.name, '.', 1)) = 'array'
            then content -> split_part(f.name, '.', 1) end) w) t (value)
    where t.value <> ''
$$;

-- Names, one per line, as typed ones are compared with them.
create or replace function projection.names_key(names text) returns text language sql stable parallel safe as $$
    select E'\n' || string_agg(v.name, E'\n') || E'\n'
    from string_to_table(names, E'\n') n (name)
    cross join lateral (values (lower(n.name)), (btrim(regexp_replace(api_v1.folded(n.name), '\s+', ' ', 'g')))) v (name)
    where v.name <> ''
$$;

-- The value of a published setting as entered; null if there is none. Views use a subquery, `(select
-- projection.setting('...'))`, which is computed once per query; their dependencies name the affected rows. PL/pgSQL keeps the
-- plan, unless a caller has another search path than the last one: triggers have their own.
create or replace function projection.setting(p_key text) returns text language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp as $$
begin
    return (
        select r.content ->> 'value'
        from curation.revision r join curation.live l on l.revision_id = r.id
        where r.content ? 'key' and r.content ->> 'key' = p_key and l.kind = 'setting' limit 1);
end $$;

-- The setting preview.characters; 280 if it is missing or invalid.
create or replace function projection.preview_length() returns integer language sql stable parallel safe as $$
    select coalesce(substring(projection.setting('preview.characters') from '^[0-9]{1,6}$')::integer, 280)
$$;

-- Whether a publication changed, published or unpublished one of these settings.
create or replace function projection.setting_changed(p_publication bigint, variadic p_keys text[]) returns boolean
language sql stable as $$
    select exists (
        select from curation.changed(p_publication) c
        join curation.revision r on r.id in (c.old_revision, c.new_revision)
        where c.kind = 'setting' and r.content ->> 'key' = any (p_keys))
$$;

create or replace function projection.access(tier text) returns text language sql stable parallel safe as $$
    select case tier when 'premium' then 'premium subscription' else 'account' end
$$;

-- Coordinates as a point on the unit sphere: chords between such points sort like distances on the ground.
create or replace function projection.coordinates(lat double precision, lon double precision)
returns public.cube language sql stable parallel safe as $$
    select public.cube(array[cos(radians(lat)) * cos(radians(lon)), cos(radians(lat)) * sin(radians(lon)), sin(radians(lat))])
$$;

-- Translated names by locale: {"de": "Kaffee"}.
create or replace function projection.names_of(content jsonb) returns table (names json)
language sql stable parallel safe rows 1 as $$
    select coalesce(json_object_agg(t ->> 'locale', t ->> 'name' order by position), '{}')
    from jsonb_array_elements(content -> 'names') with ordinality u (t, position)
$$;

-- The same as one value.
create or replace function projection.names(content jsonb) returns json language plpgsql stable parallel safe as $$
begin
    return (select n.names from projection.names_of(content) n);
end $$;

-- The synonyms of a category: its own, one per line, and the names and synonyms of categories merged into it.
create or replace function projection.synonyms(category uuid, content jsonb) returns text[] language plpgsql stable as $$
begin
    return array(
        select w.word
        from (
            select 0 as part, null::uuid as id, position, word
            from string_to_table(content ->> 'synonyms', E'\n') with ordinality s (word, position)
            union all
            select 1, m.category_id, s.position, s.word
            from curation.category_merge m
            join curation.live l on l.entry_id = m.category_id
            join curation.revision r on r.id = l.revision_id
            cross join lateral string_to_table(concat_ws(E'\n', r.content ->> 'title', r.content ->> 'synonyms'), E'\n')
                with ordinality s (word, position)
            where m.target_id = category) w
        where w.word <> '' order by w.part, w.id, w.position);
end $$;

-- The search text of a category besides its name: synonyms and translations.
create or replace function projection.synonyms_text(category uuid, content jsonb) returns text language plpgsql stable as $$
begin
    return concat_ws(' ', array_to_string(projection.synonyms(category, content), ' '),
        (select string_agg(t ->> 'name', ' ') from jsonb_array_elements(content -> 'names') t));
end $$;

-- A category and the categories merged into it.
create or replace function projection.with_merged(p_category uuid) returns table (id uuid)
language sql stable parallel safe rows 1 as $$
    select p_category union all select m.category_id from curation.category_merge m where m.target_id = p_category
$$;

-- How items belong to a feed, as readers see it: they reference the feed, or the source category of a category feed.
create or replace function projection.feed_source(p_feed uuid, p_content jsonb) returns table (field text, target uuid)
language sql stable parallel safe as $$
    select case when p_content ? 'source_category' then 'categories' else 'feeds' end,
           coalesce((select m.target_id from curation.category_merge m where m.category_id = (p_content ->> 'source_category')::uuid),
               (p_content ->> 'source_category')::uuid, p_feed)
$$;

-- Whether there are category feeds. Checked first, once per query, because most deployments have none.
create or replace function projection.has_category_feeds() returns boolean language plpgsql stable parallel safe as $$
begin
    return exists (select from curation.reference where field = 'source_category');
end $$;

-- The published feeds of a revision: referenced feeds, then the category feeds of its categories. A reference to a
-- category feed has no effect.
create or replace function projection.feeds_of(p_revision uuid) returns table (feed_id uuid, feed_revision uuid, "position" integer)
language sql stable parallel safe rows 2 as $$
    select l.entry_id, l.revision_id, e.position
    from curation.reference e
    join curation.live l on l.entry_id = e.target_entry_id and l.kind = 'feed'
    join curation.revision r on r.id = l.revision_id
    where e.revision_id = p_revision and e.field = 'feeds' and not r.content ? 'source_category'
    union all
    select l.entry_id, l.revision_id, 1000 + e.position
    from curation.membership e
    cross join lateral projection.with_merged(e.target_entry_id) c
    join curation.reference f on f.target_entry_id = c.id and f.field = 'source_category'
    join curation.live l on l.revision_id = f.revision_id
    where e.revision_id = p_revision and e.field = 'categories' and (select projection.has_category_feeds())
$$;

-- The published items of a feed with this content; none if it is null. A separate function, so that the planner starts with
-- the feed and not with all published entries.
create or replace function projection.feed_members(p_feed uuid, p_content jsonb) returns table (item_id uuid)
language plpgsql stable as $$
begin
    if p_content is null then return; end if;
    return query
    select distinct l.entry_id
    from projection.feed_source(p_feed, p_content) b
    cross join lateral projection.with_merged(b.target) c
    join curation.reference f on f.target_entry_id = c.id and f.field = b.field
    join curation.live l on l.revision_id = f.revision_id and l.kind = 'item';
end $$;

-- The files of a feed with this content; none if it is null. A separate function for the same reason.
create or replace function projection.feed_files(p_feed uuid, p_content jsonb) returns table (media_id uuid, width integer)
language plpgsql stable as $$
begin
    if p_content is null then return; end if;
    return query
    select t.media_id, w.width
    from projection.feed_source(p_feed, p_content) b
    join curation.media_count t on t.field = b.field and t.target_entry_id = b.target
    join ops.media_file w on w.version_id = t.media_id;
end $$;

-- The feeds that a publication changed, with their previous and current content.
create or replace function projection.changed_feeds(p_publication bigint) returns table (id uuid, old jsonb, new jsonb)
language sql stable as $$
    select c.entry_id, o.content, n.content
    from curation.changed(p_publication) c
    left join curation.revision o on o.id = c.old_revision
    left join curation.revision n on n.id = c.new_revision
    where c.kind = 'feed'
$$;

-- Those of them that were published or unpublished, or changed their source.
create or replace function projection.feeds_with_new_source(p_publication bigint) returns table (id uuid, old jsonb, new jsonb)
language sql stable as $$
    select c.* from projection.changed_feeds(p_publication) c
    where c.old is null or c.new is null or c.old ->> 'source_category' is distinct from c.new ->> 'source_category'
$$;

-- Published category feeds whose source category was merged or unmerged.
create or replace function projection.merge_affected_feeds(p_publication bigint) returns table (id uuid) language sql stable as $$
    select l.entry_id
    from curation.category_merge_change x
    join curation.reference f on f.target_entry_id = x.category_id and f.field = 'source_category'
    join curation.live l on l.revision_id = f.revision_id
    where x.publication = p_publication
$$;

-- The items of category feeds that a merge or unmerge affects: the previous and current items of a feed whose source category
-- was merged or unmerged, and the members of the merged category in category feeds of its targets.
create or replace function projection.merge_affected_feed_items(p_publication bigint) returns table (feed_id uuid, item_id uuid)
language sql stable as $$
    select w.feed_id, w.item_id
    from projection.merge_affected_feeds(p_publication) d
    join api_v1.feed_item w on w.feed_id = d.id
    union all
    select d.id, m.item_id
    from projection.merge_affected_feeds(p_publication) d
    join curation.live l on l.entry_id = d.id
    join curation.revision r on r.id = l.revision_id
    cross join lateral projection.feed_members(d.id, r.content) m
    union all
    select fl.entry_id, il.entry_id
    from curation.category_merge_change x
    cross join lateral (values (x.old_target), (x.new_target)) t (id)
    cross join lateral projection.with_merged(t.id) c
    join curation.reference f on f.target_entry_id = c.id and f.field = 'source_category'
    join curation.live fl on fl.revision_id = f.revision_id
    join curation.reference e on e.target_entry_id = x.category_id and e.field = 'categories'
    join curation.live il on il.revision_id = e.revision_id and il.kind = 'item'
    where x.publication = p_publication
$$;

-- Category feeds whose source category has a changed member count.
create or replace function projection.recounted_category_feeds(p_publication bigint) returns table (id uuid) language sql stable as $$
    select l.entry_id
    from curation.recounted(p_publication, 'categories') e
    cross join lateral projection.with_merged(e) c
    join curation.reference f on f.target_entry_id = c.id and f.field = 'source_category'
    join curation.live l on l.revision_id = f.revision_id
$$;
