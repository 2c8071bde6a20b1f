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

-- At most `length` characters of plain text, cut at a word's end; a cut is shown by an ellipsis (row A16). A word that ends
-- with the last of these characters stays whole; a text without any space in them is cut where it is.
create or replace function projection.cut(plain text, length integer) returns text language sql stable parallel safe as $$
    select case
        when char_length(plain) <= length then plain
        else coalesce(substring(left(plain, length + 1) from '^(.*\S)\s+\S*$'), left(plain, length)) || '…' end
$$;

-- What a guest may read of a text that has no preview of its own: its first characters, as many as the setting
-- preview.characters says. Views ask for `length` once, as `projection.preview_length()`.
create or replace function projection.preview_text(preview jsonb, plain text, length integer) returns text
language sql stable parallel safe as $$
    select coalesce(nullif(preview ->> 'summary', ''), projection.cut(coalesce(preview ->> 'description', plain), length))
$$;

-- Text without accents and case, for searching.
create or replace function projection.fold(value text) returns text language sql stable parallel safe as $$
    select lower(public.unaccent('public.unaccent'::regdictionary, value))
$$;

-- What a live setting says, as it was written; null when there is none. Views ask it as a sub-select, `(select
-- projection.setting('...'))`, which is computed once for a query; their functions `X_by_setting` name what then changes.
create or replace function projection.setting(p_key text) returns text language sql stable parallel safe as $$
    select r.content ->> 'value'
    from curation.revision r join curation.live l on l.revision_id = r.id
    where r.content ? 'key' and r.content ->> 'key' = p_key and l.kind = 'setting' limit 1
$$;

-- Without a readable setting, 280.
create or replace function projection.preview_length() returns integer language sql stable parallel safe as $$
    select coalesce(substring(projection.setting('preview.characters') from '^[0-9]{1,6}$')::integer, 280)
$$;

-- Whether a publication changed, brought or took the live setting of this key.
create or replace function projection.setting_changed(p_publication bigint, p_key text) returns boolean
language sql stable as $$
    select exists (
        select from curation.changed(p_publication) c
        join curation.revision r on r.id in (c.old_revision, c.new_revision)
        where c.kind = 'setting' and r.content ->> 'key' = p_key)
$$;

-- The kinds of things that may be browsed; null where there is no such setting: all.
create or replace function projection.listed_kinds() returns text[] language sql stable parallel safe as $$
    select string_to_array(projection.setting('catalogs.offered'), E'\n')
$$;

create or replace function projection.access(tier text) returns text language sql stable parallel safe as $$
    select case tier when 'premium' then 'premium subscription' else 'account' end
$$;

-- A position in degrees as a point on the unit sphere: chords between such points sort as distances on the ground do.
create or replace function projection.coordinates(lat double precision, lon double precision)
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
            from curation.category_merge m
            join curation.live l on l.entry_id = m.category_id
            join curation.revision r on r.id = l.revision_id
            cross join lateral string_to_table(concat_ws(E'\n', r.content ->> 'title', r.content ->> 'synonyms'), E'\n')
                with ordinality s (word, place)
            where m.into_id = category) w
        where w.word <> '' order by w.part, w.id, w.place)
$$;

-- All by which a category is found beside its name: other words and translations.
create or replace function projection.synonyms_text(category uuid, content jsonb) returns text language sql stable as $$
    select concat_ws(' ', array_to_string(projection.synonyms(category, content), ' '),
        (select string_agg(t ->> 'name', ' ') from jsonb_array_elements(content -> 'names') t))
$$;

-- The categories whose members are shown in this one: itself, and what was merged into it.
create or replace function projection.leading_to(p_category uuid) returns table (id uuid)
language sql stable parallel safe rows 1 as $$
    select p_category union all select m.category_id from curation.category_merge m where m.into_id = p_category
$$;

-- What the members of a feed name, and by which field, as readers see it: the feed itself, or the category that it takes.
create or replace function projection.filled_by(p_feed uuid, p_content jsonb) returns table (field text, target uuid)
language sql stable parallel safe as $$
    select case when p_content ? 'takes' then 'categories' else 'feeds' end,
           coalesce((select m.into_id from curation.category_merge m where m.category_id = (p_content ->> 'takes')::uuid),
               (p_content ->> 'takes')::uuid, p_feed)
$$;

-- Whether any feed takes a category; asked first, once for a query, for most deployments have none.
create or replace function projection.takes() returns boolean language sql stable parallel safe as $$
    select exists (select from curation.reference where field = 'takes')
$$;

