-- The banner of every page counts failed mails, however many webhook deliveries failed.
set local role @owner@;

create index mail_failed on ops.outbox_message (id) where state = 'failed' and webhook_id is null;

reset role;
