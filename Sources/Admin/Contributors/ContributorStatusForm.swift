// The forms that block and trust a contributor, on the tab of their status.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Store

struct ContributorStatusForm: Encodable, Sendable {
    /// Opens a form from the header of the contributor's page.
    struct Link: Encodable, Sendable {
        let label: String
        let url: String
        let isBlock: Bool
    }

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
    let timeErrors: TimeErrors
    let localErrorID: String
    let autosave: Autosaved?

    static func mayChange(_ request: AdminRequest) -> Bool {
        request.actor.may(.decide) && request.actor.scope.isAll
    }

    /// The statuses that the page has a form for.
    private static func statuses(of contributor: ReputationRow) -> [ContributorStatus] {
        [.blocked, .trusted].filter { !contributor.isFromForm || $0 == .blocked }
    }

    /// The URL that opens the form of a status.
    private static func form(_ id: ID<Contributor>, _ status: ContributorStatus) -> String {
        AdminURL.contributorStatus(id) + "#\(status.rawValue)"
    }

    static func links(_ contributor: ReputationRow, _ request: AdminRequest) -> [Link] {
        guard mayChange(request) else { return [] }
        return statuses(of: contributor).reversed().map { status in
            Link(
                label: title(status, contributor.status == status) + "…",
                url: AdminURL.contributorStatus(contributor.id, query: ["open": status.rawValue])
                    + "#\(status.rawValue)",
                isBlock: status == .blocked)
        }
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

    static func load(
        _ contributor: ReputationRow, _ request: AdminRequest, _ restored: [ContributorStatus: FormFields],
        _ errors: FieldErrors
    ) -> [ContributorStatusForm] {
        let sent = errors.isEmpty ? nil : request.form.first("status").flatMap(ContributorStatus.init)
        let isHolding = request.services.blocked == .hold
        return statuses(of: contributor).map { status in
            let isSent = sent == status
            let typed = isSent ? request.form : restored[status]
            let isCurrent = contributor.status == status
            func text(_ name: String) -> String? { typed?.first(name) }
            let until = text("until") ?? (isCurrent && contributor.until != nil ? "at" : "")
            return ContributorStatusForm(
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
                isOpen: typed != nil || request.query.first("open") == status.rawValue,
                reason: text("reason") ?? (isCurrent ? contributor.reason ?? "" : ""),
                choices: Option.list(durations, chosen: until),
                local: text("local") ?? (isCurrent ? contributor.until.map(Instant.local) ?? "" : ""),
                zone: text("zone")
                    ?? (isCurrent && contributor.until != nil ? Instant.zone : request.zone),
                reasonErrors: isSent ? errors.messages(at: "/reason") : [],
                untilErrors: isSent ? errors.messages(at: "/until") : [],
                timeErrors: TimeErrors(until: isSent ? errors : FieldErrors(), prefix: "\(status)-"),
                localErrorID: "\(status)-local-error",
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
    static func ids(of request: AdminRequest) -> [String: String] {
        let status = request.form.first("status") ?? ""
        return [
            "/reason": "\(status)-reason", "/until": "\(status)-until", "/until/local": "\(status)-local",
            "/until/zone": "\(status)-zone", "/zone": "\(status)-zone",
        ]
    }

    /// The end of a status; nil for no end.
    static func until(_ form: FormFields) throws(Failure) -> SnoozeTime? {
        (form.first("until") ?? "").isEmpty ? nil : try SubmissionActionForms.time(form)
    }
}
