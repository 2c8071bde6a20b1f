-- Read tables of onboarding sets, texts and settings.
set local role @owner@;

-- Onboarding sets, with 2 to 5 screens unless the set specifies otherwise (B16, K10, C25).
create table api_v1.onboarding_set (
    id uuid primary key,
    key text not null,
    locale text not null,
    set_version integer not null,
    min_screens integer not null,
    max_screens integer not null,
    screen_count integer not null,
    document json not null,
    constraint onboarding_set_key_once unique (key, locale) deferrable,
    constraint onboarding_set_enough_screens check (screen_count >= min_screens),
    constraint onboarding_set_not_too_many_screens check (screen_count <= max_screens)
);

create table api_v1.onboarding_screen (
    set_id uuid not null,
    position integer not null,
    title text,
    text text constraint onboarding_screen_text check (text is not null and text ~ '\S'),
    image json constraint onboarding_screen_image check (image is not null and coalesce(image ->> 'url', image ->> 'path', '') <> ''),
    document json not null,
    primary key (set_id, position)
);

-- Texts by key and locale, with allowed and required placeholders (B21, B60, B61). The texts of the program's own mails
-- also have fixed placeholder rules.
create table api_v1.text (
    id uuid not null,
    locale text not null,
    key text not null,
    section text not null,
    format text not null constraint text_format check (format in ('plain', 'markdown')),
    value text constraint text_value check (value is not null and value ~ '\S'),
    html text constraint text_html check ((html is not null) = (format = 'markdown')),
    placeholders text[] not null,
    required text[] not null,
    used text[] not null,
    document json not null,
    constraint text_locale_once primary key (id, locale),
    constraint text_key_once unique (key, locale) deferrable,
    constraint text_placeholders_allowed check (used <@ placeholders),
    constraint text_placeholders_required check (required <@ used),
    constraint text_invitation check (key <> 'mail.invitation' or used @> '{name,link}' and used <@ '{name,link}'),
    constraint text_password_reset check (key <> 'mail.password_reset' or used @> '{link}' and used <@ '{name,link}'),
    constraint text_release_failed
        check (key <> 'mail.release_failed' or used @> '{reason}' and used <@ '{name,title,reason,link}'),
    constraint text_outcome_approved check (key <> 'mail.outcome_approved' or used <@ '{name,title,link}'),
    constraint text_outcome_rejected
        check (key <> 'mail.outcome_rejected' or used @> '{reason}' and used <@ '{name,title,link,reason,message}'),
    constraint text_outcome_changes_requested
        check (key <> 'mail.outcome_changes_requested' or used @> '{link}' and used <@ '{name,title,link,message}'),
    constraint text_status_link check (key <> 'mail.status_link' or used @> '{link}' and used <@ '{name,title,link}')
);

-- Settings by kind. Limits of numbers are inclusive.
create table api_v1.setting (
    id uuid primary key,
    key text not null,
    section text not null,
    kind text not null constraint setting_kind check (kind in ('integer', 'number', 'boolean', 'text', 'list', 'choice')),
    value json,
    minimum numeric,
    maximum numeric,
    document json not null,
    constraint setting_key_once unique (key) deferrable,
    constraint setting_value check (value is not null and json_typeof(value) = case kind
        when 'integer' then 'number' when 'number' then 'number' when 'boolean' then 'boolean' when 'list' then 'array'
        else 'string' end),
    constraint setting_minimum check (
        json_typeof(value) is distinct from 'number' or minimum is null or (value #>> '{}')::numeric >= minimum),
    constraint setting_maximum check (
        json_typeof(value) is distinct from 'number' or maximum is null or (value #>> '{}')::numeric <= maximum)
);

comment on table api_v1.onboarding_set is 'Onboarding sets: screens for the first start of an app.';
comment on column api_v1.onboarding_set.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.onboarding_set.key is 'Key that apps request; unique per locale.';
comment on column api_v1.onboarding_set.locale is 'Locale, such as en or pt-BR.';
comment on column api_v1.onboarding_set.set_version is 'Version of the set. Apps can show the set again when it increases.';
comment on column api_v1.onboarding_set.min_screens is 'Minimum number of screens.';
comment on column api_v1.onboarding_set.max_screens is 'Maximum number of screens.';
comment on column api_v1.onboarding_set.screen_count is 'Number of screens.';
comment on column api_v1.onboarding_set.document is 'API response, as JSON, with all screens.';

comment on table api_v1.onboarding_screen is 'Screens of the onboarding sets.';
comment on column api_v1.onboarding_screen.set_id is 'Onboarding set (api_v1.onboarding_set.id).';
comment on column api_v1.onboarding_screen.position is 'Position in the set, from 1.';
comment on column api_v1.onboarding_screen.title is 'Heading; null if there is none.';
comment on column api_v1.onboarding_screen.text is 'Text.';
comment on column api_v1.onboarding_screen.image is 'Image, with its URL or path and its alternative text.';
comment on column api_v1.onboarding_screen.document is 'API response, as JSON.';

comment on table api_v1.text is 'Texts, one row per key and locale.';
comment on column api_v1.text.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.text.locale is 'Locale, such as en or pt-BR.';
comment on column api_v1.text.key is 'Key that apps and sites request.';
comment on column api_v1.text.section is 'Part of the product that uses it.';
comment on column api_v1.text.format is 'plain or markdown.';
comment on column api_v1.text.value is 'Text as written.';
comment on column api_v1.text.html is 'Markdown rendered as sanitized HTML; null for plain text.';
comment on column api_v1.text.placeholders is 'Allowed placeholders, without braces.';
comment on column api_v1.text.required is 'Required placeholders.';
comment on column api_v1.text.used is 'Used placeholders.';
comment on column api_v1.text.document is 'API response, as JSON.';

comment on table api_v1.setting is 'Settings. Apps pick them up without an update.';
comment on column api_v1.setting.id is 'Entry ID. It never changes and is never reused.';
comment on column api_v1.setting.key is 'Key that apps request.';
comment on column api_v1.setting.section is 'Part of the product that uses it.';
comment on column api_v1.setting.kind is 'integer, number, boolean, text, list or choice.';
comment on column api_v1.setting.value is 'Value, as JSON of its kind.';
comment on column api_v1.setting.minimum is 'Minimum value, inclusive; null if there is none.';
comment on column api_v1.setting.maximum is 'Maximum value, inclusive; null if there is none.';
comment on column api_v1.setting.document is 'API response, as JSON.';

grant select on api_v1.onboarding_set, api_v1.onboarding_screen, api_v1.text, api_v1.setting to @daemon@, @reader@,
    @guest@;

reset role;
