-- Entries, their immutable revisions, approvals, and the published revisions.
set local role @owner@;

-- Entries: the identity of published or publishable content. The content is in their revisions.
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
-- For selecting rare kinds among many items.
create index entry_by_kind on curation.entry (kind, id) where kind <> 'item';
select ops.audit_changes('curation.entry');
-- There are exactly two category groups.
create trigger limit_category_groups after insert on curation.entry
    for each row execute function curation.limit_category_groups();
create trigger keep_category_groups after delete on curation.entry
    for each row when (old.kind = 'category_group') execute function curation.limit_category_groups();

-- Immutable versions of entries.
create table curation.revision (
    id uuid primary key default curation.uuid_v7(),
    entry_id uuid not null constraint revision_entry references curation.entry (id),
    number integer not null constraint revision_number check (number > 0),
    content jsonb not null constraint revision_content_object check (jsonb_typeof(content) = 'object'),
    preview jsonb not null constraint revision_preview_object check (jsonb_typeof(preview) = 'object'),
    plain text not null default '',
    -- the sanitized HTML of Markdown by the path of its value (B61); null if there is none
    html jsonb constraint revision_html_object check (jsonb_typeof(html) = 'object'),
    content_hash bytea not null constraint revision_content_hash check (length(content_hash) = 32),
    author_id uuid not null constraint revision_author references ops.actor (id),
    -- what changed (B2); the program writes a note when nobody did
    note text not null default 'created' constraint revision_note check (length(note) <= 2000),
    created_at timestamptz not null default now(),
    constraint revision_once unique (entry_id, number),
    constraint revision_of_entry unique (id, entry_id),
    constraint revision_note_given check (note ~ '\S')
)
-- A publication reads its revisions several times; compressed content would be decompressed each time.
with (toast_tuple_target = 4080);
create index revision_titles on curation.revision using gin (to_tsvector('simple', coalesce(content ->> 'title', '')));
-- Finds imported routes by file, so that a repeated import updates them.
create index revision_by_source on curation.revision ((content ->> 'source')) where content ? 'path';
-- Settings and texts are read by key.
create index revision_by_key on curation.revision ((content ->> 'key')) where content ? 'key';
select ops.audit_changes('curation.revision');
create constraint trigger within_scope after insert on curation.revision deferrable initially deferred
    for each row execute function ops.check_revision_scope();

-- Entries that a revision references, per field. Derived from the content when the revision is created. A counted
-- reference can be counted per entry of another field too (within_entry_id), such as the places of a category per city.
create table curation.reference (
    revision_id uuid not null constraint reference_revision references curation.revision (id),
    field text not null,
    position integer not null,
    target_entry_id uuid not null constraint reference_target references curation.entry (id),
    counted boolean not null default false,
    within_entry_id uuid,
    primary key (revision_id, field, position),
    constraint reference_target_once unique (revision_id, field, target_entry_id)
);
create index reference_by_target on curation.reference (target_entry_id, field, revision_id);
create index reference_within on curation.reference (revision_id) where within_entry_id is not null;
create trigger check_archived after insert on curation.reference
    referencing new table as added for each statement execute function curation.check_archived_references();
-- Every publication of items checks for category feeds.
create index reference_source_category on curation.reference (target_entry_id) where field = 'source_category';

-- Owner of each slug: the first entry that used it, permanently, so that an old URL never leads to another entry.
create table curation.slug (
    kind text not null,
    slug text not null constraint slug_form check (slug ~ '^[^\s/?#%]{1,80}$'),
    entry_id uuid not null constraint slug_entry references curation.entry (id),
    published_in bigint,
    primary key (kind, slug)
);
create index slug_by_entry on curation.slug (entry_id);

-- IDs of entries in external sources, so that a repeated import updates entries instead of duplicating them.
create table curation.external_id (
    type text not null constraint external_id_type references curation.content_type (name),
    source text not null constraint external_id_source check (length(source) between 1 and 200),
    external_id text not null constraint external_id_text check (length(external_id) between 1 and 300),
    entry_id uuid not null constraint external_id_entry references curation.entry (id),
    primary key (type, source, external_id)
);
create index external_id_by_entry on curation.external_id (entry_id);
select ops.audit_changes('curation.external_id');

-- Approvals of revisions, one per person and stage.
create table curation.approval (
    revision_id uuid not null constraint approval_revision references curation.revision (id),
    stage integer not null default 1 constraint approval_stage check (stage between 1 and 9),
    actor_id uuid not null constraint approval_actor references ops.actor (id),
    actor_role text,
    approved_at timestamptz not null default clock_timestamp(),
    primary key (revision_id, stage, actor_id)
);
select ops.audit_changes('curation.approval');
create constraint trigger within_scope after insert on curation.approval deferrable initially deferred
    for each row execute function ops.check_revision_scope();

-- Revisions that can be published. A trigger requires the approvals of the content type first.
create table curation.publish_approval (
    revision_id uuid primary key,
    entry_id uuid not null,
    approved_at timestamptz not null default clock_timestamp(),
    constraint publish_approval_of_entry unique (revision_id, entry_id),
    constraint publish_approval_revision foreign key (revision_id, entry_id) references curation.revision (id, entry_id)
);
select ops.audit_changes('curation.publish_approval');
create trigger check_approvals before insert on curation.publish_approval
    for each row execute function curation.check_publish_approval();
create trigger ready after insert on curation.publish_approval for each row execute function curation.mark_ready();
create trigger fetch_images after insert on curation.publish_approval
    for each row execute function curation.fetch_approved_images();

-- Approved revisions awaiting publication: the newest per entry. Deleted when published or superseded.
create table curation.ready (
    entry_id uuid primary key,
    revision_id uuid not null,
    since timestamptz not null default clock_timestamp(),
    constraint ready_approved foreign key (revision_id, entry_id) references curation.publish_approval (revision_id, entry_id)
);

-- Published revisions, one per entry. Only publications write to this table.
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
-- A rare kind among many items must not be estimated as zero or one row: such plans read everything once per row.
alter table curation.live alter column kind set statistics 1000;
select ops.audit_changes('curation.live');
create trigger keep_category_groups after delete on curation.live
    for each row execute function curation.limit_category_groups();
create trigger check_images after insert on curation.live
    referencing new table as shown for each statement execute function curation.check_live_images();
create trigger check_changed_images after update on curation.live
    referencing new table as shown for each statement execute function curation.check_live_images();
create trigger check_playlists after insert on curation.live
    referencing new table as shown for each statement execute function curation.check_live_playlists();
create trigger check_changed_playlists after update on curation.live
    referencing new table as shown for each statement execute function curation.check_live_playlists();
create trigger check_image_hosts after insert on curation.live
    referencing new table as shown for each statement execute function curation.check_live_image_hosts();
create trigger check_changed_image_hosts after update on curation.live
    referencing new table as shown for each statement execute function curation.check_live_image_hosts();
create trigger replace_stored_images after insert on curation.live
    referencing new table as shown for each statement execute function curation.replace_stored_images();
create trigger replace_changed_stored_images after update on curation.live
    referencing new table as shown for each statement execute function curation.replace_stored_images();

grant select, insert on curation.entry, curation.revision, curation.reference, curation.slug, curation.external_id,
    curation.approval, curation.publish_approval to @daemon@;
grant select, insert, update, delete on curation.ready to @daemon@;
grant select on curation.live to @daemon@;

reset role;
