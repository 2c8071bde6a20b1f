-- What the rows of each projection depend on: every reason for which a publication may change them, by its cause
-- (curation.causes, or any). projection.affected_keys generates the query for the keys of each.

-- The entry itself.
insert into projection.dependency (projection, cause, rule) values
    ('category_group', 'category_group', 'itself'),
    ('discover', 'category', 'itself'),
    ('discover', 'feed', 'itself'),
    ('feed', 'feed', 'itself'),
    ('item', 'item', 'itself'),
    ('offline_manifest', 'feed', 'itself'),
    ('onboarding_set', 'onboarding_set', 'itself'),
    ('search', 'any', 'itself'),
    ('setting', 'setting', 'itself');

insert into projection.dependency (projection, cause, rule, watched) values
    ('tombstone', 'added_or_removed', 'itself', '{}');

-- Entries that refer to it and show some of it.
insert into projection.dependency (projection, cause, rule, kinds, field, watched) values
    ('category', 'category_group', 'referrers', '{category}', 'group', null);

-- Members of categories: of changed ones, of those merged into them, and of merged and unmerged ones.
insert into projection.dependency (projection, cause, rule, kinds, field) values
    ('feed', 'category', 'members', '{feed}', 'categories'),
    ('item', 'category', 'members', '{item}', 'categories');

-- Entries whose member count changed.
insert into projection.dependency (projection, cause, rule, kinds) values
    ('category', 'recount_categories', 'counted', '{category}'),
    ('discover', 'recount_categories', 'counted', '{category}'),
    ('feed', 'recount_feeds', 'counted', '{feed}'),
    ('offline_manifest', 'recount_feeds', 'counted', '{feed}'),
    ('search', 'recount_categories', 'counted', '{category}');

-- All entries of these kinds, if one of these settings changed.
insert into projection.dependency (projection, cause, rule, kinds, watched) values
    ('category', 'setting', 'setting', '{category}', '{categories.include_empty}'),
    ('discover', 'setting', 'setting', '{category}', '{categories.include_empty}'),
    ('discover', 'setting', 'setting', '{feed}', '{preview.characters}'),
    ('feed', 'setting', 'setting', '{feed}', '{preview.characters}'),
    ('item', 'setting', 'setting', '{item}', '{preview.characters}'),
    ('search', 'setting', 'setting', '{category}', '{categories.include_empty}'),
    ('search', 'setting', 'setting', '{item,feed}', '{preview.characters}');

-- Written by hand: these functions return the keys.
insert into projection.dependency (projection, cause, rule, function) values
    ('category', 'category', 'function', 'projection.category_by_category'),
    ('category', 'merge', 'function', 'projection.category_by_merge'),
    ('category_member', 'any', 'function', 'projection.category_member_by_any'),
    ('category_member', 'category', 'function', 'projection.category_member_by_category'),
    ('category_member', 'merge', 'function', 'projection.category_member_by_merge'),
    ('feed', 'merge', 'function', 'projection.merge_affected_feeds'),
    ('feed', 'offline', 'function', 'curation.feeds_with_changed_images'),
    ('feed', 'recount_categories', 'function', 'projection.recounted_category_feeds'),
    ('feed_item', 'feed', 'function', 'projection.feed_item_by_feed'),
    ('feed_item', 'item', 'function', 'projection.feed_item_by_item'),
    ('feed_item', 'merge', 'function', 'projection.merge_affected_feed_items'),
    ('item', 'feed', 'function', 'projection.item_by_feed'),
    ('item', 'merge', 'function', 'projection.item_by_merge'),
    ('media', 'any', 'function', 'projection.media_by_any'),
    ('offline_file', 'feed', 'function', 'projection.offline_file_by_feed'),
    ('offline_file', 'merge', 'function', 'projection.offline_file_by_merge'),
    ('offline_file', 'offline', 'function', 'projection.offline_file_by_offline'),
    ('offline_manifest', 'merge', 'function', 'projection.merge_affected_feeds'),
    ('offline_manifest', 'offline', 'function', 'curation.feeds_with_changed_images'),
    ('offline_manifest', 'recount_categories', 'function', 'projection.recounted_category_feeds'),
    ('onboarding_screen', 'onboarding_set', 'function', 'projection.onboarding_screen_by_onboarding_set'),
    ('redirect', 'any', 'function', 'projection.redirect_by_any'),
    ('redirect', 'category', 'function', 'projection.redirect_by_category'),
    ('search', 'category', 'function', 'projection.category_by_category'),
    ('search', 'merge', 'function', 'projection.category_by_merge'),
    ('text', 'text', 'function', 'projection.text_by_text');
