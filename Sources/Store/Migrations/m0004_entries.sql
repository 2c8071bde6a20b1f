-- Entries, their immutable revisions, who agreed to them, and what is live.
set local role @owner@;

create table curation.entry (
    id uuid primary key default curation.uuid_v7(),
    type text not null constraint entry_type references curation.content_type (name),
    kind text not null,
    submission_id uuid constraint entry_submission references curation.submission (id),
    created_by uuid not null constraint entry_created_by references ops.actor (id),
    created_at timestamptz not null default now(),
    constraint entry_submission_once unique (submission_id),
    constraint entry_typed unique (id, type, kind)
);
create index entry_by_type on curation.entry (type, id);
-- What is chosen from lists: there are few of them among many items.
create index entry_by_kind on curation.entry (kind, id) where kind <> 'item';

create table curation.revision (
    id uuid primary key default curation.uuid_v7(),
    entry_id uuid not null constraint revision_entry references curation.entry (id),
    number integer not null constraint revision_number check (number > 0),
    content jsonb not null constraint revision_content_object check (jsonb_typeof(content) = 'object'),
    preview jsonb not null constraint revision_preview_object check (jsonb_typeof(preview) = 'object'),
    plain text not null default '',
    content_hash bytea not null constraint revision_content_hash check (length(content_hash) = 32),
    author_id uuid not null constraint revision_author references ops.actor (id),
    note text not null default '' constraint revision_note check (length(note) <= 2000),
    created_at timestamptz not null default now(),
    constraint revision_once unique (entry_id, number),
    constraint revision_of_entry unique (id, entry_id)
);
-- A publication looks into its versions several times, and each look would unpack them anew.
alter table curation.revision set (toast_tuple_target = 4080);
create index revision_titles on curation.revision using gin (to_tsvector('simple', coalesce(content ->> 'title', '')));

-- Which revision names which entry, by which field; derived from the content when the revision is made.
create table curation.reference (
    revision_id uuid not null constraint reference_revision references curation.revision (id),
    field text not null,
    position integer not null,
    target_entry_id uuid not null constraint reference_target references curation.entry (id),
    counted boolean not null default false,
    primary key (revision_id, field, position),
    constraint reference_target_once unique (revision_id, field, target_entry_id)
);
create index reference_by_target on curation.reference (target_entry_id, field, revision_id);

-- Who owns a slug: the first entry that took it, for ever; so that an old address never leads to another thing.
create table curation.slug (
    kind text not null,
    slug text not null constraint slug_form check (slug ~ '^[^\s/?#%]{1,120}$'),
    entry_id uuid not null constraint slug_entry references curation.entry (id),
    published_in bigint,
    primary key (kind, slug)
);
create index slug_by_entry on curation.slug (entry_id);

create table curation.approval (
    revision_id uuid not null constraint approval_revision references curation.revision (id),
    stage integer not null default 1 constraint approval_stage check (stage between 1 and 9),
    actor_id uuid not null constraint approval_actor references ops.actor (id),
    actor_role text,
    approved_at timestamptz not null default clock_timestamp(),
    primary key (revision_id, stage, actor_id)
);

create table curation.publish_approval (
    revision_id uuid primary key,
    entry_id uuid not null,
    approved_at timestamptz not null default clock_timestamp(),
    constraint publish_approval_of_entry unique (revision_id, entry_id),
    constraint publish_approval_revision foreign key (revision_id, entry_id) references curation.revision (id, entry_id)
);

-- An approval stands only on the consents its content type asks for; where it asks four eyes the author's own does not count.
create function curation.publish_approval_requires_approvals() returns trigger language plpgsql as $$
declare
    needed integer;
    given integer;
begin
    select t.consents, count(c.actor_id) filter (where not t.four_eyes or c.actor_id <> r.author_id)
    into needed, given
    from curation.revision r
    join curation.entry e on e.id = r.entry_id
    join curation.content_type t on t.name = e.type
    left join (select distinct revision_id, actor_id from curation.approval) c on c.revision_id = r.id
    where r.id = new.revision_id
    group by t.consents;
    if given < needed then
        perform curation.refuse('publish_approval_approvals', format('%s of %s consents given', given, needed));
    end if;
    return new;
end $$;
create trigger consents before insert on curation.publish_approval
    for each row execute function curation.publish_approval_requires_approvals();

-- Approved revisions that wait to be published: one per entry, the newest; gone when published or superseded.
create table curation.ready (
    entry_id uuid primary key,
    revision_id uuid not null,
    since timestamptz not null default clock_timestamp(),
    constraint ready_approved foreign key (revision_id, entry_id) references curation.publish_approval (revision_id, entry_id)
);
create function curation.publish_approval_marks_ready() returns trigger language plpgsql as $$
begin
    insert into curation.ready (entry_id, revision_id) values (new.entry_id, new.revision_id)
    on conflict (entry_id) do update set revision_id = excluded.revision_id, since = excluded.since
    where (select number from curation.revision where id = excluded.revision_id)
        > (select number from curation.revision where id = ready.revision_id);
    return null;
end $$;
create trigger ready after insert on curation.publish_approval for each row execute function curation.publish_approval_marks_ready();

create table curation.live (
    entry_id uuid primary key,
    revision_id uuid not null,
    type text not null,
    kind text not null,
    constraint live_approved foreign key (revision_id, entry_id) references curation.publish_approval (revision_id, entry_id),
    constraint live_typed foreign key (entry_id, type, kind) references curation.entry (id, type, kind),
    constraint live_revision_once unique (revision_id)
);
create index live_by_kind on curation.live (kind, entry_id) where kind <> 'item';
-- Few of a kind among very many items must not be taken for one or none: a plan made for one category reads everything once
-- for each of them.
alter table curation.live alter column kind set statistics 1000;

-- How many live entries of each type name a target by a counted field; kept by difference, checked by verify.
create table curation.member_count (
    field text not null,
    target_entry_id uuid not null,
    type text not null,
    n bigint not null constraint member_count_positive check (n > 0),
    primary key (field, target_entry_id, type)
);

-- There are exactly two category groups: a third is refused, and neither can be withdrawn.
create function curation.two_category_groups() returns trigger language plpgsql as $$
begin
    if tg_table_name = 'entry' then
        if new.kind = 'category_group' then
            perform pg_advisory_xact_lock(hashtextextended('curation.category_group', 0));
            if (select count(*) from curation.entry where kind = 'category_group') > 2 then
                perform curation.refuse('entry_two_category_groups', 'there are exactly two category groups');
            end if;
        end if;
    elsif old.kind = 'category_group' then
        perform curation.refuse('live_two_category_groups', 'a category group cannot be withdrawn');
    end if;
    return null;
end $$;
create trigger two_category_groups after insert on curation.entry
    for each row execute function curation.two_category_groups();
create trigger category_groups_stay after delete on curation.live
    for each row execute function curation.two_category_groups();
create trigger category_groups_stay after delete on curation.entry
    for each row when (old.kind = 'category_group') execute function curation.two_category_groups();

select ops.govern('curation.entry');
select ops.govern('curation.revision');
select ops.govern('curation.approval');
select ops.govern('curation.publish_approval');
select ops.govern('curation.live');

grant select, insert on curation.entry, curation.revision, curation.reference, curation.slug,
    curation.approval, curation.publish_approval to @daemon@;
grant select, insert, update, delete on curation.ready to @daemon@;
grant select on curation.live, curation.member_count to @daemon@;

reset role;
