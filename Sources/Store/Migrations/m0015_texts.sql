-- Onboarding, texts and settings: what apps and sites show or obey without a new build.
set local role @owner@;

-- Sets of screens for the first start of an app; 2 to 5 of them unless the set itself says otherwise (B16, K10, C25).
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

-- Texts by key and language, each with the placeholders that it may use and those that it must (B21, B60, B61).
create table api_v1.text (
    id uuid not null,
    locale text not null,
    key text not null,
    section text not null,
    format text not null constraint text_format check (format in ('plain', 'markdown')),
    value text constraint text_value check (value is not null and value ~ '\S'),
    placeholders text[] not null,
    needed text[] not null,
    used text[] not null,
    document json not null,
    constraint text_locale_once primary key (id, locale),
    constraint text_key_once unique (key, locale) deferrable,
    constraint text_placeholders_allowed check (used <@ placeholders),
    constraint text_placeholders_required check (needed <@ used)
);

-- Settings: a value of a kind. Numbers keep within limits, both inclusive.
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

-- A deployment may show empty categories too (K1: the setting categories.include_empty).
alter table api_v1.category drop constraint category_not_empty,
    add constraint category_count check (item_count >= 0);

comment on table api_v1.onboarding_set is 'Sets of screens for the first start of an app.';
comment on column api_v1.onboarding_set.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.onboarding_set.key is 'The name that apps ask for; unique with the language.';
comment on column api_v1.onboarding_set.locale is 'The language of its words, such as en or pt-BR.';
comment on column api_v1.onboarding_set.set_version is 'Rises with every version of the set, so that an app can show it again.';
comment on column api_v1.onboarding_set.min_screens is 'The fewest screens it may have.';
comment on column api_v1.onboarding_set.max_screens is 'The most screens it may have.';
comment on column api_v1.onboarding_set.screen_count is 'How many it has.';
comment on column api_v1.onboarding_set.document is 'What a reader gets, as JSON. With all screens.';

comment on table api_v1.onboarding_screen is 'The screens of the sets, one row each.';
comment on column api_v1.onboarding_screen.set_id is 'The set (api_v1.onboarding_set.id).';
comment on column api_v1.onboarding_screen.position is 'Its place in the set, from 1.';
comment on column api_v1.onboarding_screen.title is 'Its heading; null where it has none.';
comment on column api_v1.onboarding_screen.text is 'What it says.';
comment on column api_v1.onboarding_screen.image is 'Its image: where it is and what it shows.';
comment on column api_v1.onboarding_screen.document is 'What a reader gets, as JSON.';

comment on table api_v1.text is 'Texts by key, one row for each language.';
comment on column api_v1.text.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.text.locale is 'The language, such as en or pt-BR.';
comment on column api_v1.text.key is 'The name that apps and sites ask for.';
comment on column api_v1.text.section is 'Which part of the product it belongs to.';
comment on column api_v1.text.format is 'plain or markdown.';
comment on column api_v1.text.value is 'What it says.';
comment on column api_v1.text.placeholders is 'The placeholders that it may use, without their braces.';
comment on column api_v1.text.needed is 'The placeholders that it must use.';
comment on column api_v1.text.used is 'The placeholders that it uses.';
comment on column api_v1.text.document is 'What a reader gets, as JSON.';

comment on table api_v1.setting is 'Settings: what apps obey without a new build.';
comment on column api_v1.setting.id is 'The id of the entry; it never changes and is never used again.';
comment on column api_v1.setting.key is 'The name that apps ask for.';
comment on column api_v1.setting.section is 'Which part of the product it belongs to.';
comment on column api_v1.setting.kind is 'integer, number, boolean, text, list or choice.';
comment on column api_v1.setting.value is 'The value, as JSON of its kind.';
comment on column api_v1.setting.minimum is 'The least a number may be, inclusive; null where nothing limits it.';
comment on column api_v1.setting.maximum is 'The most a number may be, inclusive; null where nothing limits it.';
comment on column api_v1.setting.document is 'What a reader gets, as JSON.';

grant select on api_v1.onboarding_set, api_v1.onboarding_screen, api_v1.text, api_v1.setting to @reader@, @daemon@, @guest@;

reset role;
