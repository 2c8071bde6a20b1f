// The page of a contributor: status, record, submissions with their outcomes, notes, and reports about them.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Markup
import Platform
import Store

struct ContributorPage: Encodable, Sendable {
    private static let perPage = 25
    private static let shownReports = 10

    struct Status: Encodable, Sendable {
        let name: String
        let label: String
        let tone: String
        let reason: String?
        let setBy: String?
        let setAt: Instant?
        let until: Instant?
        /// "Unblock" or "Stop trusting".
        let liftLabel: String
    }

    struct Form: Encodable, Sendable {
        let url: String
        let status: String
        /// It blocks somebody who is not blocked.
        let isBlock: Bool
        let reasonID: String
        let untilID: String
        let localID: String
        let zoneID: String
        let title: String
        let hint: String
        let button: String
        let isOpen: Bool
        let reason: String
        let choices: [Option]
        let local: String
        let zone: String
        let reasonErrors: [String]
        let untilErrors: [String]
        let autosave: Autosaved?
    }

    struct Figure: Encodable, Sendable {
        let label: String
        let value: String
    }

    struct Line: Encodable, Sendable {
        let id: ID<Submission>
        let url: String
        let title: String
        let detail: String
        let state: String
        let tone: String
        let received: Instant
        let isQueued: Bool
        var thumbnail: ThumbnailView?
    }

    struct Note: Encodable, Sendable {
        let title: String
        let url: String
        let author: String
        let when: Instant
        let text: String
    }

    struct Report: Encodable, Sendable {
        let title: String
        let url: String
        let reports: String
        /// Nil while it is open.
        let outcome: String?
        let when: Instant
    }

    let id: ID<Contributor>
    let heading: String
    /// Suspicious characters in the name.
    let warning: String?
    let source: String
    let firstSeen: Instant
    let lastSeen: Instant?
    /// Masked.
    let email: String?
    let isFromForm: Bool
    let status: Status?
    let forms: [Form]
    let canAdminister: Bool
    let record: [Figure]
    /// Set if counts leave out older submissions.
    let recordLimit: String?
    let states: [PageContext.Link]
    let lines: [Line]
    let hasQueued: Bool
    let canDecide: Bool
    /// Of the pending ones that are not held.
    let pending: String?
    let bulkActionURL: String
    let queueURL: String
    let notes: NotePanel
    /// On their submissions and the entries of these.
    let submissionNotes: [Note]
    /// Of the entries of their submissions, newest first.
    let reports: [Report]
    let hasMoreReports: Bool
    let history: [HistoryEvent]
    let first: String?
    let next: String?
    let problem: ErrorSummary?

