-- Trigger functions of previews.

-- Keeps at most 100 approvals of a link. Parallel ones wait for each other.
create or replace function curation.limit_preview_approvals() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    perform from curation.preview where id = new.preview_id for update;
    if not exists (
            select from curation.preview_approval
            where preview_id = new.preview_id and visitor = new.visitor and lower(name) = lower(new.name))
        and (select count(*) from curation.preview_approval where preview_id = new.preview_id) >= 100 then
        perform curation.refuse('preview_approval_limit', 'this preview already has 100 approvals');
    end if;
    return new;
end $$;