-- The live feeds that a revision is in, with theirs: those that it names, then those that take one of its categories. What
-- names a feed that takes a category is not in it for that.
create or replace function projection.feeds_of(p_revision uuid) returns table (feed_id uuid, feed_revision uuid, place integer)
language sql stable parallel safe rows 2 as $$
    select l.entry_id, l.revision_id, e.position
    from curation.reference e
    join curation.live l on l.entry_id = e.target_entry_id and l.kind = 'feed'
    join curation.revision r on r.id = l.revision_id
    where e.revision_id = p_revision and e.field = 'feeds' and not r.content ? 'takes'
    union all
    select l.entry_id, l.revision_id, 1000 + e.position
    from curation.membership e
    cross join lateral projection.leading_to(e.target_entry_id) c
    join curation.reference f on f.target_entry_id = c.id and f.field = 'takes'
    join curation.live l on l.revision_id = f.revision_id
    where e.revision_id = p_revision and e.field = 'categories' and (select projection.takes())
$$;

-- The live items that are in a feed of this content; none where there is no content. A function of its own, so that the
-- planner begins with the feed and not with all that is live.
create or replace function projection.members_of(p_feed uuid, p_content jsonb) returns table (item_id uuid)
language plpgsql stable as $$
begin
    if p_content is null then return; end if;
    return query
    select distinct l.entry_id
    from projection.filled_by(p_feed, p_content) b
    cross join lateral projection.leading_to(b.target) c
    join curation.reference f on f.target_entry_id = c.id and f.field = b.field
    join curation.live l on l.revision_id = f.revision_id and l.kind = 'item';
end $$;

-- The files of a feed of this content; none where there is no content. A function of its own for the same reason.
create or replace function projection.files_of(p_feed uuid, p_content jsonb) returns table (media_id uuid, width integer)
language plpgsql stable as $$
begin
    if p_content is null then return; end if;
    return query
    select t.media_id, w.width
    from projection.filled_by(p_feed, p_content) b
    join curation.media_count t on t.field = b.field and t.target_entry_id = b.target
    join ops.media_file w on w.media_id = t.media_id;
end $$;

-- The feeds that a publication changed, with what they said before and say now.
create or replace function projection.changed_feeds(p_publication bigint) returns table (id uuid, old jsonb, new jsonb)
language sql stable as $$
    select c.entry_id, o.content, n.content
    from curation.changed(p_publication) c
    left join curation.revision o on o.id = c.old_revision
    left join curation.revision n on n.id = c.new_revision
    where c.kind = 'feed'
$$;

-- Those of them that came, went or take something else now.
create or replace function projection.refilled_feeds(p_publication bigint) returns table (id uuid, old jsonb, new jsonb)
language sql stable as $$
    select c.* from projection.changed_feeds(p_publication) c
    where c.old is null or c.new is null or c.old ->> 'takes' is distinct from c.new ->> 'takes'
$$;

-- The live feeds that take a category which was merged or parted: they hold other members now.
create or replace function projection.diverted_feeds(p_publication bigint) returns table (id uuid) language sql stable as $$
    select l.entry_id
    from curation.category_merge_change x
    join curation.reference f on f.target_entry_id = x.category_id and f.field = 'takes'
    join curation.live l on l.revision_id = f.revision_id
    where x.publication = p_publication
$$;

-- What a merge, or its end, changed in feeds that take categories: all that a diverted feed held and holds; and in the feeds
-- of the category that it led to or leads to, the members of the merged one.
create or replace function projection.diverted(p_publication bigint) returns table (feed_id uuid, item_id uuid)
language sql stable as $$
    select w.feed_id, w.item_id
    from projection.diverted_feeds(p_publication) d
    join api_v1.feed_item w on w.feed_id = d.id
    union all
    select d.id, m.item_id
    from projection.diverted_feeds(p_publication) d
    join curation.live l on l.entry_id = d.id
    join curation.revision r on r.id = l.revision_id
    cross join lateral projection.members_of(d.id, r.content) m
    union all
    select fl.entry_id, il.entry_id
    from curation.category_merge_change x
    cross join lateral (values (x.old_into), (x.new_into)) t (id)
    cross join lateral projection.leading_to(t.id) c
    join curation.reference f on f.target_entry_id = c.id and f.field = 'takes'
    join curation.live fl on fl.revision_id = f.revision_id
    join curation.reference e on e.target_entry_id = x.category_id and e.field = 'categories'
    join curation.live il on il.revision_id = e.revision_id and il.kind = 'item'
    where x.publication = p_publication
$$;

-- The live feeds that take a category whose members a publication counted anew.
create or replace function projection.recounted_takers(p_publication bigint) returns table (id uuid) language sql stable as $$
    select l.entry_id
    from curation.recounted(p_publication, 'categories') e
    cross join lateral projection.leading_to(e) c
    join curation.reference f on f.target_entry_id = c.id and f.field = 'takes'
    join curation.live l on l.revision_id = f.revision_id
$$;
