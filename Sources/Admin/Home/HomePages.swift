// The home page: what needs attention, is unfinished or published next, decisions per day, recent activity and first steps.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Store

enum HomePages {
    private static let shownAutosaves = 5
    private static let shownActivities = 8

    private struct Step: Encodable, Sendable {
        let label: String
        let url: String?
        let isDone: Bool
        /// A command to type.
        var command: String?
    }

    private struct Checklist: Encodable, Sendable {
        let steps: [Step]
        let done: Int
    }

    private struct Model: Encodable, Sendable {
        let name: String
        /// The date and time in the person's zone.
        let now: String
        let attention: [AttentionLine]
        /// Nil for none.
        let attentionCount: Int?
        /// The forms with text that is not saved, newest first.
        let unfinished: [AutosavePages.Line]
        let unfinishedCount: Int
        /// Whether there are more than are shown.
        let hasMoreUnfinished: Bool
        let pending: String?
        let next: PublishingNext
        let chart: DecisionChart
        let activities: [ActivityLine]
        let mayOpenAudit: Bool
        let checklist: Checklist?
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        let database = request.database
        let now = try await database.schedule.now(in: request.zone)
        async let attention = AttentionList.load(request)
        async let next = PublishingNext.load(request, now: now)
        async let days = request.context.decisionDays.last(DecisionChart.count, database)
        async let activities = ActivityLine.load(request, limit: shownActivities)
        async let checklist = checklist(request)
        async let unfinished = unfinished(request)
        let autosaves = try await unfinished
        let lines = try await attention
        let pending: String? = request.session?.counts?.pending.flatMap {
            $0 == 0 ? nil : CountText.text($0, limit: FrameCounts.limit)
        }
        let model = Model(
            name: request.session?.name.split(separator: " ").first.map(String.init) ?? "",
            now: SchedulePeriod.label(ofTime: now, zone: request.zone), attention: lines,
            // What is pending is a line below others.
            attentionCount: lines.isEmpty ? nil : lines.count + (pending == nil ? 0 : 1),
            unfinished: autosaves.prefix(shownAutosaves).map(AutosavePages.Line.init),
            unfinishedCount: request.session?.unfinished ?? 0,
            hasMoreUnfinished: autosaves.count > shownAutosaves,
            pending: pending, next: try await next, chart: DecisionChart(try await days),
            activities: try await activities, mayOpenAudit: request.mayOpen(AdminURL.audit()),
            checklist: try await checklist)
        return try request.page("admin/home/show", model, title: tr("Home", context: "navigation"))
    }

    /// One more than are shown; without a request if the session says that there are none.
    private static func unfinished(_ request: AdminRequest) async throws -> [AutosaveLine] {
        guard let session = request.session, session.unfinished > 0 else { return [] }
        return try await request.database.autosaves.list(of: session.account, limit: shownAutosaves + 1)
    }

    // MARK: Checklist

    /// For administrators, who can do all steps.
    private static func checklist(_ request: AdminRequest) async throws -> Checklist? {
        guard request.actor.may(.administer), request.actor.scope.isAll,
            let facts = try await request.database.checklist.facts(), !facts.isComplete
        else { return nil }
        let steps = [
            Step(label: tr("Invite a colleague"), url: AdminURL.accounts(), isDone: facts.hasColleague),
            Step(
                label: tr("Create a feed"), url: AdminURL.entryNew(query: ["type": "feed"]), isDone: facts.hasFeed),
            Step(label: tr("Create an API client"), url: AdminURL.clients(), isDone: facts.hasClient),
            Step(
                label: tr("Send a first submission"), url: nil, isDone: facts.hasSubmission,
                command: "curl -u CLIENT:SECRET -H 'Content-Type: application/json' "
                    + "-d '{\"type\":\"article\",\"contributor\":\"you\",\"fields\":{\"title\":\"Hello\",\"body\":\"<p>Hello.</p>\"}}' "
                    + "\(request.origin)/v1/submissions"),
            Step(label: tr("Approve it", context: "checklist"), url: AdminURL.queue(), isDone: facts.hasApproval),
            Step(
                label: tr("Read it from your app"), url: nil, isDone: facts.hasRead,
                command: "curl -u CLIENT:SECRET \(request.origin)/v1/items"),
        ]
        return Checklist(steps: steps, done: steps.count(where: \.isDone))
    }

    static func dismissChecklist(_ request: AdminRequest) async throws -> Response {
        try await request.services.dismissChecklist(by: request.actor)
        return request.redirect(to: AdminURL.home(), Flash(tr("Checklist hidden.")))
    }
}
