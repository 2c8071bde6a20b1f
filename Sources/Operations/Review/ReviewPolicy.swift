// How submissions are reviewed: the settings `review.*` and `claim.*`. Every action that decides gets all of it, so that a
// setting means the same in the browser, in bulk, in the API and on the command line.
import Domain
import Platform
import Store

package struct ReviewPolicy: Sendable {
    /// Whether opening a submission claims it.
    package var claimsOnOpen: Bool
    /// Minutes until a claim expires without renewal.
    package var claimMinutes: Int
    /// Hours until a pending submission is overdue.
    package var targetHours: Int
    /// Minutes to undo a decision before its contributor is notified.
    package var undoWindowMinutes: Int
    /// Seconds between an approval and its publication, in which it can be undone unseen.
    package var publishDelaySeconds: Int
    /// Whether only the assignee or an administrator may decide an assigned submission. Operators count as administrators.
    package var assignedOnly: Bool
    /// Days that a status page stays open after the latest action.
    package var statusDays: Int

    package init(_ settings: Settings) {
        claimsOnOpen = settings.review.claimsOnOpen
        claimMinutes = settings.claim.wholeSeconds / 60
        targetHours = settings.review.targetHours
        undoWindowMinutes = settings.review.undoWindowMinutes
        publishDelaySeconds = settings.review.publishDelaySeconds
        assignedOnly = settings.review.assignedOnly
        statusDays = settings.review.statusDays
    }

    /// Throws at `/publish` for a time that has passed. An approval that publishes now is scheduled for the end of the delay
    /// instead, which is checked no more: the delay may pass while the approval is prepared.
    func delayed(_ draft: Decision.Draft, _ stores: some Stores) async throws -> Decision.Draft {
        if let time = draft.publishTiming.time { try await stores.releases.requireFuture(time) }
        guard draft.publishTiming == .now, publishDelaySeconds > 0 else { return draft }
        var later = draft
        later.publishTiming = .at(try await stores.releases.time(in: publishDelaySeconds))
        return later
    }
}
