-- What the rows of the projections of lists depend on, like Projections/dependencies.sql of the core.

-- The entry itself.
insert into projection.dependency (projection, cause, rule) values
    ('list', 'list', 'itself');

-- All entries of these kinds, if one of these settings changed.
insert into projection.dependency (projection, cause, rule, kinds, watched) values
    ('search', 'setting', 'setting', '{list}', '{preview.characters}');

-- Written by hand: these functions return the keys.
insert into projection.dependency (projection, cause, rule, function) values
    ('catalog_item', 'list', 'function', 'projection.catalog_item_by_list'),
    ('catalog_item', 'catalog', 'function', 'projection.catalog_item_by_catalog'),
    ('catalog_item', 'setting', 'function', 'projection.catalog_item_by_setting'),
    ('list', 'catalog', 'function', 'projection.list_by_catalog'),
    ('list_item', 'list', 'function', 'projection.list_item_by_list'),
    ('list_item', 'catalog', 'function', 'projection.list_item_by_catalog');
