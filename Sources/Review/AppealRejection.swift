// Takes a contributor's appeal against a rejection: one for each submission, decided by somebody else.
import Domain
import Store

package struct AppealRejection: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    package func callAsFunction(
        _ followed: FollowedSubmission, _ text: String, from address: String, requestID: String? = nil
    ) async throws {
        let text = try Appeal.check(text.replacing("\r\n", with: "\n"))
        guard followed.row.state == .rejected, let rejection = followed.standing.decision else {
            throw Failure.conflict(code: "not_rejected", message: "There is nothing to appeal against now.")
        }
        let id = followed.row.id
        let actor = Actor(kind: .system, name: "contributor", requestID: requestID, address: address)
        try await database.change(by: actor, AuditEvent("submission.appeal", on: "submission", id.description)) {
            change in
            // A second one is refused by the database: decision_one_appeal.
            try await change.decisions.add(
                followed.row.version + 1, on: id, verdict: "appeal", reason: nil, message: text, answers: rejection,
                by: actor)
            try await change.queue.putBack([id])
        }
    }
}
