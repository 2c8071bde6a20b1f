// Error messages for named database constraints: one row per constraint that a person can violate.
import Domain
import Localization

package enum ConstraintRules {
    typealias Rule = @Sendable (_ databaseMessage: String) -> Failure

    static func rule(for constraint: String) -> Rule? { rules[constraint] }

    /// The message for an error of PostgreSQL that names one of the constraints, as in `… constraint "item_category"`.
    package static func sentence(for message: String) -> String {
        let names = message.split(separator: "\"").map(String.init)
        return names.lazy.compactMap { rules[$0]?(message).sentence }.first ?? message
    }

    /// The English messages, for translators.
    package static var messages: [String] {
        rules.values.map { rule in
            guard case .invalid(let errors) = rule("") else { return rule("").sentence }
            return errors.items.map(\.message).joined()
        }
    }

    private static let rules: [String: Rule] = [
        "account_email_once": field("/email", "taken", "An account with this email address already exists."),
        "account_email": field("/email", "format", "Enter an email address, such as name@example.org."),
        "client_per_minute": field(
            "/per_minute", "range", "Enter a number from 1 to 1,000,000, or leave it empty for no limit."),
        "audit_event_actor": { _ in
            .forbidden(tr("Your session or your API client's secret is no longer valid. Sign in again."))
        },
        "audit_event_administrator": { _ in
            .forbidden(tr("Only administrators without an access scope can do this."))
        },
        "account_scope": { .forbidden($0.prefix(1).uppercased() + $0.dropFirst() + ".") },
        "second_factor_step_once": field("/code", "used", "This code was already used. Wait for the next one."),
        "slug_owner": saying("slug_owner"),
        "slug_form": field("/fields/slug", "format", "A slug can only contain letters, digits and hyphens."),
        "decision_once": conflict("already_decided", "Someone else already decided this."),
        "decision_undone_once": conflict("already_undone", "This decision was already undone."),
        "decision_resubmitted_once": conflict(
            "already_resubmitted", "You already resubmitted this. It was not sent again."),
        "decision_one_appeal": conflict(
            "appealed_before", "This submission was already appealed. Each submission can be appealed once."),
        "decision_appeal_has_text": field("/text", "required", "Enter the reason for your appeal."),
        "decision_appeal_by_another": refused(
            "You rejected this submission. Another person or an administrator must decide the appeal."),
        "submission_form_once": field("/name", "taken", "A submission form with this name already exists."),
        "submission_form_name": field(
            "/name", "format", "Use lowercase letters and digits with single hyphens between words, at most 60."),
        "submission_form_type": field("/type", "choice", "No content type has this name."),
        "submission_form_feed": field("/feed", "reference", "No feed has this ID."),
        "submission_form_origins": field("/origins", "format", "Enter origins, such as https://example.org."),
        "decision_erased": refused("The data of the contributor was erased, so this can't be decided again."),
        "report_case_decided_once": conflict("already_decided", "Someone else already decided these reports."),
        "report_case_note": field("/note", "required", "Enter a note of at most 2,000 characters."),
        "report_case_outcome": field("/outcome", "choice", "Choose one of the outcomes."),
        "report_reason": field("/reason", "choice", "Choose one of the reasons."),
        "report_text": field("/text", "too_long", "Use at most 2,000 characters."),
        "report_reporter_email": field(
            "/reporter_email", "format", "Enter an email address, such as name@example.org."),
        "report_reporter_locale": { _ in
            .invalid(FieldErrors("/reporter_locale", "format", LanguageTag.formatMessage))
        },
        "contributor_trusted_form": refused(
            "Anyone can enter this name in a submission form, so it can't be trusted."),
        "contributor_status_until": field("/until", "past", "This time has passed. Choose a later time."),
        "contributor_status_reason": field("/reason", "required", "Enter a reason."),
        "contributor_pending": refused(
            "Submissions of this contributor are pending. Decide them first; nothing was erased."),
        "decision_field_notes": field(
            "/field_notes", "unknown_field", "Only a request for changes can have notes at fields."),
        "submission_contributor_email": field(
            "/contributor_email", "format", "Enter an email address, such as name@example.org."),
        "submission_contributor_locale": { _ in
            .invalid(FieldErrors("/contributor_locale", "format", LanguageTag.formatMessage))
        },
        "decision_reject_has_reason": field("/reason", "required", "Choose a reason for the rejection."),
        "decision_duplicate_names_original": field(
            "/duplicate_of", "required", "Choose the submission or entry that this duplicates."),
        "decision_own_original": field(
            "/duplicate_of", "choice", "A submission can't be a duplicate of itself. Choose another one."),
        "decision_original_is_duplicate": field(
            "/duplicate_of", "choice", "This is itself a duplicate. Choose its original."),
        "decision_original_submission": field("/duplicate_of", "reference", "No submission has this ID."),
        "decision_original_entry": field("/duplicate_of", "reference", "No entry has this ID."),
        "queue_item_priority": field("/priority", "choice", "Choose urgent, high, normal or low."),
        "queue_item_assigned_to": field("/assignee", "reference", "No account has this ID."),
        "queue_item_assigned_once": field("/assignee", "choice", "Choose a person or a role, not both."),
        "queue_item_assigned_role": role(
            "/assignee", inUse: tr("Submissions are assigned to this role. Assign them to others first.")),
        "screening_activation_tried": refused("Test this version on past decisions before you activate it."),
        "screening_rules_note": field("/note", "required", "Describe what changes and why, in at most 500 characters."),
        "decision_needs_approvals": refused("More people must approve this submission first."),
        "submission_approval_own": refused("You can't approve your own submission."),
        "submission_approval_once": conflict(
            "already_approved", "You already approved this. Another person must approve it too."),
        "submission_approval_role": refused(
            "Your role can't approve this stage."),
        "submission_approval_order": refused(
            "An earlier stage is not complete, or the stages changed."),
        "submission_approval_open": conflict("already_decided", "This submission was already decided."),
        "review_stage_once": conflict("stale", "Someone else changed these stages."),
        "review_stage_type": field("/scope", "choice", "No content type has this name."),
        "review_stage_group": field("/scope", "reference", "No category group has this ID."),
        "note_text": field("/text", "required", "Enter a note of at most 2,000 characters."),
        "mention_scope": field("/text", "mention", "Mention only people who can see what the note is about."),
        "bulk_action_item_position": refused(
            "You can change at most 5,000 submissions or entries at once. Use a narrower filter."),
        "saved_view_once": field("/name", "taken", "You already have a view with this name."),
        "saved_view_name": field("/name", "too_long", "Enter a name of 1 to 60 characters."),
        "autosave_fields": field(
            "/fields", "too_long", "At most 4 MiB are saved while you type. Save the form itself."),
        "autosave_form": field("/form", "format", "Enter the path of a form on this site."),
        "autosave_tab": field("/tab", "too_long", "Use at most 40 characters."),
        "saved_view_query": field("/query", "too_long", "These filters are too long to save."),
        "decision_request_changes_has_message": field("/message", "required", "Describe what needs to change."),
        "entry_submission_once": conflict("entry_exists", "An entry for this submission already exists."),
        "revision_once": conflict("stale", "Someone else saved a newer revision."),
        "reference_archived": {
            .invalid(FieldErrors("/fields/categories", "archived", $0.prefix(1).uppercased() + $0.dropFirst() + "."))
        },
        "reference_target": field("/fields", "reference", "One of the selected entries does not exist."),
        "reference_target_once": field("/fields", "reference", "The same entry is selected twice."),
        "publish_approval_approvals": refused("More people must approve this revision."),
        "publish_approval_pkey": conflict("already_approved", "This revision is already approved."),
        "live_approved": refused("Only approved revisions can be published."),
        "replaces_newer": refused(
            "A newer version was published after scheduling. Remove the entry, or reschedule and confirm.",
            code: "replaces_newer"),
        "entry_category_group_limit": refused("Categories belong to one of two groups. You can't add a third."),
        "live_category_group_required": refused("Category groups can't be unpublished."),
        "item_category": refused(
            "Categories: every published item needs at least one published category. Choose another category for it."),
        "preview_approval_limit": refused("This preview already has 100 approvals. Ask for a new link."),
        "feed_tier": field("/fields/tier", "choice", "Choose free or premium."),
        "item_tier": field("/fields/tier", "choice", "Choose free or premium."),
        "video_source": refused("A video needs a provider ID or an HLS URL before it can be published."),
        "video_provider_complete": refused(
            "Enter the provider, the account and the video ID, or none of them."),
        "live_video_playlist": saying("playlist"),
        "offline_file_stored": saying("media_file"),
        "offline_file_path": refused("Only files of the media library are available offline."),
        "live_image_hosted": saying("media_elsewhere"),
        "video_hls_https": refused("Enter an HLS URL that starts with https://."),
        "category_merge_cycle": saying("category_merge_cycle"),
        "category_merge_not_itself": refused("A category can't be merged into itself."),
        "category_slug_once": refused("Another published category has this slug."),
        "feed_slug_once": refused("Another published feed has this slug."),
        "item_slug_once": refused("Another published item has this slug."),
        "category_group_number_once": refused("The two category groups need different numbers, 1 and 2."),
        "external_id_pkey": conflict("busy", "Another import is adding the same entries. Try again."),
        "place_city": refused(
            "City: every published place needs a published city. Publish the city too, or choose another one."),
        "place_category": refused(
            "Categories: every published place needs at least one published category. Choose another category for it."),
        "place_address": field("/fields/address", "required", "Enter the address before you publish the place."),
        "place_image": field("/fields/image", "required", "Add an image before you publish the place."),
        "place_lat": field("/fields/point", "required", "Enter a latitude from -90 to 90."),
        "place_lon": field("/fields/point", "required", "Enter a longitude from -180 to 180."),
        "promotion_ends_later": field("/fields/ends_at", "too_small", "The end must be after the start."),
        "place_slug_once": refused("Another published place has this slug."),
        "city_slug_once": refused("Another published city has this slug."),
        "review_rating": field("/fields/rating", "too_large", "Enter a rating from 1 to 5."),
        "promotion_slug_once": refused("Another published promotion has this slug."),
        "onboarding_set_key_once": field(
            "/fields/key", "taken", "Another published onboarding set has this key and locale."),
        "onboarding_set_enough_screens": field(
            "/fields/screens", "too_short", "This onboarding set has too few screens. Add more before you publish it."),
        "onboarding_set_not_too_many_screens": field(
            "/fields/screens", "too_long",
            "This onboarding set has too many screens. Remove some before you publish it."),
        "onboarding_screen_text": field("/fields/screens", "required", "Enter a text for every screen."),
        "onboarding_screen_image": field(
            "/fields/screens", "required", "Add an image to every screen."),
        "text_key_once": field("/fields/key", "taken", "Another published text has this key and locale."),
        "text_locale_once": field("/fields/values", "duplicate", "The same locale is used twice."),
        "text_value": field("/fields/values", "required", "Enter a text for every locale."),
        "text_placeholders_allowed": field(
            "/fields/values", "placeholder", "The text contains a placeholder that is not in the list of placeholders."),
        "text_placeholders_required": field(
            "/fields/values", "placeholder", "A required placeholder is missing in one of the locales."),
        "text_invitation": field(
            "/fields/values", "placeholder",
            "mail.invitation must contain {name} and {link} in every locale, and no other placeholder."),
        "text_password_reset": field(
            "/fields/values", "placeholder",
            "mail.password_reset must contain {link} in every locale. It can also contain {name}."),
        "text_release_failed": field(
            "/fields/values", "placeholder",
            "mail.release_failed must contain {reason}. It can also contain {name}, {title} and {link}."
        ),
        "text_outcome_approved": field(
            "/fields/values", "placeholder",
            "mail.outcome_approved can only contain {name}, {title} and {link}."),
        "text_outcome_rejected": field(
            "/fields/values", "placeholder",
            "mail.outcome_rejected must contain {reason}. It can also contain {name}, {title}, {link} and {message}."),
        "text_outcome_changes_requested": field(
            "/fields/values", "placeholder",
            "mail.outcome_changes_requested must contain {link}. It can also contain {name}, {title} and {message}."),
        "text_report_decided": field(
            "/fields/values", "placeholder",
            "mail.report_decided must contain {outcome}. It can also contain {name} and {title}."),
        "text_submission_received": field(
            "/fields/values", "placeholder",
            "mail.submission_received must contain {link} in every locale, and no other placeholder."),
        "text_status_link": field(
            "/fields/values", "placeholder",
            "mail.status_link must contain {link} in every locale. It can also contain {name} and {title}."),
        "account_last_administrator": refused(
            "This is the last active administrator. Add another administrator first."),
        "account_role": role("/role", inUse: tr("Accounts have this role. Give them another role first.")),
        "review_stage_role": role(
            "/stages",
            inUse: tr("Review stages require this role, or did earlier. A role that approvals refer to is kept.")),
        "role_pkey": field("/name", "taken", "A role with this name already exists."),
        "role_preset": refused("This role is part of the program. It can't be changed or deleted; create another one."),
        "account_locale": field("/locale", "format", LanguageTag.formatMessage),
        "setting_key_once": field("/fields/key", "taken", "Another published setting has this key."),
        "setting_value": field("/fields/value", "type", "The value does not match the kind of the setting."),
        "setting_minimum": field(
            "/fields/value", "too_small", "The value is less than the minimum."),
        "setting_maximum": field(
            "/fields/value", "too_large", "The value is greater than the maximum."),
        "validity_period_overlap": refused(
            "Other observations of this kind and city were recorded at the same time. Import the file again."),
        "validity_period_times": refused("The end must be after the start, and at most 31 days later."),
        "route_multipliers": refused(
            "Each badge multiplier (routes.multiplier.…) must be greater than 1, and the one for both badges greater than either."
        ),
        "route_slug_once": refused("Another published route has this slug."),
        "badge_key_once": refused("Another published badge has this key."),
        "release_published_once": conflict(
            "release_finished", "This release was already published or canceled."),
        "live_media_file": saying("media_file"),
        "live_media_alt": saying("media_alt"),
        "media_use_media": field("/fields", "reference", "One of the selected images was deleted. Select another one."),
        // The message ends with the pointer of the field.
        "media_use_scope": { .unknownImage(at: $0.split(separator: " ").last.map(String.init) ?? "/fields") },
        "media_upload_once": conflict(
            "already_stored", "Another image of the media library has this file. Use that one."),
        "media_version_once": conflict("stale", "Someone else replaced or cropped this image. Reload the page."),
        "media_version_crop": field("/crop_width", "range", "Choose a part of at least 1% inside the image."),
        "media_tags": field("/tags", "too_long", "Enter at most 20 tags of 1 to 40 characters."),
        "upload_limit": refused(
            "You have too many unfinished uploads. Finish or cancel some, or wait a day until they expire."),
        "upload_key": field("/key", "format", "Use 32 hexadecimal digits."),
        "upload_part_bytes": field("/chunk", "too_large", "Send 1 byte to 1 MiB at a time."),
        "media_alt_length": field("/alt", "too_long", "Enter at most 500 characters."),
        "media_focus_x": field("/focus_x", "format", "Enter a number from 0 to 100."),
        "media_focus_y": field("/focus_y", "format", "Enter a number from 0 to 100."),
        "submission_type": field("/type", "choice", "No content type has this name."),
        "catalog_use_item": field(
            "/fields/items", "reference", "One of the items is no longer in a catalog. Search for it again."),
        "catalog_use_once": field("/fields/items", "duplicate", "The same item is in the list twice. Remove one."),
        "list_not_empty": field(
            "/fields/items", "required", "Add at least one item before you publish the list."),
        "list_slug_once": refused("Another published list has this slug."),
        "catalog_item_in_use": saying("catalog_item_in_use"),
        "catalog_item_exists": saying("catalog_item_exists"),
        "item_title": field("/fields/title", "required", "Enter a title."),
        "video_tier": field("/fields/tier", "choice", "Choose free or premium."),
        "feed_access": field("/fields/tier", "choice", "Choose free or premium."),
        "item_access": field("/fields/tier", "choice", "Choose free or premium."),
        "category_name": field("/fields/title", "required", "A category needs a name."),
        "city_name": field("/fields/title", "required", "Enter a name."),
        "city_lat": field("/fields/center", "required", "Enter a latitude from -90 to 90."),
        "city_lon": field("/fields/center", "required", "Enter a longitude from -180 to 180."),
        "place_name": field("/fields/title", "required", "Enter a name."),
        "promotion_name": field("/fields/title", "required", "Enter a name."),
        "category_group_number": field("/fields/number", "choice", "Choose 1 or 2."),
        "text_format": field("/fields/format", "choice", "Choose plain or markdown."),
        // Only a software fault or a manual change in the database violates these two.
        "text_html": broken, "revision_html_object": broken,
        "setting_kind": field(
            "/fields/kind", "choice", "Choose integer, number, boolean, text, list or choice."),
        "route_distance": field(
            "/fields/path", "too_short", "The route has no length. Add at least two different points."),
        "route_badge_badge": field("/fields/slug", "choice", "Choose heart or zoom."),
        "route_badge_times": refused("The end of a badge result must be after its start."),
        "api_media_alt": saying("media_alt"),
        "catalog_item_source_once": refused("Two catalog items have the same source and source ID."),
        "catalog_item_details_object": refused("The details of a catalog item must be an object."),
        // Only a software fault or a manual change in the database violates these.
        "offline_manifest_version": broken, "offline_manifest_requires": broken,
        "offline_manifest_file_count": broken, "offline_manifest_bytes": broken, "offline_file_bytes": broken,
        "offline_file_sha256": broken, "offline_file_requires": broken,
        "event_name": broken, "event_once": broken, "event_tag": broken, "publication_tag": broken,
        "change_operation": broken, "category_count": broken, "category_city_count_positive": broken,
        "city_place_count": broken, "route_badge_result": broken, "list_item_not_checked": broken,
        "list_item_id_once": broken, "api_media_bytes": broken, "api_media_width": broken, "api_media_height": broken,
        "revision_note_given": field("/note", "required", "Enter a note that describes the change."),
        "webhook_active_has_secret": refused(
            "This imported webhook has no secret. Create one before you activate it (\"vitrine webhook rotate\")."),
        "content_type_four_eyes": refused("Authors can't approve their own revisions."),
    ]

    private static let broken = refused(
        "The read tables are inconsistent, so nothing was published. Ask your administrator to run \"vitrine publish verify\"."
    )

    private static func field(_ pointer: String, _ code: String, _ message: String) -> Rule {
        { _ in .invalid(FieldErrors(pointer, code, translated(message))) }
    }

    /// A reference to a role that doesn't exist, or that is deleted while it is in use; PostgreSQL then names its table.
    private static func role(_ pointer: String, inUse message: @autoclosure @escaping @Sendable () -> String) -> Rule {
        { found in
            found.contains("\"role\"")
                ? .refused(code: "role_in_use", message: message())
                : .invalid(FieldErrors(pointer, "choice", tr("Choose one of the roles.")))
        }
    }

    private static func conflict(_ code: String, _ message: String) -> Rule {
        { _ in .conflict(code: code, message: translated(message)) }
    }

    private static func refused(_ message: String, code: String = "rule") -> Rule {
        { _ in .refused(code: code, message: translated(message)) }
    }

    /// The message of the database, which names the object.
    private static func saying(_ code: String) -> Rule {
        { .refused(code: code, message: $0.prefix(1).uppercased() + $0.dropFirst() + ".") }
    }
}
