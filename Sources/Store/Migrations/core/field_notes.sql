-- What a reviewer who requests changes says about single fields.
set local role @owner@;

-- texts by the name of their field
alter table curation.decision add column field_notes jsonb constraint decision_field_notes
    check (field_notes is null or verdict = 'request_changes' and jsonb_typeof(field_notes) = 'object' and field_notes <> '{}');

reset role;
