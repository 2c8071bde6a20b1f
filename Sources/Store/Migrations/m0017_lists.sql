-- Catalogs (films, books, restaurants …) as their sources described them, and the curated lists that name their items.
set local role @owner@;

-- One thing of a catalog. Its id is ours and stays when its source is replaced (D34). A row is a recorded fact with source
-- and time: `fetched_at` is when the source said this first, `checked_at` when it last said the same.
create table curation.catalog_item (
    id uuid primary key default curation.uuid_v7(),
    kind text not null constraint catalog_item_kind check (kind ~ '^[a-z][a-z0-9_]{0,62}$'),
    source text not null constraint catalog_item_source check (source ~ '^[a-z][a-z0-9_]{0,62}$'),
    external_id text not null constraint catalog_item_external_id check (length(external_id) between 1 and 500),
    title text not null constraint catalog_item_title check (length(title) > 0 and title !~ '[\r\n]'),
    details jsonb not null constraint catalog_item_details check (jsonb_typeof(details) = 'object'),
    fetched_at timestamptz not null default clock_timestamp(),
    checked_at timestamptz not null default clock_timestamp(),
    -- a curator has put it among what readers may browse; what live lists name is there in any case
    listed_at timestamptz,
    listed_by uuid constraint catalog_item_listed_by references ops.actor (id),
    constraint catalog_item_once unique (source, kind, external_id),
    constraint catalog_item_listing_whole check ((listed_at is null) = (listed_by is null))
);
create index catalog_item_by_kind on curation.catalog_item (kind, id);
create index catalog_item_words on curation.catalog_item using gin (title gin_trgm_ops);

-- Which revision names which item, where; derived from the content when the revision is made, as curation.reference is.
-- The rank keeps the order of `items`: what was not moved keeps its rank from one revision to the next.
create table curation.catalog_use (
    revision_id uuid not null constraint catalog_use_revision references curation.revision (id),
    field text not null,
    rank bigint not null,
    item_id uuid not null constraint catalog_use_item references curation.catalog_item (id),
    note text not null default '',
    primary key (revision_id, field, rank),
    constraint catalog_use_once unique (revision_id, field, item_id)
);
create index catalog_use_by_item on curation.catalog_use (item_id, revision_id);

-- What publications changed in facts: items that are described otherwise from then on, or only shown or no longer shown.
create table curation.catalog_change (
    publication bigint not null,
    item_id uuid not null constraint catalog_change_item references curation.catalog_item (id),
    is_described boolean not null,
    is_renamed boolean not null,
    primary key (publication, item_id)
);
create index catalog_change_by_item on curation.catalog_change (item_id, publication desc);

-- What publications changed in lists, item by item: it came, went, or got another rank or note.
create table curation.list_item_change (
    publication bigint not null,
    list_id uuid not null,
    item_id uuid not null,
    primary key (publication, list_id, item_id)
);
create index list_item_change_by_list on curation.list_item_change (list_id, item_id, publication);

create function curation.list_items_changed() returns trigger language plpgsql as $$
begin
    if not exists (select from changed where kind = 'list') then return null; end if;
    insert into curation.list_item_change (publication, list_id, item_id)
    select c.publication, c.entry_id, m.item_id
    from changed c
    cross join lateral (
        select coalesce(n.item_id, o.item_id) as item_id
        from (select * from curation.catalog_use u where u.revision_id = c.old_revision and u.field = 'items') o
        full join (select * from curation.catalog_use u where u.revision_id = c.new_revision and u.field = 'items') n
            on n.item_id = o.item_id
        where o.rank is distinct from n.rank or o.note is distinct from n.note) m
    where c.kind = 'list';
    return null;
end $$;
create trigger list_items after insert on curation.publication_change referencing new table as changed
    for each statement execute function curation.list_items_changed();

-- A function of its own for the same reason as curation.changed.
create function curation.catalog_changed(p_publication bigint)
returns setof curation.catalog_change language plpgsql stable rows 1 as $$
begin
    return query select * from curation.catalog_change where publication = p_publication;
end $$;

create function curation.list_changed(p_publication bigint)
returns setof curation.list_item_change language plpgsql stable rows 1 as $$
begin
    return query select * from curation.list_item_change where publication = p_publication;
end $$;

-- Whether readers see an item: a curator offered it, or a live list names it.
create function curation.is_public(item curation.catalog_item) returns boolean language sql stable as $$
    select item.listed_at is not null or exists (
        select from curation.catalog_use u join curation.live l on l.revision_id = u.revision_id where u.item_id = item.id)
