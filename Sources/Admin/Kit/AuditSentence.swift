// One sentence about what somebody did: the same on the home page, in the audit trail and in the history of an object.
import Domain
import Localization
import Markup
import Store

enum AuditSentence {
    static func text(_ row: ActivityRow) -> String {
        // Settings are entries, but nobody says that they edit them.
        text(
            row.action, on: row.kind == .setting ? "setting" : row.objectType, title(of: row),
            by: ActorName.shown(row.actor))
    }

    /// On the page of the object, which has this title.
    static func text(_ line: AuditLine, title: String) -> String {
        text(line.action, on: line.objectType, title, by: ActorName.shown(line.actor))
    }

    /// An event about an entry, which has this title.
    static func text(_ row: HistoryRow, title: String) -> String {
        text(row.state, on: "entry", title, by: ActorName.shown(row.actor))
    }

    private static func title(of row: ActivityRow) -> String {
        if row.objectType == "contributor" {
            return row.title.map { SpoofCheck(name: $0).shown } ?? tr("an erased contributor", context: "activity")
        }
        if let title = row.title { return title.isEmpty ? tr("(no title)") : title }
        return row.detail["name"]?.stringValue ?? row.objectID ?? row.detail["source"]?.stringValue ?? ""
    }

    /// An action without a sentence, as those of other packs, is named as the audit trail calls it.
    private static func text(_ action: String, on type: String, _ title: String, by actor: String) -> String {
        if let text = submissions(action, title, actor) ?? moderation(action, title, actor) { return text }
        if let text = content(action, on: type, title, actor) ?? library(action, title, actor) { return text }
        if let text = publishing(action, title, actor) ?? accounts(action, on: type, title, actor) { return text }
        return administration(action, title, actor) ?? "\(actor): \(action)"
    }

    private static func submissions(_ action: String, _ title: String, _ actor: String) -> String? {
        switch action {
        case "submission.create": tr("\(actor) sent “\(title)”", context: "activity")
        case "submission.approve": tr("\(actor) approved “\(title)”", context: "activity")
        case "submission.reject": tr("\(actor) rejected “\(title)”", context: "activity")
        case "submission.request_changes": tr("\(actor) requested changes to “\(title)”", context: "activity")
        case "submission.duplicate": tr("\(actor) marked “\(title)” as a duplicate", context: "activity")
        case "submission.undo": tr("\(actor) undid the decision on “\(title)”", context: "activity")
        case "submission.assign": tr("\(actor) assigned “\(title)”", context: "activity")
        case "submission.snooze": tr("\(actor) snoozed “\(title)”", context: "activity")
        case "submission.unsnooze": tr("\(actor) unsnoozed “\(title)”", context: "activity")
        case "submission.update": tr("\(actor) changed the priority of “\(title)”", context: "activity")
        case "submission.claim": tr("\(actor) claimed “\(title)”", context: "activity")
        case "submission.unclaim": tr("\(actor) unclaimed “\(title)”", context: "activity")
        case "submission.take_over": tr("\(actor) took over “\(title)”", context: "activity")
        case "submission.resubmit": tr("\(actor) resubmitted “\(title)”", context: "activity")
        case "submission.appeal": tr("\(actor) appealed the rejection of “\(title)”", context: "activity")
        case "approval.withdraw": tr("\(actor) withdrew their approval of “\(title)”", context: "activity")
        case "status_link.create": tr("\(actor) sent a status link for “\(title)”", context: "activity")
        case "status_link.rotate": tr("\(actor) sent a new status link for “\(title)”", context: "activity")
        case "note.create": tr("\(actor) wrote a note on “\(title)”", context: "activity")
        case "bulk_action.plan": tr("\(actor) planned a bulk action", context: "activity")
        case "bulk_action.undo": tr("\(actor) undid a bulk action", context: "activity")
        case "bulk_action.approve": tr("\(actor) approved in bulk", context: "activity")
        case "bulk_action.reject": tr("\(actor) rejected in bulk", context: "activity")
        case "bulk_action.request_changes": tr("\(actor) requested changes in bulk", context: "activity")
        case "bulk_action.snooze": tr("\(actor) snoozed in bulk", context: "activity")
        case "bulk_action.assign": tr("\(actor) assigned in bulk", context: "activity")
        case "bulk_action.update": tr("\(actor) made changes in bulk", context: "activity")
        case "bulk_action.publish": tr("\(actor) published in bulk", context: "activity")
        case "bulk_action.unpublish": tr("\(actor) unpublished in bulk", context: "activity")
        case "bulk_action.add": tr("\(actor) added to a release in bulk", context: "activity")
        default: nil
        }
    }

