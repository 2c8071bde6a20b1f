// What a contributor has sent: every submission with its outcome, and the bulk actions on pending ones.
import Domain
import HTTP
import Localization
import Store

struct ContributorSubmissions: Encodable, Sendable {
    private static let perPage = 25

    let header: ContributorPage
    let states: [PageContext.Link]
    let lines: [ContributorPage.Line]
    let isFiltered: Bool
    let allURL: String
    let hasQueued: Bool
    let canDecide: Bool
    let record: [ContributorPage.Figure]
    /// Set if counts leave out older submissions.
    let recordLimit: String?
    let lastSeen: Instant?
    /// Masked.
    let email: String?
    let queueURL: String
    /// Of the pending ones that are not held.
    let pending: String?
    let bulkActionURL: String
    let first: String?
    let next: String?

    static func load(_ request: AdminRequest, _ contributor: ReputationRow) async throws -> ContributorSubmissions {
        let store = request.database.reputations
        let wanted = request.query.first("state") ?? ""
        let (state, isHeld) = (SubmissionState(rawValue: wanted), wanted == held)
        let filter = state != nil || isHeld ? wanted : ""
        let cursor = request.cursor
        async let header = ContributorPage.load(request, contributor, .submissions)
        async let recorded = store.record(of: contributor.id)
        let page = try await store.submissions(
            of: contributor.id, state: state, isHeld: isHeld, cursor: cursor, limit: perPage)
        let thumbnails = try await request.database.thumbnails.of(submissions: page.items.map(\.id))
        let record = try await recorded
        func url(_ state: String?, _ cursor: String? = nil) -> String {
            AdminURL.contributor(contributor.id, query: ["state": state, "cursor": cursor])
        }
        let waiting = record.count(.pending) - record.held
        return ContributorSubmissions(
            header: try await header,
            states: states(record, filter).map { state, label in
                PageContext.Link(label: label, url: url(state), isHere: (state ?? "") == filter)
            },
            lines: page.items.map { row in
                var line = ContributorPage.Line(row, request)
                line.thumbnail = thumbnails[row.id].map(ThumbnailView.init)
                return line
            },
            isFiltered: !filter.isEmpty, allURL: url(nil), hasQueued: page.items.contains(where: \.isQueued),
            canDecide: request.actor.may(.decide), record: ContributorPage.figures(record),
            recordLimit: record.count >= ReputationRecord.limit ? String(ReputationRecord.limit) : nil,
            lastSeen: record.lastSeen.map { Instant($0) }, email: record.email.map(EmailAddress.masked),
            queueURL: AdminURL.queue(query: ["contributor": contributor.id]),
            pending: waiting > 0 ? String(waiting) : nil,
            bulkActionURL: AdminURL.bulkActions(query: ["contributor": contributor.id]),
            first: cursor.map { _ in url(filter) }, next: page.next.map { url(filter, $0) })
    }

    private static let held = "held"

    private static func states(_ record: ReputationRecord, _ filter: String) -> [(String?, String)] {
        let all = tr("All", context: "contributor list") + " (\(ContributorPage.count(record)))"
        var states: [(String?, String)] = [(nil, all)]
        for state in SubmissionState.allCases where record.count(state) > 0 || filter == state.rawValue {
            states.append((state.rawValue, "\(state.label) (\(record.count(state)))"))
        }
        if record.held > 0 || filter == held {
            states.append((held, tr("Held", context: "contributor list") + " (\(record.held))"))
        }
        return states
    }
}
