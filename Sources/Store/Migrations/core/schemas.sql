-- Creates the extensions and schemas. Roles are created before the first migration; @owner@, @daemon@, @delivery@,
-- @reader@ and @guest@ are replaced by their names.

create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists fuzzystrmatch;
create extension if not exists cube;
create extension if not exists btree_gist;

create schema curation authorization @owner@;
create schema ops authorization @owner@;
create schema projection authorization @owner@;
create schema delivery authorization @owner@;
create schema api_v1 authorization @owner@;

set local role @owner@;

grant usage on schema curation, ops, projection, delivery, api_v1 to @daemon@;
grant usage on schema delivery to @delivery@;
grant usage on schema api_v1 to @reader@, @guest@;

reset role;