$$;

-- Publishes facts about items that readers see or saw: which are described otherwise from now on, and which of them have
-- another title. The lock is held already.
create function curation.publish_observations(p_items uuid[], p_described uuid[], p_renamed uuid[], p_actor uuid, p_note text)
returns bigint language plpgsql as $$
declare
    counter curation.publication_counter;
    counts record;
begin
    if cardinality(p_items) = 0 then return null; end if;
    select * into counter from curation.publication_counter;
    insert into curation.catalog_change (publication, item_id, is_described, is_renamed)
    select counter.number + 1, i, i = any (p_described), i = any (p_renamed) from unnest(p_items) i;
    perform curation.begin_publication(counter.number + 1, p_actor, null, p_note);
    counts := projection.apply_all(counter.number + 1, counter.change_number);
    perform curation.end_publication(counter.number + 1, counter.change_number,
        counts.inserted, counts.updated, counts.deleted);
    return counter.number + 1;
end $$;

-- Records what a source said. New items are kept; known ones that are described otherwise are changed, and where readers see
-- them the rows that depend on them change in one publication. What stands in a list of results is often less than what a
-- source says of one thing (p_is_whole): then the members that it does not name stay. Returns the ids in the order of the rows.
-- The lock comes first: a list that is being published now must not show what is replaced meanwhile.
create function curation.record_catalog(p_kind text, p_source text, p_external_ids text[], p_titles text[], p_details jsonb[],
    p_is_whole boolean, p_actor uuid) returns uuid[] language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed uuid[];
    renamed uuid[];
    ids uuid[];
begin
    perform from curation.publication_counter for update;
    select coalesce(array_agg(c.id), '{}'), coalesce(array_agg(c.id) filter (where c.title <> n.title), '{}')
    into changed, renamed
    from unnest(p_external_ids, p_titles, p_details) n (external_id, title, details)
    join curation.catalog_item c on c.source = p_source and c.kind = p_kind and c.external_id = n.external_id
    where (c.title <> n.title or c.details <> case when p_is_whole then n.details else c.details || n.details end)
        and curation.is_public(c);

    insert into curation.catalog_item as c (kind, source, external_id, title, details)
    select p_kind, p_source, n.external_id, n.title, n.details
    from unnest(p_external_ids, p_titles, p_details) n (external_id, title, details)
    on conflict on constraint catalog_item_once do update set
        title = excluded.title, checked_at = clock_timestamp(),
        details = case when p_is_whole then excluded.details else c.details || excluded.details end,
        fetched_at = case when c.title = excluded.title
            and c.details = case when p_is_whole then excluded.details else c.details || excluded.details end
            then c.fetched_at else clock_timestamp() end;
    select array_agg(c.id order by n.place) into ids
    from unnest(p_external_ids) with ordinality n (external_id, place)
    join curation.catalog_item c on c.source = p_source and c.kind = p_kind and c.external_id = n.external_id;
    perform curation.publish_observations(changed, changed, renamed, p_actor, format('%s of %s described anew', p_kind, p_source));
    return coalesce(ids, '{}');
end $$;

