// What waits for the signed-in person, for the menu in the header of every page.
import Domain
import Localization
import Store

struct Notifications: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let label: String
        let url: String
        let count: String
    }

    let lines: [Line]
    /// The sum; nil for none.
    let count: String?
    /// For screen readers.
    let label: String

    /// `mayOpen`: whether the person may open a page.
    init(_ session: SessionRow, failedReleases: Int, failedTasks: Int, mayOpen: (String) -> Bool) {
        let counts = session.counts
        func queue(_ label: String, _ url: String, _ count: Int?) -> (String, String, Int) {
            (label, url, session.role.may(.decide) ? count ?? 0 : 0)
        }
        let all: [(String, String, Int)] = [
            queue(
                tr("Assigned to you", context: "notifications"), AdminURL.queue(query: ["assignee": "me"]),
                counts?.assigned),
            queue(
                tr("Resubmitted after your request"), AdminURL.queue(query: ["reopened_by": "resubmit_to_me"]),
                counts?.resubmitted),
            queue(
                tr("Appeals", context: "notifications"), AdminURL.queue(query: ["reopened_by": "appeal"]),
                counts?.appeals),
            (tr("Mentions", context: "section"), AdminURL.mentions(), counts?.mentions ?? 0),
            (tr("Unfinished", context: "section"), AdminURL.autosaves(), session.unfinished),
            (tr("Reopened releases"), AdminURL.releases(), counts?.reopenedReleases ?? 0),
            (tr("Failed releases", context: "notifications"), AdminURL.releases(), failedReleases),
            (
                tr("Failed background tasks", context: "notifications"), AdminURL.tasks(query: ["state": "failed"]),
                failedTasks
            ),
        ]
        let shown = all.filter { $0.2 > 0 && mayOpen($0.1) }
        lines = shown.map { Line(label: $0.0, url: $0.1, count: CountText.text($0.2, limit: FrameCounts.limit)) }
        let sum = shown.map(\.2).reduce(0, +)
        count = sum == 0 ? nil : CountText.text(sum, limit: FrameCounts.limit)
        label =
            sum == 0
            ? tr("Notifications: none")
            : tr("Notifications: \(CountText.text(sum, limit: FrameCounts.limit))", context: "notifications")
    }
}