    private static func moderation(_ action: String, _ title: String, _ actor: String) -> String? {
        switch action {
        case "contributor.trust": tr("\(actor) trusted the contributor “\(title)”", context: "activity")
        case "contributor.untrust": tr("\(actor) stopped trusting the contributor “\(title)”", context: "activity")
        case "contributor.block": tr("\(actor) blocked the contributor “\(title)”", context: "activity")
        case "contributor.unblock": tr("\(actor) unblocked the contributor “\(title)”", context: "activity")
        case "contributor.export": tr("\(actor) exported the data of a contributor", context: "activity")
        case "contributor.erase": tr("\(actor) erased the data of a contributor", context: "activity")
        case "report.create": tr("\(actor) reported an entry", context: "activity")
        case "report.decide": tr("\(actor) decided the reports of “\(title)”", context: "activity")
        case "report.erase": tr("\(actor) erased email addresses of reports", context: "activity")
        case "screening.create": tr("\(actor) created a version of the screening rules", context: "activity")
        case "screening.activate": tr("\(actor) activated version \(title) of the screening rules", context: "activity")
        case "stage.update": tr("\(actor) changed review stages", context: "activity")
        case "saved_view.create": tr("\(actor) saved the view “\(title)”", context: "activity")
        case "saved_view.delete": tr("\(actor) deleted the view “\(title)”", context: "activity")
        default: nil
        }
    }

    private static func content(
        _ action: String, on type: String, _ title: String, _ actor: String
    ) -> String? {
        switch action {
        case "entry.create" where type == "deployment": tr("\(actor) created the first entries", context: "activity")
        case "entry.create": tr("\(actor) created an entry", context: "activity")
        case "entry.update" where type == "setting": tr("\(actor) changed the setting “\(title)”", context: "activity")
        case "entry.update": tr("\(actor) edited “\(title)”", context: "activity")
        case "entry.undo": tr("\(actor) undid the bulk action on “\(title)”", context: "activity")
        case "entry.import": tr("\(actor) imported entries from “\(title)”", context: "activity")
        case "entry.approve": tr("\(actor) approved a version of “\(title)”", context: "activity")
        case "entry.publish": tr("\(actor) published “\(title)”", context: "activity")
        case "entry.unpublish": tr("\(actor) unpublished “\(title)”", context: "activity")
        case "category.create":
            title.isEmpty
                ? tr("\(actor) created categories", context: "activity")
                : tr("\(actor) created the category “\(title)”", context: "activity")
        case "category.update": tr("\(actor) renamed the category “\(title)”", context: "activity")
        case "category.move": tr("\(actor) moved the category “\(title)” to another group", context: "activity")
        case "category.reorder": tr("\(actor) changed the order of categories", context: "activity")
        case "category.plan": tr("\(actor) checked a merge of categories", context: "activity")
        case "category.merge": tr("\(actor) merged the category “\(title)”", context: "activity")
        case "category.unmerge": tr("\(actor) unmerged the category “\(title)”", context: "activity")
        case "category.archive": tr("\(actor) archived the category “\(title)”", context: "activity")
        case "video.verify": tr("\(actor) verified the stream of “\(title)”", context: "activity")
        case "catalog.update": tr("\(actor) updated a catalog from its source", context: "activity")
        case "catalog.move": tr("\(actor) moved a catalog item to another source", context: "activity")
        case "catalog.unlist": tr("\(actor) hid catalog items", context: "activity")
        case "catalog.relist": tr("\(actor) showed hidden catalog items again", context: "activity")
        case "observation.import": tr("\(actor) imported observations", context: "activity")
        case "observation.plan": tr("\(actor) checked what deleting observations changes", context: "activity")
        case "observation.delete": tr("\(actor) deleted observations", context: "activity")
        case "observation.prune": tr("\(actor) deleted old observations", context: "activity")
        case "observation.publish": tr("\(actor) published results of observations", context: "activity")
        case "postcode.import": tr("\(actor) imported postcodes", context: "activity")
        default: nil
        }
    }

