-- Submission forms: pages on which people without an account or a portal send submissions.
set local role @owner@;

-- A form is the sender of what it receives, as an API client is.
alter table ops.actor drop constraint actor_kind,
    add constraint actor_kind check (kind in ('account', 'client', 'system', 'form'));
alter table curation.submission drop constraint submission_source,
    add constraint submission_source check (source in ('api', 'import', 'desk', 'form'));

create table curation.submission_form (
    id uuid primary key constraint submission_form_actor references ops.actor (id),
    -- in its URL
    name text not null constraint submission_form_name check (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(name) <= 60),
    type text not null constraint submission_form_type references curation.content_type (name),
    title text not null constraint submission_form_title check (length(title) between 1 and 200),
    introduction text not null default '' constraint submission_form_introduction check (length(introduction) <= 5000),
    -- of title, introduction and mails
    locale text not null constraint submission_form_locale check (locale ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,4}){0,2}$'),
    -- the fields it shows; null for all that contributors may fill in
    fields text[] constraint submission_form_fields check (cardinality(fields) > 0 and array_position(fields, null) is null),
    -- given to what it receives: the requested category and the feed
    category text constraint submission_form_category check (length(category) between 1 and 200),
    feed_id uuid constraint submission_form_feed references curation.entry (id),
    -- origins whose pages may show it in a frame
    origins text[] not null default '{}' constraint submission_form_origins
        check (cardinality(origins) <= 20 and array_to_string(origins, ' ', '-') ~ '^(https?://[^ /;,''"]+( |$))*$'),
    allows_anonymous boolean not null default false,
    requires_email boolean not null default false,
    is_on boolean not null default false,
    created_at timestamptz not null default clock_timestamp(),
    constraint submission_form_once unique (name)
);
select ops.govern('curation.submission_form', 'administer', 'unrestricted');

grant select, insert, delete on curation.submission_form to @daemon@;
grant update (title, introduction, locale, fields, category, feed_id, origins, allows_anonymous, requires_email, is_on)
    on curation.submission_form to @daemon@;

create or replace trigger audited after insert on curation.submission referencing new table as changed
    for each statement execute function ops.require_audit_for_rows('submit,suggest,contribute', 'none');
-- Contributors add images. They change and delete none.
select ops.govern('ops.media', 'suggest,decide,submit,contribute,visit', 'none');
select ops.govern('ops.media_file', 'suggest,decide,submit,contribute,visit', 'none');
select ops.govern('ops.media_version', 'suggest,decide,submit,contribute,visit', 'none');
create trigger kept before update or delete on ops.media
    for each statement execute function ops.require_audit('suggest,decide,submit');
create trigger kept before update or delete on ops.media_file
    for each statement execute function ops.require_audit('suggest,decide,submit');
create trigger kept before update or delete on ops.media_version
    for each statement execute function ops.require_audit('suggest,decide,submit');

-- Anyone can have a mail sent to anyone: it contains nothing that the sender wrote.
alter table api_v1.text add constraint text_submission_received
    check (key <> 'mail.submission_received' or used @> '{link}' and used <@ '{link}');

reset role;
