-- Who may record which audit events, and what may be changed with them. Nobody inserts events directly: these functions do,
-- and the clock and the transaction are the database's. Each database role has its own function, so that a stolen login
-- acts for nobody whose token or secret it does not have.

-- Appends events. Only the functions below call it. A missing actor was not recognized.
create or replace function ops.append_events(p_actors uuid[], p_roles text[], p_actions text[], p_types text[], p_ids text[],
    p_details text[], p_requests text[], p_addresses text[]) returns void language plpgsql as $$
begin
    if array_position(p_actors, null) is not null then
        perform curation.refuse('audit_event_actor', 'the database does not recognize who acts');
    end if;
    insert into ops.audit_event (actor_id, actor_role, action, object_type, object_id, detail, request_id, remote_address)
    select u.actor, u.role, u.action, u.type, u.id, u.detail::jsonb, u.request, u.address
    from unnest(p_actors, p_roles, p_actions, p_types, p_ids, p_details, p_requests, p_addresses) with ordinality
        u (actor, role, action, type, id, detail, request, address, position)
    order by u.position;
end $$;

-- Events of requests: an account is recognized by the token of its session, a client by its secret. Contributors, visitors
-- and submission forms have neither; what they may change is in ops.may_change. A form acts while it is on.
create or replace function ops.record_requested(p_credentials bytea[], p_actors uuid[], p_actions text[], p_types text[],
    p_ids text[], p_details text[], p_requests text[], p_addresses text[]) returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    actors uuid[];
    roles text[];
begin
    select array_agg(coalesce(a.id, c.id, v.id, f.id) order by u.position), array_agg(a.role order by u.position) into actors, roles
    from unnest(p_credentials, p_actors) with ordinality u (credential, actor, position)
    left join lateral (
        select a.id, a.role from ops.session s join ops.account a on a.id = s.account_id
        where s.token_hash = sha256(u.credential) and a.id = u.actor and s.expires_at > now() and a.disabled_at is null
    ) a on true
    left join lateral (
        select c.id from delivery.client c
        where c.id = u.actor and c.revoked_at is null and (c.secret_hash = sha256(u.credential)
            or c.old_secret_hash = sha256(u.credential) and c.old_secret_until > now())
    ) c on true
    left join lateral (select u.actor as id where ops.is_visitor(u.actor)) v on true
    left join curation.submission_form f on f.id = u.actor and f.is_on;
    perform ops.append_events(actors, roles, p_actions, p_types, p_ids, p_details, p_requests, p_addresses);
end $$;

-- Events of accounts that the program has recognized otherwise: by a password, a code or a link.
create or replace function ops.record_sign_in(p_credentials bytea[], p_actors uuid[], p_actions text[], p_types text[],
    p_ids text[], p_details text[], p_requests text[], p_addresses text[]) returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    actors uuid[];
    roles text[];
begin
    select array_agg(a.id order by u.position), array_agg(a.role order by u.position) into actors, roles
    from unnest(p_actors) with ordinality u (actor, position)
    left join ops.account a on a.id = u.actor and a.disabled_at is null;
    perform ops.append_events(actors, roles, p_actions, p_types, p_ids, p_details, p_requests, p_addresses);
end $$;

-- Events of background work.
create or replace function ops.record_scheduled(p_credentials bytea[], p_actors uuid[], p_actions text[], p_types text[],
    p_ids text[], p_details text[], p_requests text[], p_addresses text[]) returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    perform ops.append_events(
        array(select a.id from unnest(p_actors) with ordinality u (actor, position)
            left join ops.actor a on a.id = u.actor and a.id in
                ('00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000004') order by u.position),
        '{}', p_actions, p_types, p_ids, p_details, p_requests, p_addresses);
end $$;

-- Events of the command line: the operator's, those of imports, and work that a daemon would do in the background.
create or replace function ops.record_operated(p_credentials bytea[], p_actors uuid[], p_actions text[], p_types text[],
    p_ids text[], p_details text[], p_requests text[], p_addresses text[]) returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    perform ops.append_events(
        array(select a.id from unnest(p_actors) with ordinality u (actor, position)
            left join ops.actor a on a.id = u.actor and a.kind = 'system' and not ops.is_visitor(a.id) order by u.position),
        '{}', p_actions, p_types, p_ids, p_details, p_requests, p_addresses);
end $$;

grant execute on function ops.record_requested(bytea[], uuid[], text[], text[], text[], text[], text[], text[]) to @daemon@;
grant execute on function ops.record_sign_in(bytea[], uuid[], text[], text[], text[], text[], text[], text[]) to @sign_in@;
grant execute on function ops.record_scheduled(bytea[], uuid[], text[], text[], text[], text[], text[], text[]) to @schedule@;
grant execute on function ops.record_operated(bytea[], uuid[], text[], text[], text[], text[], text[], text[]) to @operator@;
grant execute on function ops.has_event(uuid), ops.may_administer(), ops.is_visitor(uuid), ops.is_program(uuid), ops.role_has(text, text),
    ops.role_includes(text, text), ops.acting_role(uuid, text), ops.permitted(text), ops.has_several_actors(), ops.permissions_for(oid) to @daemon@;