    private static func library(_ action: String, _ title: String, _ actor: String) -> String? {
        switch action {
        case "media.create": tr("\(actor) added the image “\(title)”", context: "activity")
        case "media.update": tr("\(actor) changed the image “\(title)”", context: "activity")
        case "media.crop": tr("\(actor) cropped the image “\(title)”", context: "activity")
        case "media.replace": tr("\(actor) replaced the image “\(title)”", context: "activity")
        case "media.restore": tr("\(actor) restored a version of the image “\(title)”", context: "activity")
        case "media.verify": tr("\(actor) verified the files of the image “\(title)”", context: "activity")
        case "media.delete": tr("\(actor) deleted an image", context: "activity")
        case "media.import": tr("\(actor) imported an image", context: "activity")
        case "media.adopt": tr("\(actor) adopted a media store", context: "activity")
        case "external_image.add": tr("\(actor) stored an external image", context: "activity")
        case "external_image.retry": tr("\(actor) retried an external image", context: "activity")
        case "external_image.show": tr("\(actor) published stored images", context: "activity")
        default: nil
        }
    }

    private static func publishing(_ action: String, _ title: String, _ actor: String) -> String? {
        switch action {
        case "release.create":
            title.isEmpty
                ? tr("\(actor) created a release", context: "activity")
                : tr("\(actor) created the release “\(title)”", context: "activity")
        case "release.schedule":
            title.isEmpty
                ? tr("\(actor) scheduled a release", context: "activity")
                : tr("\(actor) scheduled the release “\(title)”", context: "activity")
        case "release.unschedule": tr("\(actor) unscheduled the release “\(title)”", context: "activity")
        case "release.publish": tr("\(actor) published the release “\(title)”", context: "activity")
        case "release.fail": tr("\(actor) could not publish the release “\(title)”", context: "activity")
        case "release.cancel": tr("\(actor) canceled the release “\(title)”", context: "activity")
        case "release.add": tr("\(actor) added changes to the release “\(title)”", context: "activity")
        case "release.remove": tr("\(actor) removed changes from the release “\(title)”", context: "activity")
        case "release.reopen":
            tr("\(actor) reopened the scheduled release “\(title)” by a change", context: "activity")
        case "release.duplicate": tr("\(actor) duplicated the release “\(title)”", context: "activity")
        case "release.move": tr("\(actor) moved changes out of the release “\(title)”", context: "activity")
        case "release.import": tr("\(actor) imported a release", context: "activity")
        case "release.update": tr("\(actor) updated scheduled releases", context: "activity")
        case "publication.publish": tr("\(actor) published pending changes", context: "activity")
        case "publication.plan": tr("\(actor) checked what a publication changes", context: "activity")
        case "publication.repair": tr("\(actor) repaired the read tables", context: "activity")
        case "publication.rollback": tr("\(actor) rolled back publication \(title)", context: "activity")
        case "preview.create": tr("\(actor) created a preview", context: "activity")
        case "preview.approve": tr("\(actor) approved the preview “\(title)”", context: "activity")
        case "preview.refresh": tr("\(actor) updated the preview “\(title)”", context: "activity")
        case "preview.revoke": tr("\(actor) revoked the preview “\(title)”", context: "activity")
        case "preview.prune": tr("\(actor) deleted old previews", context: "activity")
        default: nil
        }
    }