    /// `restored`: what was typed into a form and not saved, by status.
    static func load(
        _ request: AdminRequest, _ contributor: ReputationRow, restored: [ContributorStatus: FormFields],
        notes: NotePanel, errors: FieldErrors
    ) async throws -> ContributorPage {
        let store = request.database.reputations
        let filter = request.query.first("state") ?? ""
        let cursor = request.query.first("cursor").flatMap { $0.isEmpty ? nil : $0 }
        async let recorded = store.record(of: contributor.id)
        async let sent = store.submissions(
            of: contributor.id, state: SubmissionState(rawValue: filter), isHeld: filter == "held", cursor: cursor,
            limit: perPage)
        async let submissionNotes = store.notes(of: contributor.id)
        async let cases = request.database.reportCases.about(contributor.id, limit: shownReports + 1)
        async let events = request.database.auditTrail.about("contributor", contributor.id.description)
        let (record, page) = try await (recorded, sent)
        let thumbnails = try await request.database.thumbnails.of(submissions: page.items.map(\.id))
        let check = SpoofCheck(name: contributor.name)
        let mayChange = mayChange(request)
        func url(_ state: String?, _ cursor: String? = nil) -> String {
            AdminURL.contributor(contributor.id, query: ["state": state, "cursor": cursor])
        }
        let waiting = record.count(.pending) - record.held
        return ContributorPage(
            id: contributor.id, heading: check.shown, warning: check.reason, source: contributor.source,
            firstSeen: Instant(contributor.firstSeen), lastSeen: record.lastSeen.map { Instant($0) },
            email: record.email.map(EmailAddress.masked), isFromForm: contributor.isFromForm,
            status: contributor.status.map { status(contributor, $0) },
            forms: mayChange ? forms(contributor, request, restored, errors) : [],
            canAdminister: request.actor.may(.administer) && request.actor.scope.isAll,
            record: figures(record),
            recordLimit: record.count >= ReputationRecord.limit ? String(ReputationRecord.limit) : nil,
            states: states(record, filter).map { state, label in
                PageContext.Link(label: label, url: url(state), isHere: (state ?? "") == filter)
            },
            lines: page.items.map { row in
                var line = Line(row, request)
                line.thumbnail = thumbnails[row.id].map(ThumbnailView.init)
                return line
            },
            hasQueued: page.items.contains(where: \.isQueued), canDecide: request.actor.may(.decide),
            pending: waiting > 0 ? String(waiting) : nil,
            bulkActionURL: AdminURL.bulkActions(query: ["contributor": contributor.id]),
            queueURL: AdminURL.queue(query: ["contributor": contributor.id]),
            notes: notes, submissionNotes: try await submissionNotes.map(Note.init),
            reports: try await cases.prefix(shownReports).map(Report.init),
            hasMoreReports: try await cases.count > shownReports,
            history: mayChange ? try await events.map { HistoryEvent($0) } : [],
            first: cursor.map { _ in url(filter) }, next: page.next.map { url(filter, $0) },
            problem: ErrorSummary(errors, ids: ids(of: request)))
    }

    private static func status(_ row: ReputationRow, _ status: ContributorStatus) -> Status {
        Status(
            name: status.rawValue, label: status.label, tone: status == .blocked ? "bad" : "ok", reason: row.reason,
            setBy: row.setBy,
            setAt: row.setAt.map { Instant($0) }, until: row.until.map { Instant($0) },
            liftLabel: status == .blocked ? tr("Unblock", context: "contributor status") : tr("Stop trusting"))
    }

    // MARK: Forms

    private static func mayChange(_ request: AdminRequest) -> Bool {
        request.actor.may(.decide) && request.actor.scope.isAll
    }

    /// The statuses that the page has a form for.
    private static func statuses(of contributor: ReputationRow) -> [ContributorStatus] {
        [.blocked, .trusted].filter { !contributor.isFromForm || $0 == .blocked }
    }

    /// The URL that opens the form of a status.
    private static func form(_ id: ID<Contributor>, _ status: ContributorStatus) -> String {
        AdminURL.contributor(id) + "#\(status.rawValue)"
    }

    /// What was typed into the forms and not saved; says in `request` which forms are saved while somebody types.
    static func restored(
        _ request: inout AdminRequest, _ contributor: ReputationRow
    ) async throws -> [ContributorStatus: FormFields] {
        guard mayChange(request) else { return [:] }
        let name = ContributorLink(contributor).name
        request = try await request.autosaving(
            statuses(of: contributor).map { status in
                (form: form(contributor.id, status), title: tr("\(status.label): \(name)", context: "autosave"))
            })
        var typed: [ContributorStatus: FormFields] = [:]
        for status in statuses(of: contributor) {
            typed[status] = request.restore(form(contributor.id, status))
        }
        return typed
    }

    static var durations: [(String, String)] {
        [
            ("", tr("No end", context: "contributor status")), ("24", tr("1 day", context: "duration")),
            ("168", tr("1 week", context: "duration")), ("720", tr("30 days", context: "duration")),
            ("8760", tr("1 year", context: "duration")), ("at", tr("Until a date and time")),
        ]
    }

