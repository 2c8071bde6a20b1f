// The tabs above the queue: lists that everybody needs and saved views, each with its number of submissions.
import Domain
import FoundationEssentials
import Localization
import Operations
import Store

struct QueueTab: Encodable, Sendable {
    /// The name under which the count is updated live.
    let key: String
    let label: String
    let url: String
    let count: String
    /// `bad` where a count is a problem.
    var tone: String?
    /// Who shares a view; nil for one's own, and for what everybody has.
    var owner: String?
    let isCurrent: Bool
}

struct QueueTabs: Sendable {
    /// Counting stops here, regardless of the queue's size.
    static let limit = 1000
    /// Views with a tab; the others are in the menu.
    private static let views = 10

    private struct List {
        let key: String
        let label: String
        let query: QueueQuery
        var tone: String?
        var owner: String?
    }

    private let lists: [List]
    private let counts: [Int]
    let views: [SavedViewRow]

    static func load(_ request: AdminRequest) async throws -> QueueTabs {
        guard let account = request.session?.account else { throw Failure.missing("page") }
        async let rules = request.database.screenings.current()
        let views = try await request.database.savedViews.visible(to: account)
        let high = try await rules.map { try ScreeningRules(reading: $0.rules).high }
        let hours = request.services.reviewPolicy.targetHours
        var lists = [
            List(key: "pending", label: tr("All pending", context: "queue"), query: QueueQuery(queryString: "")),
            List(
                key: "mine", label: tr("Claimed by you", context: "queue"),
                query: QueueQuery(queryString: "claim=mine")),
            List(
                key: "assigned", label: tr("Assigned to you", context: "queue"),
                query: QueueQuery(queryString: "assignee=me")),
            List(
                key: "overdue", label: tr("Over \(hours) h", context: "queue"),
                query: QueueQuery(queryString: "age=\(hours)"), tone: "bad"),
        ]
        if let high {
            lists.append(
                List(
                    key: "risky", label: tr("High risk", context: "queue"),
                    query: QueueQuery(queryString: "score=\(high)")))
        }
        lists.append(
            List(
                key: "resubmitted", label: tr("Resubmitted", context: "queue"),
                query: QueueQuery(queryString: "reopened_by=resubmit")))
        lists.append(
            List(
                key: "appeals", label: tr("Appeals", context: "queue"),
                query: QueueQuery(queryString: "reopened_by=appeal")))
        lists += views.prefix(Self.views).map { view in
            List(
                key: view.id.description, label: view.name, query: QueueQuery(queryString: view.query),
                owner: view.owner == account ? nil : view.ownerName)
        }
        var filters: [QueueFilter] = []
        for list in lists { filters.append(try await list.query.filter(for: request)) }
        return QueueTabs(
            lists: lists, counts: try await request.database.queue.counts(filters, limit: limit), views: views)
    }

    var pending: Int { counts.first ?? 0 }

    /// `current`: the query of the page.
    func tabs(_ current: QueueQuery?) -> [QueueTab] {
        zip(lists, counts).map { list, count in
            QueueTab(
                key: list.key, label: list.label, url: list.query.url(AdminURL.queue()), count: Self.text(count),
                tone: count > 0 ? list.tone : nil, owner: list.owner,
                isCurrent: list.query.queryString() == current?.queryString())
        }
    }

    /// The texts of the counts, by the names of the tabs.
    var texts: [String: String] {
        Dictionary(zip(lists, counts).map { ($0.key, Self.text($1)) }) { first, _ in first }
    }

    /// Also of none, so that all tabs are spaced alike and none moves when its first submission comes.
    private static func text(_ count: Int) -> String { CountText.text(count, limit: limit) }
}
