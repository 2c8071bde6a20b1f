-- Items by language and content type, and by title: a column and indexes.
set local role @owner@;

alter table api_v1.item add column locale text collate "C";
update api_v1.item i set locale = r.content ->> 'locale'
from curation.live l join curation.revision r on r.id = l.revision_id
where l.entry_id = i.id and r.content ? 'locale';

create index item_type on api_v1.item (type, age, id);
create index item_locale on api_v1.item (locale, type, age, id) where locale is not null;
-- The beginning of the title, short enough for a cursor.
create index item_title_order on api_v1.item ((left(title, 80) collate "und-x-icu"), id);
create index item_type_title on api_v1.item (type, (left(title, 80) collate "und-x-icu"), id);
create index item_locale_title on api_v1.item (locale, type, (left(title, 80) collate "und-x-icu"), id)
    where locale is not null;
create index category_member_type on api_v1.category_member (category_id, type, age, member_id) where age is not null;

comment on column api_v1.item.locale is 'Language, such as de-AT: the field locale of its content type; null without one.';

reset role;
