// The schedule: a calendar, upcoming and finished releases, and changes by entry.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Operations
import Platform
import Store

enum SchedulePages {
    private struct Release: Encodable, Sendable {
        let number: Int64
        let title: String
        let entries: String
        let author: String
        let due: Instant?
        /// The local time as entered, with its zone, if it is by another clock than the person's.
        let entered: String?
        /// Whether the person may cancel it.
        let mayCancel: Bool
    }

    private struct Finished: Encodable, Sendable {
        let release: Release
        let state: String
        let tone: String
        let finished: Instant?
        let publication: Int64?
        let delay: String?
        let reason: String?
    }

    /// The next scheduled change of an entry.
    private struct Upcoming: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let thumbnail: ThumbnailView?
        let change: String
        let tone: String
        let revision: Int?
        let release: Int64
        let due: Instant
        let entered: String?

        init(_ upcoming: UpcomingChange, _ image: ThumbnailView?) {
            id = upcoming.entry
            title = EntryPages.shown(upcoming.title)
            thumbnail = image
            change = upcoming.kind.label
            tone =
                switch upcoming.kind {
                case .publish: "ok"
                case .update: "wait"
                case .unpublish: "bad"
                }
            revision = upcoming.revision
            release = upcoming.release
            due = Instant(upcoming.dueAt)
            entered = due.entered("\(upcoming.localTime) \(upcoming.zone)")
        }
    }

    /// Changes shown; further ones are on the pages of their releases.
    private static let shownChanges = 100

    private struct List: Encodable, Sendable {
        let calendar: ScheduleCalendar
        let changes: [Upcoming]
        let scheduled: [Release]
        let finished: [Finished]
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let calendar = try await ScheduleCalendar.load(request)
        let scheduled = try await request.database.releases.scheduled()
        let cancelable = try await changeable(scheduled.map(\.number), request)
        let finished = try await request.database.releases.finished()
        let changes = try await request.database.releaseItems.upcoming(limit: shownChanges)
        let images = try await request.thumbnails(of: changes.map(\.entry))
        let model = List(
            calendar: calendar, changes: changes.map { Upcoming($0, images[$0.entry]) },
            scheduled: scheduled.map { release($0, mayCancel: cancelable.contains($0.number)) },
            finished: finished.map(finished(_:)))
        return try request.page("admin/schedule/list", model, title: tr("Schedule", context: "list"))
    }

    /// Those of these scheduled releases that the person may move and cancel: not one that contains what they can't see.
    static func changeable(_ releases: [Int64], _ request: AdminRequest) async throws -> Set<Int64> {
        guard request.actor.may(.publish) else { return [] }
        return try await request.database.access.whole(releases, request.actor.scope)
    }

    private static func release(_ release: ReleaseRow, mayCancel: Bool = false) -> Release {
        let due = release.dueAt.map { Instant($0) }
        return Release(
            number: release.number, title: release.title, entries: ReleasePages.entries(release.items),
            author: ActorName.shown(release.createdBy),
            due: due, entered: due?.entered(release.wallTime), mayCancel: mayCancel)
    }

    private static func finished(_ row: ReleaseRow) -> Finished {
        let tone =
            switch row.state {
            case .published: "ok"
            case .failed: "bad"
            case .canceled, .open, .scheduled: ""
            }
        return Finished(
            release: release(row), state: row.state.label, tone: tone,
            finished: row.finishedAt.map { Instant($0) },
            publication: row.publication, delay: row.state == .published ? delay(of: row) : nil, reason: row.cause)
    }

    private static func delay(of release: ReleaseRow) -> String? {
        guard let due = release.dueAt, let finished = release.finishedAt else { return nil }
        let milliseconds = Int(finished.timeIntervalSince(due) * 1000)
        return milliseconds < 0 ? nil : Self.delay(milliseconds: milliseconds)
    }

    /// A delay as text; below a second, which is usual, in milliseconds.
    static func delay(milliseconds: Int) -> String {
        milliseconds < 1000 ? tr("\(milliseconds) ms", context: "list") : Age.text(seconds: milliseconds / 1000)
    }
}

extension UpcomingChange.Kind {
    var label: String {
        switch self {
        case .publish: tr("Publish", context: "schedule")
        case .update: tr("Update", context: "schedule")
        case .unpublish: tr("Unpublish", context: "schedule")
        }
    }
}
