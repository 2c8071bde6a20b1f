-- Items without a language, which lists in every language contain: indexes like those of items with one.
set local role @owner@;

create index item_any_locale on api_v1.item (type, age, id) where locale is null;
create index item_any_locale_title on api_v1.item (type, (left(title, 80) collate "und-x-icu"), id) where locale is null;

comment on column api_v1.item.locale is
    'Language, such as de-AT: the field locale of its content type; null if it is for readers of all languages.';

reset role;
