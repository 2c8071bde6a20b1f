// The background tasks of all kinds, and retrying failed ones.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Platform
import Store

enum TaskPages {
    private static let perPage = 50

    /// The type of a task's id.
    private enum BackgroundTask {}

    struct Line: Encodable, Sendable {
        let task: BackgroundTaskRow
        /// The outcome in words; nil if its name is that of the program.
        let outcome: String?
        let subject: String?
        /// A page that shows more.
        let url: String?
        let result: String
        let state: BackgroundTaskState
        /// Nil before the first.
        let attempts: Int?
        /// The time of the next attempt.
        let next: Date?
        let mayRetry: Bool

        init(_ row: BackgroundTaskRow, _ request: AdminRequest) {
            task = row
            outcome =
                row.kind == .outcome
                ? Verdict(rawValue: row.name)?.state.label ?? ReportOutcome(rawValue: row.name)?.label : nil
            subject = row.kind == .outcome ? EntryPages.shown(row.subject ?? "") : row.subject
            url =
                row.webhook.map { AdminURL.webhookDelivery($0, ID<WebhookDelivery>(row.id)) }
                ?? row.submission.map { AdminURL.submission($0) }
            result = BackgroundTaskState.label(of: row.result)
            state = row.state
            attempts = row.attempts == 0 ? nil : row.attempts
            // An outcome waits for its undo window.
            let due = row.nextAt ?? row.createdAt + Double(request.services.reviewPolicy.undoWindowMinutes * 60)
            next = row.state == .waiting ? due : nil
            mayRetry = row.state == .failed && request.actor.may(row.kind.retryPermission)
        }
    }

    private struct Count: Encodable, Sendable {
        let count: BackgroundTaskCount
        let waitingURL: String?
        let failedURL: String?
        let oldest: String?
        let mayRetry: Bool

        init(_ count: BackgroundTaskCount, _ request: AdminRequest) {
            self.count = count
            waitingURL = count.waiting == 0 ? nil : TaskPages.url(count.kind, BackgroundTaskState.waiting.rawValue)
            failedURL = count.failed == 0 ? nil : TaskPages.url(count.kind, BackgroundTaskState.failed.rawValue)
            oldest = count.oldestSeconds.map { Age.text(seconds: Int($0)) }
            mayRetry = count.failed > 0 && request.actor.may(count.kind.retryPermission)
        }
    }

    private struct List: Encodable, Sendable {
        let counts: [Count]
        let kinds: [Option]
        let states: [Option]
        let tasks: [Line]
        let isFiltered: Bool
        let isMailShown: Bool
        let isMailConfigured: Bool
        let first: String?
        let next: String?
    }

    /// The choice of every state, which an empty one is not.
    private static let every = "all"

    static func list(_ request: AdminRequest) async throws -> Response {
        let kinds = BackgroundTaskKind.allCases.filter { request.actor.may($0.readPermission) }
        let chosen: BackgroundTaskKind? = try choice(request.query, "kind", in: kinds)
        let isEvery = request.query.first("state") == every
        let state: BackgroundTaskState? =
            try isEvery ? nil : choice(request.query, "state", in: BackgroundTaskState.allCases)
        let shown = isEvery ? every : state?.rawValue
        // Who may see one kind needs no choice.
        let kind = chosen ?? (kinds.count == 1 ? kinds.first : nil)
        let cursor = request.cursor
        let tasks = request.database.backgroundTasks
        let page = try await tasks.page(
            kind: kind, state: state, scope: isEvery ? .all : .current, cursor: cursor, limit: perPage)
        let all = ("", tr("All", context: "list"))
        let model = List(
            counts: try await tasks.counts().filter { kinds.contains($0.kind) }.map { Count($0, request) },
            kinds: kinds.count == 1
                ? [] : Option.list([all] + kinds.map { ($0.rawValue, $0.label) }, chosen: chosen?.rawValue),
            states: Option.list(
                [("", tr("Waiting and failed", context: "task filter")), (every, all.1)]
                    + BackgroundTaskState.allCases.map { ($0.rawValue, $0.label) }, chosen: shown),
            tasks: page.items.map { Line($0, request) }, isFiltered: chosen != nil || shown != nil,
            isMailShown: kind == .mail, isMailConfigured: request.context.mail.isConfigured,
            first: cursor == nil ? nil : url(chosen, shown), next: page.next.map { url(chosen, shown, cursor: $0) })
        return try request.page("admin/tasks/list", model, title: tr("Background tasks"))
    }

    private static func url(
        _ kind: BackgroundTaskKind?, _ state: String?, cursor: String? = nil
    ) -> String {
        AdminURL.tasks(query: ["kind": kind?.rawValue, "state": state, "cursor": cursor])
    }

    /// Nil if the field is missing or empty.
    private static func choice<Value: RawRepresentable & Equatable>(
        _ fields: FormFields, _ name: String, in choices: [Value]
    ) throws -> Value? where Value.RawValue == String {
        guard let text = fields.first(name), !text.isEmpty else { return nil }
        guard let value = Value(rawValue: text), choices.contains(value) else {
            throw Failure.invalid(FieldErrors("/\(name)", "choice", tr("Choose a value of the list.")))
        }
        return value
    }

    // MARK: Retry

    static func retry(_ request: AdminRequest) async throws -> Response {
        let id: ID<BackgroundTask> = try request.id()
        let task = try await request.services.retryTask(id.uuid, by: request.actor)
        let message =
            task.kind == .task ? tr("Task \(task.name) queued again.") : tr("\(task.kind.label) queued again.")
        return request.redirect(to: AdminURL.tasks(), Flash(message))
    }

    static func retryAll(_ request: AdminRequest) async throws -> Response {
        let kind: BackgroundTaskKind? = try choice(request.form, "kind", in: BackgroundTaskKind.allCases)
        guard let kind else {
            throw Failure.invalid(FieldErrors("/kind", "required", tr("Choose a value of the list.")))
        }
        let count = try await request.services.retryTask.all(kind, by: request.actor)
        return request.redirect(to: AdminURL.tasks(), Flash(tr("Background tasks queued again: \(count).")))
    }
}
