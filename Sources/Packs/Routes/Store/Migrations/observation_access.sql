-- Who may change observations, as core/access does for the core.
set local role @owner@;

select ops.govern('curation.validity_period', 'publish', 'unrestricted');
select ops.govern('curation.observation', 'publish', 'unrestricted');
select ops.govern('curation.observation_history', 'publish', 'unrestricted');
select ops.govern('curation.postcode', 'publish', 'unrestricted');

reset role;
