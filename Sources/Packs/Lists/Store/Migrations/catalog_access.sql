-- Who may change catalog items, as core/access does for the core.
set local role @owner@;

select ops.govern('curation.catalog_item', 'suggest,decide', 'none');

reset role;
