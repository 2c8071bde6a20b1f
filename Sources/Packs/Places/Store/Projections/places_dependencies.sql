-- What the rows of the projections of places depend on, like Projections/dependencies.sql of the core.

-- The entry itself.
insert into projection.dependency (projection, cause, rule) values
    ('city', 'city', 'itself'),
    ('place', 'place', 'itself'),
    ('place_review', 'review', 'itself'),
    ('promotion', 'promotion', 'itself');

-- What it refers to, before and after.
insert into projection.dependency (projection, cause, rule, field) values
    ('place', 'review', 'references', 'place');

-- Entries that refer to it and show some of it.
insert into projection.dependency (projection, cause, rule, kinds, field, watched) values
    ('place', 'city', 'referrers', '{place}', 'city', '{title,slug}'),
    ('place_review', 'place', 'referrers', '{review}', 'place', '{title,slug}'),
    ('promotion', 'place', 'referrers', '{promotion}', 'place', null),
    ('search', 'place', 'referrers', '{promotion,review}', 'place', '{}');

-- Members of categories: of changed ones, of those merged into them, and of merged and unmerged ones.
insert into projection.dependency (projection, cause, rule, kinds, field) values
    ('place', 'category', 'members', '{place}', 'categories');

-- Entries whose member count changed.
insert into projection.dependency (projection, cause, rule, kinds) values
    ('city', 'recount_city', 'counted', '{city}');

-- All entries of these kinds, if one of these settings changed.
insert into projection.dependency (projection, cause, rule, kinds, watched) values
    ('search', 'setting', 'setting', '{place,promotion,review}', '{preview.characters}');

-- Written by hand: these functions return the keys.
insert into projection.dependency (projection, cause, rule, function) values
    ('category_city_count', 'category', 'function', 'projection.category_city_count_by_category'),
    ('category_city_count', 'city', 'function', 'projection.category_city_count_by_city'),
    ('category_city_count', 'merge', 'function', 'projection.recounted_within'),
    ('category_city_count', 'other', 'function', 'projection.recounted_within'),
    ('category_city_count', 'place', 'function', 'projection.recounted_within');
