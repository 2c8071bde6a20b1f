-- What a bundle brings without its secrets waits for new ones; and nothing is without a note.
set local role @owner@;

-- A webhook that came without its secret is not told anything before it has a new one.
alter table ops.webhook add constraint webhook_active_has_secret check (state <> 'active' or length(secret) > 0);

-- Every version says what it is about (B2); where nobody wrote it, the program does.
alter table curation.revision alter note set default 'made',
    add constraint revision_note_given check (note ~ '\S');

reset role;
