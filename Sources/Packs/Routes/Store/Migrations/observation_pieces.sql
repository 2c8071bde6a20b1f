-- Observations are published in pieces: the results of a number of routes at a time, so that no publication takes long.
set local role @owner@;

-- The routes up to this one are published.
alter table curation.observation_pending add column after_route uuid;
-- The routes of the piece: after the one, up to the other; null: from the first, to the last.
alter table curation.observation_change add column after_route uuid, add column to_route uuid;

create index validity_period_open on curation.validity_period (city, valid_to) where not is_expired;
comment on column curation.validity_period.is_expired is
    'Readers have no results of it: it is over, or all its observations were deleted.';

grant update on curation.observation_pending to @daemon@;

reset role;
