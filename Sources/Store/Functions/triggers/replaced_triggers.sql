-- Trigger functions that migrations name and later migrations replace (core/access). No table uses them any more.

create or replace function ops.check_decision_scope() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$ begin return new; end $$;

create or replace function ops.check_revision_scope() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$ begin return new; end $$;

create or replace function ops.check_release_scope() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$ begin return new; end $$;
