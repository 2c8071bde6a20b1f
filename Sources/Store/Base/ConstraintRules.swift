// What to say when a named constraint of the schema refuses: one row per constraint a person can run into.
import Domain

package enum ConstraintRules {
    typealias Rule = @Sendable (_ databaseMessage: String) -> Failure

    static func rule(for constraint: String) -> Rule? { rules[constraint] }

    /// What to say for a message of PostgreSQL that names one of the constraints, as `… constraint "item_category"`.
    package static func sentence(for message: String) -> String {
        let names = message.split(separator: "\"").map(String.init)
        return names.lazy.compactMap { rules[$0]?(message).sentence }.first ?? message
    }

    private static let rules: [String: Rule] = [
        "account_email_once": field("/email", "taken", "There is an account with this email address already."),
        "account_email": field("/email", "format", "Write an email address such as name@example.org."),
        "client_per_minute": field(
            "/per_minute", "range", "A limit is a number from 1 to 1,000,000; leave it empty for none."),
        "account_scope": { .forbidden($0.prefix(1).uppercased() + $0.dropFirst() + ".") },
        "second_factor_step_once": field("/code", "used", "This code was used before. Wait for the next one."),
        "slug_owner": saying("slug_owner"),
        "slug_form": field("/fields/slug", "format", "An address may hold letters, digits and hyphens only."),
        "decision_once": conflict("already_decided", "Someone else has decided this meanwhile."),
        "decision_undone_once": conflict("already_undone", "This decision has been undone already."),
        "decision_resubmitted_once": conflict("already_resubmitted", "This was answered already. Nothing was sent twice."),
        "decision_one_appeal": conflict(
            "appealed_before", "An appeal was sent before. There is one for each submission, and it has been read."),
        "decision_appeal_has_text": field("/text", "required", "Say why it should be looked at again."),
        "decision_appeal_by_another": refused(
            "You rejected this, so somebody else decides about the appeal, or an administrator."),
        "submission_contributor_email": field(
            "/contributor_email", "format", "Write an email address such as name@example.org."),
        "submission_contributor_locale": field("/contributor_locale", "format", LanguageTag.form),
        "decision_reject_has_reason": field("/reason", "required", "Choose a reason for rejecting."),
        "decision_duplicate_names_original": field(
            "/duplicate_of", "required", "Name the submission or the entry that this is a duplicate of."),
        "decision_own_original": field("/duplicate_of", "choice", "Nothing is a duplicate of itself."),
        "decision_original_is_duplicate": field(
            "/duplicate_of", "choice", "That is marked as a duplicate itself. Name its original."),
        "decision_original_submission": field("/duplicate_of", "reference", "There is no submission with this id."),
        "decision_original_entry": field("/duplicate_of", "reference", "There is no entry with this id."),
        "queue_item_priority": field("/priority", "choice", "A priority is urgent, high, normal or low."),
        "queue_item_assigned_to": field("/assignee", "reference", "There is no account with this id."),
        "queue_item_assigned_once": field("/assignee", "choice", "Name one person or one role, not both."),
        "queue_item_assigned_role": field("/assignee", "choice", "There is no such role."),
        "screening_activation_tried": refused("Try this version on past decisions first; then it can be switched on."),
        "screening_rules_note": field("/note", "required", "Say what changes and why, in at most 500 characters."),
        "decision_needs_approvals": refused("More people have to agree before this is accepted. Its page says who."),
        "submission_approval_own": refused("Nobody agrees to what they sent in themselves."),
        "submission_approval_once": conflict(
            "already_approved", "You have agreed already. Somebody else has to agree, too."),
        "submission_approval_role": refused("This stage is decided by others. Its page says who."),
        "submission_approval_order": refused(
            "An earlier stage is open, or the stages were changed. Load the page again."),
        "submission_approval_waiting": conflict("already_decided", "This submission was decided meanwhile."),
        "review_stage_once": conflict("stale", "Somebody else changed these stages meanwhile."),
        "review_stage_type": field("/scope", "choice", "There is no content type of this name."),
        "review_stage_group": field("/scope", "reference", "There is no category group with this id."),
        "note_text": field("/text", "required", "Write something, at most 2000 characters."),
        "bulk_action_item_position": refused("At most 5,000 can be done at once. Narrow the filter, or do it in parts."),
        "saved_view_once": field("/name", "taken", "You have a view of this name already."),
        "saved_view_name": field("/name", "too_long", "A name has 1 to 60 characters."),
        "saved_view_query": field("/query", "too_long", "This address is too long to be kept."),
        "decision_request_changes_has_message": field("/message", "required", "Write what has to change."),
        "entry_submission_once": conflict("entry_exists", "This submission has become an entry already."),
        "revision_once": conflict("stale", "Someone else has saved a newer version meanwhile."),
        "reference_target": field("/fields", "reference", "One of the chosen entries does not exist."),
        "reference_target_once": field("/fields", "reference", "The same entry is chosen twice."),
        "publish_approval_approvals": refused("More people have to agree before this version is approved."),
        "publish_approval_pkey": conflict("already_approved", "This version is approved already."),
        "live_approved": refused("Only an approved version can be published."),
        "entry_two_category_groups": refused("There are exactly two category groups; a third cannot be made."),
        "live_two_category_groups": refused("A category group cannot be withdrawn; there are exactly two."),
        "item_category": refused(
            "Every published item needs at least one live category. Give its members another category first."),
        "feed_tier": field("/fields/tier", "choice", "A feed is free or premium."),
        "item_tier": field("/fields/tier", "choice", "An item is free or premium."),
        "video_source": refused("A video needs a provider's id or an HLS address before it can be published."),
        "video_provider_complete": refused(
            "A video that a provider holds needs the provider, the account there and the id there, all three."),
        "live_video_playlist": saying("playlist"),
        "offline_file_stored": saying("media_file"),
        "offline_manifest_version": refused("The manifest of a feed has a version of 64 hexadecimal digits."),
        "offline_manifest_requires": refused("Keeping a feed offline needs a premium subscription."),
        "offline_manifest_file_count": refused("A manifest cannot have fewer than no files."),
        "offline_manifest_bytes": refused("A manifest with files has bytes, and one without has none."),
        "offline_file_path": refused("Only files of the media library can be kept offline."),
        "offline_file_bytes": refused("A file that can be kept offline has at least one byte."),
        "offline_file_sha256": refused("A file that can be kept offline has a checksum of 64 hexadecimal digits."),
        "offline_file_requires": refused("Keeping a feed offline needs a premium subscription."),
        "live_image_ours": saying("media_elsewhere"),
        "video_hls_https": refused("A video's HLS address must begin with https://."),
        "merged_circle": saying("merged_circle"),
        "category_merge_elsewhere": refused("A category cannot be merged into itself."),
        "category_slug_once": refused("Another live category has this address."),
        "feed_slug_once": refused("Another live feed has this address."),
        "item_slug_once": refused("Another live item has this address."),
        "category_group_number_once": refused("The two category groups have the numbers 1 and 2, one each."),
        "external_id_pkey": conflict("busy", "Another import makes the same things now. Try again."),
        "place_city": refused(
            "Every published place needs a live city. Publish the city with it, or move its places to another first."),
        "place_category": refused(
            "Every published place needs at least one live category. Give its members another category first."),
        "place_address": field("/fields/address", "required", "A place needs an address before it can be published."),
        "place_image": field("/fields/image", "required", "A place needs an image before it can be published."),
        "place_lat": field("/fields/point", "required", "A place needs a latitude from -90 to 90."),
        "place_lon": field("/fields/point", "required", "A place needs a longitude from -180 to 180."),
        "promotion_ends_later": field("/fields/ends_at", "too_small", "A promotion must end later than it starts."),
        "place_slug_once": refused("Another live place has this address."),
        "city_slug_once": refused("Another live city has this address."),
        "promotion_slug_once": refused("Another live promotion has this address."),
        "onboarding_set_key_once": field(
            "/fields/key", "taken", "Another live onboarding set has this key in this language."),
        "onboarding_set_enough_screens": field(
            "/fields/screens", "too_short", "An onboarding set needs more screens than that before readers see it."),
        "onboarding_set_not_too_many_screens": field(
            "/fields/screens", "too_long", "An onboarding set has more screens than readers may see."),
        "onboarding_screen_text": field("/fields/screens", "required", "A screen of an onboarding set has no text."),
        "onboarding_screen_image": field(
            "/fields/screens", "required", "A screen of an onboarding set has no image."),
        "text_key_once": field("/fields/key", "taken", "Another live text has this key."),
        "text_locale_once": field("/fields/values", "duplicate", "A text is there twice in one language."),
        "text_value": field("/fields/values", "required", "A language of this text has no words."),
        "text_placeholders_allowed": field(
            "/fields/values", "placeholder", "A text uses a placeholder that is not among those it may use."),
        "text_placeholders_required": field(
            "/fields/values", "placeholder", "A placeholder that must be in the text is missing in a language."),
        "text_invitation": field(
            "/fields/values", "placeholder",
            "The text mail.invitation needs {name} and {link} in every language, and may use no other placeholder."),
        "text_password_reset": field(
            "/fields/values", "placeholder",
            "The text mail.password_reset needs {link} in every language; it may use {name} and no other placeholder."),
        "text_release_failed": field(
            "/fields/values", "placeholder",
            "The text mail.release_failed needs {reason}; it may use {name}, {title} and {link} and no other placeholder."
        ),
        "text_outcome_approved": field(
            "/fields/values", "placeholder",
            "The text mail.outcome_approved may use {name}, {title} and {link} and no other placeholder."),
        "text_outcome_rejected": field(
            "/fields/values", "placeholder",
            "The text mail.outcome_rejected needs {reason}; it may use {name}, {title}, {link} and {message}."),
        "text_outcome_changes_requested": field(
            "/fields/values", "placeholder",
            "The text mail.outcome_changes_requested needs {link}; it may use {name}, {title} and {message}."),
        "account_last_administrator": refused(
            "This is the last administrator who can sign in. Make another one first."),
        "account_locale": field("/locale", "format", LanguageTag.form),
        "setting_key_once": field("/fields/key", "taken", "Another live setting has this key."),
        "setting_value": field("/fields/value", "type", "The value of a setting is not of its kind."),
        "setting_minimum": field(
            "/fields/value", "too_small", "The value of a setting is less than the least allowed."),
        "setting_maximum": field(
            "/fields/value", "too_large", "The value of a setting is more than the greatest allowed."),
        "observation_slot_overlap": refused(
            "There are facts of this kind and city for times that cross these, such as a day and one of its hours. Give "
                + "the times as they were given before, or name another city."),
        "observation_slot_times": refused("A fact ends after it begins, and lasts 31 days at most."),
        "route_multipliers": refused(
            "A badge must count more than 1, and both badges more than either alone (routes.multiplier.…)."),
        "route_slug_once": refused("Another live route has this address."),
        "badge_key_once": refused("Another live badge has this key."),
        "release_published_once": conflict(
            "release_finished", "This release has been published or canceled meanwhile."),
        "live_media_file": saying("media_file"),
        "live_media_alt": saying("media_alt"),
        "media_use_media": field("/fields", "reference", "One of the chosen images is not in the store any more."),
        "media_alt_length": field("/alt", "too_long", "At most 500 characters are allowed."),
        "media_focus_x": field("/focus_x", "format", "Write a number from 0 to 100."),
        "media_focus_y": field("/focus_y", "format", "Write a number from 0 to 100."),
        "submission_type": field("/type", "choice", "There is no content type of this name."),
        "catalog_use_item": field(
            "/fields/items", "reference", "One of the items is in no catalog (any more). Look it up again."),
        "catalog_use_once": field("/fields/items", "duplicate", "The same item is in the list twice."),
        "list_not_empty": field(
            "/fields/items", "required", "A list needs at least one item before it can be published."),
        "list_slug_once": refused("Another live list has this address."),
        "catalog_item_taken": saying("catalog_item_taken"),
        "catalog_item_known": saying("catalog_item_known"),
        "item_title": field("/fields/title", "required", "An item needs a title."),
        "video_tier": field("/fields/tier", "choice", "A video is free or premium."),
        "feed_access": field("/fields/tier", "choice", "What a feed asks for follows from free or premium."),
        "item_access": field("/fields/tier", "choice", "What an item asks for follows from free or premium."),
        "city_name": field("/fields/title", "required", "A city needs a name."),
        "city_lat": field("/fields/center", "required", "A city needs a latitude from -90 to 90."),
        "city_lon": field("/fields/center", "required", "A city needs a longitude from -180 to 180."),
        "place_name": field("/fields/title", "required", "A place needs a name."),
        "promotion_name": field("/fields/title", "required", "A promotion needs a name."),
        "category_group_number": field("/fields/number", "choice", "The two category groups have the numbers 1 and 2."),
        "text_format": field("/fields/format", "choice", "A text is plain or markdown."),
        "setting_kind": field(
            "/fields/kind", "choice", "A setting is an integer, a number, a boolean, a text, a list or a choice."),
        "route_distance": field("/fields/path", "too_short", "A route must be longer than nothing."),
        "route_badge_badge": field("/fields/slug", "choice", "Badges are heart and zoom."),
        "route_badge_times": refused("A reading ends after it begins."),
        "api_media_alt": saying("media_alt"),
        "catalog_item_source_once": refused("Two things of a catalog have the same id at their source."),
        "catalog_item_details_object": refused("What a source says of a thing is a set of named values."),
        // Only a fault of ours or a hand in the database can meet these.
        "event_name": broken, "event_once": broken, "change_operation": broken, "category_count": broken,
        "category_city_count_not_empty": broken,
        "city_place_count": broken, "route_badge_result": broken, "list_item_checked_by_readers": broken,
        "list_item_id_once": broken, "api_media_bytes": broken, "api_media_width": broken, "api_media_height": broken,
        "revision_note_given": field("/note", "required", "Say in a note what changed."),
        "webhook_active_has_secret": refused(
            "This webhook has no secret: it came with an import. Make one first (\"webhook rotate\")."),
        "content_type_four_eyes": refused("The author of a version may not approve it."),
    ]

    private static let broken = refused(
        "The read tables do not hold together, so nothing was published. Run \"vitrine publish verify\", and tell the operator."
    )

    private static func field(_ pointer: String, _ code: String, _ message: String) -> Rule {
        { _ in .invalid(FieldErrors(pointer, code, message)) }
    }

    private static func conflict(_ code: String, _ message: String) -> Rule {
        { _ in .conflict(code: code, message: message) }
    }

    private static func refused(_ message: String) -> Rule {
        { _ in .refused(code: "rule", message: message) }
    }

    /// Where the database's own sentence names the offender.
    private static func saying(_ code: String) -> Rule {
        { .refused(code: code, message: $0.prefix(1).uppercased() + $0.dropFirst() + ".") }
    }
}
