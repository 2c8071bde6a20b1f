-- Roles as data: named sets of permissions. Four come with the program; teams add their own.
set local role @owner@;

create table ops.role (
    name text primary key constraint role_name check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
    label text not null constraint role_label check (length(label) between 1 and 60),
    permissions text[] not null constraint role_permissions check (
        permissions <@ '{read_queue,decide,suggest,edit,approve,create_release,publish,administer}'
        and array_position(permissions, null) is null),
    -- Every page for staff requires it.
    constraint role_read_queue check ('read_queue' = any(permissions)),
    is_preset boolean not null default false,
    created_at timestamptz not null default now()
);

insert into ops.role (name, label, permissions, is_preset) values
    ('curator', 'Curator', '{read_queue,decide,suggest}', true),
    ('editor', 'Editor', '{read_queue,decide,suggest,edit,approve,create_release}', true),
    ('publisher', 'Publisher', '{read_queue,decide,suggest,edit,approve,create_release,publish}', true),
    ('administrator', 'Administrator', '{read_queue,decide,suggest,edit,approve,create_release,publish,administer}', true);
select ops.audit_changes('ops.role');
-- Before: afterwards, a role that gives itself a permission would already have it.
create trigger administrators_only before insert or update or delete on ops.role
    for each statement execute function ops.require_administrator_event();
create trigger keep_presets before update or delete on ops.role for each row when (old.is_preset)
    execute function ops.keep_preset_role();
create trigger require_administrator after update of permissions on ops.role for each row
    when ('administer' = any(old.permissions) and not 'administer' = any(new.permissions))
    execute function ops.require_administrator();

drop trigger require_administrator on ops.account;
create trigger require_administrator after update of role, disabled_at on ops.account for each row
    when (old.disabled_at is null) execute function ops.require_administrator();

alter table ops.account drop constraint account_role,
    add constraint account_role foreign key (role) references ops.role (name);
alter table curation.queue_item drop constraint queue_item_assigned_role,
    add constraint queue_item_assigned_role foreign key (assigned_role) references ops.role (name);
alter table curation.review_stage drop constraint review_stage_role,
    add constraint review_stage_role foreign key (role) references ops.role (name);

grant select, delete on ops.role to @daemon@;
grant insert (name, label, permissions), update (label, permissions) on ops.role to @daemon@;

reset role;