-- Notes that items were looked for and not found at their source, so that others come first the next time.
create function curation.catalog_checked(p_items uuid[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    update curation.catalog_item set checked_at = clock_timestamp() where id = any (p_items)
$$;

-- Shows items to readers, or no longer; what live lists name stays. Returns the publication, or null when nothing changed.
create function curation.list_catalog(p_items uuid[], p_is_listed boolean, p_actor uuid)
returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    changed uuid[];
begin
    perform from curation.publication_counter for update;
    with turned as (
        update curation.catalog_item set
            listed_at = case when p_is_listed then clock_timestamp() end, listed_by = case when p_is_listed then p_actor end
        where id = any (p_items) and (listed_at is not null) <> p_is_listed returning id)
    select coalesce(array_agg(id), '{}') into changed from turned;
    return curation.publish_observations(changed, '{}', '{}', p_actor,
        case when p_is_listed then 'shown in the catalog' else 'taken out of the catalog' end);
end $$;

-- Gives an item another source or another id there; ours stays (D34). What was kept of the new address already, and that
-- no revision names, makes room.
create function curation.move_catalog(p_item uuid, p_source text, p_external_id text, p_actor uuid)
returns bigint language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    item curation.catalog_item;
    other curation.catalog_item;
    is_shown boolean;
begin
    perform from curation.publication_counter for update;
    select * into item from curation.catalog_item where id = p_item;
    if not found then perform curation.refuse('catalog_item_known', 'there is no such catalog item'); end if;
    is_shown := curation.is_public(item);
    select * into other from curation.catalog_item
    where source = p_source and kind = item.kind and external_id = p_external_id and id <> p_item;
    if found then
        if other.listed_at is not null or exists (select from curation.catalog_use where item_id = other.id)
            or exists (select from curation.catalog_change where item_id = other.id) then
            perform curation.refuse('catalog_item_taken',
                format('%s is used already, as item %s', p_external_id, other.id));
        end if;
        delete from curation.catalog_item where id = other.id;
    end if;
    update curation.catalog_item set source = p_source, external_id = p_external_id,
        title = coalesce(other.title, title), details = coalesce(other.details, details), fetched_at = clock_timestamp()
    where id = p_item;
    if not is_shown then return null; end if;
    return curation.publish_observations(array[p_item], array[p_item],
        case when coalesce(other.title, item.title) <> item.title then array[p_item] else '{}' end, p_actor,
        format('moved to %s of %s', p_external_id, p_source));
end $$;

select curation.read_through_indexes(f) from unnest(array['record_catalog(text, text, text[], text[], jsonb[], boolean, uuid)',
    'list_catalog(uuid[], boolean, uuid)', 'move_catalog(uuid, text, text, uuid)']) f;

-- What was asked, and what came: so that the same question within its time asks nobody, and the last answer is there when
-- the source is not.
create table ops.catalog_query (
    kind text not null,
    source text not null,
    question text not null constraint catalog_query_question check (length(question) between 1 and 2000),
    items uuid[] not null,
    hints text[] not null default '{}',
    fetched_at timestamptz not null default clock_timestamp(),
    primary key (kind, source, question)
);
create index catalog_query_age on ops.catalog_query (fetched_at);

-- How each source fares: calls of the running minute, and what kept it from answering.
create table ops.catalog_source (
    name text primary key,
    minute_at timestamptz not null default clock_timestamp(),
    calls integer not null default 0 constraint catalog_source_calls check (calls >= 0),
    hold_until timestamptz,
    failing_since timestamptz,
    last_error text constraint catalog_source_last_error check (length(last_error) <= 500),
    responded_at timestamptz
);

select ops.govern('curation.catalog_item');

-- The read tables. A sort_title is the beginning of a title, as long as a cursor can carry it.
create table api_v1.catalog_item (
    id uuid primary key,
    kind text not null,
    source text not null,
    item_id text not null,
    title text not null,
    sort_title text collate "und-x-icu" not null,
    details jsonb not null constraint catalog_item_details_object check (jsonb_typeof(details) = 'object'),
    fetched_at timestamptz not null,
    words tsvector not null,
    document json not null,
    constraint catalog_item_source_once unique (kind, source, item_id)
);
create index catalog_item_order on api_v1.catalog_item (kind, sort_title, id);
create index catalog_item_search on api_v1.catalog_item using gin (words);

create table api_v1.list (
    id uuid primary key,
    slug text not null,
    title text not null,
    owner text,
    subject_id uuid,
    photo json,
    item_count integer not null constraint list_not_empty check (item_count > 0),
    version bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    age bigint not null,
    text text not null,
    document json not null,
    constraint list_slug_once unique (slug)
);
create index list_order on api_v1.list (age, id);
create index list_owner on api_v1.list (owner, age, id);
create index list_subject on api_v1.list (subject_id, age, id);

create table api_v1.list_item (
    list_id uuid not null,
    catalog_item_id uuid not null,
    id uuid not null,
    kind text not null,
    item_id text not null,
    title text not null,
    sort_title text collate "und-x-icu" not null,
    details jsonb not null,
    note text not null,
    checked boolean not null constraint list_item_checked_by_readers check (not checked),
    position bigint not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    age bigint not null,
    document json not null,
    primary key (list_id, catalog_item_id),
    constraint list_item_id_once unique (id)
);
create index list_item_position on api_v1.list_item (list_id, position, id);
create index list_item_date on api_v1.list_item (list_id, age, id);
create index list_item_title on api_v1.list_item (list_id, sort_title, id);

revoke execute on function curation.catalog_checked(uuid[]), curation.list_items_changed(), curation.catalog_changed(bigint), curation.list_changed(bigint),
    curation.is_public(curation.catalog_item), curation.publish_observations(uuid[], uuid[], uuid[], uuid, text),
    curation.record_catalog(text, text, text[], text[], jsonb[], boolean, uuid), curation.list_catalog(uuid[], boolean, uuid),
    curation.move_catalog(uuid, text, text, uuid) from public;
grant execute on function curation.catalog_checked(uuid[]), curation.record_catalog(text, text, text[], text[], jsonb[], boolean, uuid),
    curation.list_catalog(uuid[], boolean, uuid), curation.move_catalog(uuid, text, text, uuid),
    curation.is_public(curation.catalog_item) to @daemon@;
grant select on curation.catalog_item, curation.catalog_change, curation.list_item_change to @daemon@;
grant select, insert on curation.catalog_use to @daemon@;
grant select, insert, update, delete on ops.catalog_query, ops.catalog_source to @daemon@;
comment on table api_v1.catalog_item is 'Things of the catalogs: what live lists name, and what curators offered.';
comment on column api_v1.catalog_item.id is 'Our id of the thing; it stays when its source is replaced.';
comment on column api_v1.catalog_item.kind is 'The catalog, such as movie, book, restaurant.';
comment on column api_v1.catalog_item.source is 'Who described it.';
comment on column api_v1.catalog_item.item_id is 'Its id at that source.';
comment on column api_v1.catalog_item.title is 'Its title.';
comment on column api_v1.catalog_item.sort_title is 'The beginning of the title, ordered as people order words.';
comment on column api_v1.catalog_item.details is 'What the source says of it, as JSON.';
comment on column api_v1.catalog_item.fetched_at is 'When the source said this first.';
comment on column api_v1.catalog_item.words is 'The words of its title without case and accents.';
comment on column api_v1.catalog_item.document is 'What a reader gets, as JSON.';

comment on table api_v1.list is 'The curated lists.';
comment on column api_v1.list.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.list.slug is 'The end of its address; unique among lists.';
comment on column api_v1.list.title is 'Its title.';
comment on column api_v1.list.owner is 'Whose list it is, as a portal names them; null for a list of the team.';
comment on column api_v1.list.subject_id is 'The thing that it is about (api_v1.catalog_item.id); null where it is about none.';
comment on column api_v1.list.photo is 'Its image: where it is and what it shows.';
comment on column api_v1.list.item_count is 'How many items it has; at least one.';
comment on column api_v1.list.version is 'The publication that last changed what it says: the same version is the same text.';
comment on column api_v1.list.created_at is 'When it was made; it never changes.';
comment on column api_v1.list.updated_at is 'When its content last changed; it changes if and only if the content does.';
comment on column api_v1.list.age is 'Minus the microseconds of updated_at since 1970: the latest change first.';
comment on column api_v1.list.text is 'Title and items as plain text, a line each.';
comment on column api_v1.list.document is 'What a reader gets, as JSON.';

comment on table api_v1.list_item is 'The items of the lists.';
comment on column api_v1.list_item.list_id is 'The list (api_v1.list.id).';
comment on column api_v1.list_item.catalog_item_id is 'The thing (api_v1.catalog_item.id).';
comment on column api_v1.list_item.id is 'The id of the two together; the same whenever the thing comes back to the list.';
comment on column api_v1.list_item.kind is 'The catalog of the thing.';
comment on column api_v1.list_item.item_id is 'The thing''s id at its source.';
comment on column api_v1.list_item.title is 'The thing''s title.';
comment on column api_v1.list_item.sort_title is 'The beginning of the title, ordered as people order words.';
comment on column api_v1.list_item.details is 'What the source says of it, as JSON.';
comment on column api_v1.list_item.note is 'What the curator says of it; empty where nothing.';
comment on column api_v1.list_item.checked is 'Always false: checking off is the app''s own.';
comment on column api_v1.list_item.position is 'A number with gaps, of which only the order counts.';
comment on column api_v1.list_item.created_at is 'When it first came to the list.';
comment on column api_v1.list_item.updated_at is 'When it last came, moved, got another note or was described anew.';
comment on column api_v1.list_item.age is 'Minus the microseconds of created_at since 1970: the newest first.';
comment on column api_v1.list_item.document is 'What a reader gets, as JSON.';

grant select on api_v1.catalog_item, api_v1.list, api_v1.list_item to @reader@, @guest@, @daemon@;

reset role;