    private static func accounts(
        _ action: String, on type: String, _ title: String, _ actor: String
    ) -> String? {
        switch action {
        case "account.create": tr("\(actor) created the account “\(title)”", context: "activity")
        case "account.invite", "invitation.create": tr("\(actor) invited “\(title)”", context: "activity")
        case "account.activate": tr("\(actor) activated their account", context: "activity")
        case "account.update": tr("\(actor) changed the account “\(title)”", context: "activity")
        case "account.disable": tr("\(actor) disabled the account “\(title)”", context: "activity")
        case "account.enable": tr("\(actor) enabled the account “\(title)”", context: "activity")
        case "access_scope.update": tr("\(actor) changed the access scope of “\(title)”", context: "activity")
        case "role.update" where type == "account": tr("\(actor) changed the role of “\(title)”", context: "activity")
        case "role.create": tr("\(actor) created the role “\(title)”", context: "activity")
        case "role.update": tr("\(actor) changed the role “\(title)”", context: "activity")
        case "role.delete": tr("\(actor) deleted the role “\(title)”", context: "activity")
        case "password.update": tr("\(actor) set the password of “\(title)”", context: "activity")
        case "password_reset.request": tr("\(actor) requested a password reset", context: "activity")
        case "password_reset.create": tr("\(actor) sent a password reset to “\(title)”", context: "activity")
        case "second_factor.create": tr("\(actor) set up a second factor for “\(title)”", context: "activity")
        case "second_factor.verify": tr("\(actor) confirmed the second factor of “\(title)”", context: "activity")
        case "second_factor.delete": tr("\(actor) removed the second factor of “\(title)”", context: "activity")
        case "recovery_code.rotate": tr("\(actor) created recovery codes for “\(title)”", context: "activity")
        case "session.create": tr("\(actor) signed in", context: "activity")
        case "session.request": tr("\(actor) began to sign in", context: "activity")
        case "session.delete": tr("\(actor) signed out", context: "activity")
        case "session.revoke": tr("\(actor) ended a session of “\(title)”", context: "activity")
        case "sign_in_link.create": tr("\(actor) created a sign-in link for “\(title)”", context: "activity")
        default: nil
        }
    }

    private static func administration(_ action: String, _ title: String, _ actor: String) -> String? {
        switch action {
        case "client.create": tr("\(actor) created the API client “\(title)”", context: "activity")
        case "client.update": tr("\(actor) changed the limit of the API client “\(title)”", context: "activity")
        case "client.rotate": tr("\(actor) rotated the secret of the API client “\(title)”", context: "activity")
        case "client.revoke": tr("\(actor) revoked the API client “\(title)”", context: "activity")
        case "client_secret.revoke":
            tr("\(actor) revoked the old secret of the API client “\(title)”", context: "activity")
        case "webhook.create": tr("\(actor) created the webhook “\(title)”", context: "activity")
        case "webhook.pause": tr("\(actor) paused the webhook “\(title)”", context: "activity")
        case "webhook.resume": tr("\(actor) resumed the webhook “\(title)”", context: "activity")
        case "webhook.disable": tr("\(actor) disabled the webhook “\(title)”", context: "activity")
        case "webhook.rotate": tr("\(actor) rotated the secret of the webhook “\(title)”", context: "activity")
        case "webhook.test": tr("\(actor) tested the webhook “\(title)”", context: "activity")
        case "webhook.replay": tr("\(actor) replayed deliveries of the webhook “\(title)”", context: "activity")
        case "webhook.delete": tr("\(actor) deleted a webhook", context: "activity")
        case "webhook_delivery.retry": tr("\(actor) retried webhook deliveries", context: "activity")
        case "task.retry": tr("\(actor) retried background tasks", context: "activity")
        case "mail.retry": tr("\(actor) retried emails", context: "activity")
        case "outcome.retry": tr("\(actor) retried outcomes", context: "activity")
        case "submission_form.create": tr("\(actor) created the submission form “\(title)”", context: "activity")
        case "submission_form.update": tr("\(actor) changed the submission form “\(title)”", context: "activity")
        case "submission_form.delete": tr("\(actor) deleted the submission form “\(title)”", context: "activity")
        case "checklist.dismiss": tr("\(actor) hid the first steps", context: "activity")
        case "audit.archive": tr("\(actor) archived audit events", context: "activity")
        case "key.adopt": tr("\(actor) adopted an encryption key", context: "activity")
        case "bundle.import": tr("\(actor) imported a deployment", context: "activity")
        case "actor.create": tr("\(actor) added an actor", context: "activity")
        default: nil
        }
    }
}