    private static func forms(
        _ contributor: ReputationRow, _ request: AdminRequest, _ restored: [ContributorStatus: FormFields],
        _ errors: FieldErrors
    ) -> [Form] {
        let sent = errors.isEmpty ? nil : request.form.first("status").flatMap(ContributorStatus.init)
        let isHolding = request.services.blocked == .hold
        return statuses(of: contributor).map { status in
            let isSent = sent == status
            let typed = isSent ? request.form : restored[status]
            let isCurrent = contributor.status == status
            func text(_ name: String) -> String? { typed?.first(name) }
            let until = text("until") ?? (isCurrent && contributor.until != nil ? "at" : "")
            return Form(
                url: AdminURL.contributorStatus(contributor.id), status: status.rawValue,
                isBlock: status == .blocked && !isCurrent,
                reasonID: "\(status)-reason", untilID: "\(status)-until", localID: "\(status)-local",
                zoneID: "\(status)-zone",
                title: title(status, isCurrent),
                hint: status == .trusted
                    ? tr("Screening treats them as trusted, whatever was decided before.")
                    : isHolding
                        ? tr("New submissions are held outside the queue until the block ends.")
                        : tr("New submissions, resubmissions and appeals are refused."),
                button: isCurrent
                    ? tr("Save changes", context: "contributor status")
                    : status == .blocked ? tr("Block contributor") : tr("Trust contributor"),
                isOpen: typed != nil, reason: text("reason") ?? (isCurrent ? contributor.reason ?? "" : ""),
                choices: Option.list(durations, chosen: until),
                local: text("local") ?? (isCurrent ? contributor.until.map(local) ?? "" : ""),
                zone: text("zone")
                    ?? (isCurrent && contributor.until != nil ? ZoneName.standard : request.zone),
                reasonErrors: isSent ? errors.messages(at: "/reason") : [],
                untilErrors: isSent
                    ? errors.items.filter { $0.pointer.hasPrefix("/until") || $0.pointer == "/zone" }.map(\.message)
                    : [],
                autosave: request.autosave(form(contributor.id, status)))
        }
    }

    private static func title(_ status: ContributorStatus, _ isCurrent: Bool) -> String {
        switch (status, isCurrent) {
        case (.blocked, false): tr("Block", context: "contributor status")
        case (.blocked, true): tr("Change block")
        case (.trusted, false): tr("Trust", context: "contributor status")
        case (.trusted, true): tr("Change trust")
        }
    }

    /// The controls of the form that was sent.
    private static func ids(of request: AdminRequest) -> [String: String] {
        let status = request.form.first("status") ?? ""
        return [
            "/reason": "\(status)-reason", "/until": "\(status)-until", "/until/local": "\(status)-local",
            "/zone": "\(status)-zone",
        ]
    }

    /// The end of a status; nil for no end.
    static func until(_ form: FormFields) throws(Failure) -> SnoozeTime? {
        (form.first("until") ?? "").isEmpty ? nil : try SubmissionActionForms.time(form)
    }

    /// In UTC, to the minute, for an input.
    private static func local(_ date: Date) -> String { String(InstantText.text(date, milliseconds: false).prefix(16)) }

    // MARK: Record

    static func count(_ record: ReputationRecord) -> String {
        CountText.text(record.count, limit: ReputationRecord.limit)
    }

    static func figures(_ record: ReputationRecord) -> [Figure] {
        var figures = [Figure(label: tr("Submissions", context: "contributor"), value: count(record))]
        figures += SubmissionState.allCases.filter { record.count($0) > 0 }.map {
            Figure(label: $0.label, value: String(record.count($0)))
        }
        if record.held > 0 {
            figures.append(Figure(label: tr("Of these, held", context: "contributor"), value: String(record.held)))
        }
        if let percent = record.approvalPercent {
            figures.append(Figure(label: tr("Approval rate"), value: "\(percent) %"))
        }
        if let seconds = record.medianSeconds {
            figures.append(
                Figure(label: tr("Median time to decision"), value: Age.text(seconds: Int(min(seconds, 1e9)))))
        }
        return figures
    }

    private static func states(_ record: ReputationRecord, _ filter: String) -> [(String?, String)] {
        var states: [(String?, String)] = [(nil, tr("All", context: "contributor list") + " (\(count(record)))")]
        for state in SubmissionState.allCases where record.count(state) > 0 || filter == state.rawValue {
            states.append((state.rawValue, "\(state.label) (\(record.count(state)))"))
        }
        if record.held > 0 || filter == "held" {
            states.append(("held", tr("Held", context: "contributor list") + " (\(record.held))"))
        }
        return states
    }
}
