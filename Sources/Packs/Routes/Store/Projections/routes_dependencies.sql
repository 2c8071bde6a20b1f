-- What the rows of the projections of routes depend on, like Projections/dependencies.sql of the core.

-- The entry itself.
insert into projection.dependency (projection, cause, rule) values
    ('badge', 'badge', 'itself'),
    ('route', 'route', 'itself');

-- All entries of these kinds, if one of these settings changed.
insert into projection.dependency (projection, cause, rule, kinds, watched) values
    ('route', 'setting', 'setting', '{route}', '{preview.characters}'),
    ('search', 'setting', 'setting', '{route}', '{preview.characters}');

-- Written by hand: these functions return the keys.
insert into projection.dependency (projection, cause, rule, function) values
    ('badge', 'text', 'function', 'projection.badge_by_text'),
    ('route', 'observation', 'function', 'projection.route_by_observation'),
    ('route', 'setting', 'function', 'projection.route_by_observation'),
    ('route_badge', 'observation', 'function', 'projection.route_badge_by_observation'),
    ('route_badge', 'observation', 'function', 'projection.route_badge_by_setting'),
    ('route_badge', 'route', 'function', 'projection.route_badge_by_route'),
    ('route_badge', 'setting', 'function', 'projection.route_badge_by_setting');
