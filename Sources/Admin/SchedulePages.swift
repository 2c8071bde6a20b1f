// What goes live when: scheduled releases, what became of earlier ones, and jobs that failed.
import Domain
import Editorial
import FoundationEssentials
import HTTP
import Platform
import Publishing
import Store

enum SchedulePages {
    static let routes = [
        AdminEndpoint(method: "GET", pattern: "/schedule", access: .may(.readQueue), handler: list),
        AdminEndpoint(method: "POST", pattern: "/tasks/{id}/retry", access: .may(.publish), handler: retry),
    ]

    /// Gives the id of a job its type.
    private enum BackgroundTask {}

    private struct Release: Encodable, Sendable {
        let number: Int64
        let title: String
        let items: Int
        let author: String
        /// As it was set, with its zone.
        let local: String?
        let due: Instant?
    }

    private struct Finished: Encodable, Sendable {
        let release: Release
        let state: String
        let tone: String
        let finished: Instant?
        let publication: Int64?
        let late: String?
        let reason: String?
    }

    private struct FailedTask: Encodable, Sendable {
        let id: String
        let kind: String
        let attempts: Int
        let finished: Instant?
        let reason: String
    }

    /// One entry's next change.
    private struct Coming: Encodable, Sendable {
        let id: ID<Entry>
        let title: String
        let word: String
        let tone: String
        let revision: Int?
        let release: Int64
        let local: String
        let due: Instant

        init(_ change: UpcomingChange) {
            id = change.entry
            title = EntryPages.shown(change.title)
            word = change.word
            tone = change.revision == nil ? "bad" : change.isLive ? "wait" : "ok"
            revision = change.revision
            release = change.release
            local = "\(change.localTime) \(change.zone)"
            due = Instant(change.dueAt)
        }
    }

    /// More changes than this are on the pages of their releases.
    private static let shownChanges = 100

    private struct List: Encodable, Sendable {
        let changes: [Coming]
        let scheduled: [Release]
        let finished: [Finished]
        let tasks: [FailedTask]
        let mayPublish: Bool
    }

    private static func list(_ request: AdminRequest) async throws -> Response {
        let scheduled = try await request.database.releases.scheduled()
        let finished = try await request.database.releases.finished()
        let tasks = try await request.database.tasks.list(state: "failed")
        let changes = try await request.database.releaseItems.upcoming(limit: shownChanges)
        let model = List(
            changes: changes.map(Coming.init), scheduled: scheduled.map(release), finished: finished.map(finished(_:)),
            tasks: tasks.map { task in
                FailedTask(
                    id: task.id.uuidString.lowercased(), kind: task.kind, attempts: task.attempts,
                    finished: task.finishedAt.map { Instant($0) }, reason: task.lastError ?? "")
            },
            mayPublish: request.actor.may(.publish))
        return try request.page("admin/schedule/list", model, title: "Schedule")
    }

    private static func release(_ release: ReleaseRow) -> Release {
        Release(
            number: release.number, title: release.title, items: release.items, author: release.createdBy,
            local: release.localTime.map { "\($0) \(release.zone ?? "")" }, due: release.dueAt.map { Instant($0) })
    }

    private static func finished(_ row: ReleaseRow) -> Finished {
        let tone =
            switch row.state {
            case .published: "ok"
            case .failed: "bad"
            case .canceled, .open, .scheduled: ""
            }
        return Finished(
            release: release(row), state: row.state.rawValue, tone: tone, finished: row.finishedAt.map { Instant($0) },
            publication: row.publication, late: row.state == .published ? lateness(row) : nil, reason: row.failure)
    }

    private static func lateness(_ release: ReleaseRow) -> String? {
        guard let due = release.dueAt, let finished = release.finishedAt else { return nil }
        let milliseconds = Int(finished.timeIntervalSince(due) * 1000)
        return milliseconds < 0 ? nil : Self.words(lateMilliseconds: milliseconds)
    }

    /// Below a second in milliseconds: that is how late a schedule usually is.
    static func words(lateMilliseconds milliseconds: Int) -> String {
        milliseconds < 1000 ? "\(milliseconds) ms" : Age.text(seconds: milliseconds / 1000)
    }

    private static func retry(_ request: AdminRequest) async throws -> Response {
        let id: ID<BackgroundTask> = try request.id()
        let kind = try await RetryTask(database: request.database)(id.uuid, by: request.actor)
        return request.redirect(to: "/schedule", Flash("The job \(kind) will be tried again now."))
    }
}
