// One sentence about what somebody did.
import Domain
import FoundationEssentials
import Localization
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
        let rows = try await request.database.activity.newest(actions, limit: 200)
        var lines: [(row: ActivityRow, others: Int)] = []
        for row in rows {
            if let last = lines.last, last.row.actorID == row.actorID, isSameAction(last.row, row) {
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
        initial = ActorName.shown(row.actor).prefix(1).uppercased()
        let sentence = AuditSentence.text(row)
        text = others == 0 ? sentence : tr("\(sentence) and \(others) more", context: "activity")
        url = Self.url(of: row)
        when = Instant(row.happenedAt)
        thumbnail = image
    }

    /// Settings are entries, but a change of one is another action.
    private static func isSameAction(_ one: ActivityRow, _ two: ActivityRow) -> Bool {
        one.action == two.action && (one.kind == .setting) == (two.kind == .setting)
    }

    /// What the action was about. A file is imported in parts, each with an event of its own, which names the source.
    private static func subject(of row: ActivityRow) -> String? { row.objectID ?? row.detail["source"]?.stringValue }

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

    /// The actions that are shown.
    private static let actions = [
        "submission.approve", "submission.reject", "submission.request_changes", "submission.duplicate",
        "submission.undo", "submission.assign", "submission.snooze", "submission.unsnooze", "contributor.trust",
        "contributor.untrust", "contributor.block", "contributor.unblock", "report.decide", "entry.import",
        "entry.update", "entry.approve", "entry.publish", "entry.unpublish", "category.merge", "category.archive",
        "release.publish", "release.cancel", "release.add", "release.reopen", "release.duplicate", "release.move",
        "publication.rollback", "note.create",
    ]
}
