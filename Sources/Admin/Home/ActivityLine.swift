// One sentence about what somebody did.
import Domain
import FoundationEssentials
import Localization
import Markup
import Store

struct ActivityLine: Encodable, Sendable {
    let initial: String
    let text: String
    let url: String?
    let when: Instant
    /// Of the entry or the submission.
    let thumbnail: ThumbnailView?

    /// The newest, in sentences; the same that a person did to several objects in a row is one.
    static func load(_ request: AdminRequest, limit: Int) async throws -> [ActivityLine] {
        let rows = try await request.database.activity.newest(Array(sentences.keys), limit: 200)
        var lines: [(row: ActivityRow, others: Int)] = []
        for row in rows {
            if let last = lines.last, last.row.actorID == row.actorID, action(of: last.row) == action(of: row) {
                if subject(of: last.row) != subject(of: row) { lines[lines.count - 1].others += 1 }
            } else if lines.count == limit {
                break
            } else {
                lines.append((row, 0))
            }
        }
        let images = try await images(of: lines.map(\.row), request)
        return lines.map { ActivityLine($0.row, others: $0.others, $0.row.objectID.flatMap { images[$0] }) }
    }

    /// By the id of the object.
    private static func images(
        of rows: [ActivityRow], _ request: AdminRequest
    ) async throws -> [String: ThumbnailView] {
        func ids<Noun>(_ type: String) -> [ID<Noun>] {
            rows.filter { $0.objectType == type }.compactMap { $0.objectID.flatMap { ID<Noun>($0) } }
        }
        let (entries, submissions): ([ID<Entry>], [ID<Submission>]) = (ids("entry"), ids("submission"))
        async let imagesOfEntries = request.thumbnails(of: entries)
        let ofSubmissions = try await request.thumbnails(of: submissions).map { ($0.key.description, $0.value) }
        let ofEntries = try await imagesOfEntries.map { ($0.key.description, $0.value) }
        return Dictionary(ofSubmissions + ofEntries) { first, _ in first }
    }

    private init(_ row: ActivityRow, others: Int, _ image: ThumbnailView?) {
        let actor = row.actorID == SystemActor.schedule ? tr("Schedule", context: "activity") : row.actor
        initial = actor.prefix(1).uppercased()
        let sentence = Self.sentences[Self.action(of: row)]?(actor, Self.title(of: row)) ?? row.action
        text = others == 0 ? sentence : tr("\(sentence) and \(others) more", context: "activity")
        url = Self.url(of: row)
        when = Instant(row.happenedAt)
        thumbnail = image
    }

    /// Settings are entries, but nobody says that they edit them.
    private static func action(of row: ActivityRow) -> String {
        row.kind == .setting && row.action == "entry.update" ? settingUpdate : row.action
    }

    private static let settingUpdate = "setting.update"

    /// What the action was about. A file is imported in parts, each with an event of its own, which names the source.
    private static func subject(of row: ActivityRow) -> String? { row.objectID ?? row.detail["source"]?.stringValue }

    private static func title(of row: ActivityRow) -> String {
        if row.objectType == "contributor" {
            return row.title.map { SpoofCheck(name: $0).shown } ?? tr("an erased contributor", context: "activity")
        }
        return row.title.map(EntryTitles.shown) ?? row.detail["name"]?.stringValue ?? subject(of: row) ?? ""
    }

    private static func url(of row: ActivityRow) -> String? {
        guard let id = row.objectID else { return nil }
        switch row.objectType {
        case "submission": return AdminURL.submission(id)
        case "entry": return EntryURL.of(id, row.kind)
        case "release": return AdminURL.release(id)
        case "publication": return AdminURL.publication(id)
        case "report_case": return AdminURL.report(id)
        // The page of an erased contributor is gone.
        case "contributor": return row.title == nil ? nil : AdminURL.contributor(id)
        default: return nil
        }
    }

    /// By action: the sentence for the name of a person and the title of an object.
    private static let sentences: [String: @Sendable (String, String) -> String] = [
        "submission.approve": { tr("\($0) approved “\($1)”", context: "activity") },
        "submission.reject": { tr("\($0) rejected “\($1)”", context: "activity") },
        "submission.request_changes": { tr("\($0) requested changes to “\($1)”", context: "activity") },
        "submission.duplicate": { tr("\($0) marked “\($1)” as a duplicate", context: "activity") },
        "submission.undo": { tr("\($0) undid the decision on “\($1)”", context: "activity") },
        "submission.assign": { tr("\($0) assigned “\($1)”", context: "activity") },
        "submission.snooze": { tr("\($0) snoozed “\($1)”", context: "activity") },
        "submission.unsnooze": { tr("\($0) unsnoozed “\($1)”", context: "activity") },
        "contributor.trust": { tr("\($0) trusted the contributor “\($1)”", context: "activity") },
        "contributor.untrust": { tr("\($0) stopped trusting the contributor “\($1)”", context: "activity") },
        "contributor.block": { tr("\($0) blocked the contributor “\($1)”", context: "activity") },
        "contributor.unblock": { tr("\($0) unblocked the contributor “\($1)”", context: "activity") },
        "report.decide": { tr("\($0) decided the reports of “\($1)”", context: "activity") },
        "entry.import": { tr("\($0) imported entries from “\($1)”", context: "activity") },
        settingUpdate: { tr("\($0) changed the setting “\($1)”", context: "activity") },
        "entry.update": { tr("\($0) edited “\($1)”", context: "activity") },
        "entry.approve": { tr("\($0) approved a version of “\($1)”", context: "activity") },
        "entry.publish": { tr("\($0) published “\($1)”", context: "activity") },
        "entry.unpublish": { tr("\($0) unpublished “\($1)”", context: "activity") },
        "category.merge": { tr("\($0) merged the category “\($1)”", context: "activity") },
        "category.archive": { tr("\($0) archived the category “\($1)”", context: "activity") },
        "release.publish": { tr("\($0) published the release “\($1)”", context: "activity") },
        "release.cancel": { tr("\($0) canceled the release “\($1)”", context: "activity") },
        "release.add": { tr("\($0) added changes to the release “\($1)”", context: "activity") },
        "release.reopen": { tr("\($0) reopened the scheduled release “\($1)” by a change", context: "activity") },
        "release.duplicate": { tr("\($0) duplicated the release “\($1)”", context: "activity") },
        "release.move": { tr("\($0) moved changes out of the release “\($1)”", context: "activity") },
        "publication.rollback": { tr("\($0) rolled back publication \($1)", context: "activity") },
        "note.create": { tr("\($0) wrote a note on “\($1)”", context: "activity") },
    ]
}
