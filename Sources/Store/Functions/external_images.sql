-- Images of other servers that published content shows.

-- What besides entries shows an external image: its title, and whether readers see it.
create or replace function curation.image_subjects(p_url text) returns table (title text, is_public boolean)
language sql stable as $$
    select null::text, false where false
    -- packs: image_subjects
$$;

-- Ends the work on stored external images. What shows them besides entries shows those of the library from now on, in
-- one publication. Returns its number, or null if readers see nothing of that kind.
create or replace function curation.show_stored_images(p_images uuid[], p_actor uuid) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    shown uuid[];
    publication bigint;
begin
    perform from curation.publication_counter for update;
    select coalesce(array_agg(x.id), '{}') into shown
    from ops.external_image x where x.id = any (p_images) and x.shown_at is null;
    update ops.external_image set is_due = false, shown_at = coalesce(shown_at, clock_timestamp()) where id = any (p_images);
    -- packs: stored_images
    return publication;
end $$;

select curation.read_through_indexes('show_stored_images(uuid[], uuid)');

grant execute on function curation.image_subjects(text), curation.show_stored_images(uuid[], uuid) to @daemon@;
