-- What imported submissions call their source, such as the title of a feed.
set local role @owner@;

-- null: the name of the client is the source's
alter table curation.submission add column source_name text constraint submission_source_name
    check (char_length(source_name) between 1 and 100);
-- a copy, like the title: lists read nothing else
alter table curation.queue_item add column source_name text;
create index submission_source_name on curation.submission (source_name) where source_name is not null;
create index queue_item_source_name on curation.queue_item (source_name, received_at, submission_id)
    where source_name is not null;

reset role;
