-- What the rows of the calendar depend on.

-- The event itself.
insert into projection.dependency (projection, cause, rule) values
    ('calendar_event', 'event', 'itself');

-- Events that refer to a venue, when its name or address changes, or when it is published or unpublished.
insert into projection.dependency (projection, cause, rule, kinds, field, watched) values
    ('calendar_event', 'venue', 'referrers', '{event}', 'venue', '{title,address}');
