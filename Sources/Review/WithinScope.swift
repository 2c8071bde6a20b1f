// Whether a submission is within what somebody works on, by its type and by the category that it wishes for.
import Domain
import Store

extension Stores {
    package func isWithin(_ scope: WorkScope, _ submission: SubmissionRow) async throws -> Bool {
        guard scope.holds(type: submission.type) else { return false }
        guard !scope.groups.isEmpty, let wished = submission.wishedCategory else { return true }
        let groups = try await CategoryDirectory.load(self).groups(wished: wished)
        return scope.holds(type: submission.type, groups: groups)
    }

    func require(_ actor: Actor, worksOn submission: SubmissionRow) async throws {
        if try await isWithin(actor.scope, submission) { return }
        throw Failure.forbidden("This submission is outside of what you work on.")
    }
}
