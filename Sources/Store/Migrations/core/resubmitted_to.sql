-- Who requested the changes that a resubmission answers: that person is notified of it, and finds it in the queue.
set local role @owner@;

alter table curation.queue_item add column resubmitted_to uuid
    constraint queue_item_resubmitted_to references ops.actor (id);
update curation.queue_item q set resubmitted_to = (
    select o.decided_by from curation.decision d join curation.decision o on o.id = d.resubmits
    where d.submission_id = q.submission_id and d.verdict = 'resubmit' order by d.number desc limit 1)
where q.reopened_by = 'resubmit';
create index queue_item_resubmitted_to on curation.queue_item (resubmitted_to, received_at, submission_id)
    where resubmitted_to is not null;

reset role;
