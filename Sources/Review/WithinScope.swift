// Whether a submission is within what somebody works on, by its type and by the category that it wishes for.
import Domain
import Store

extension Stores {
    package func isWithin(_ scope: AccessScope, _ submission: SubmissionRow) async throws -> Bool {
        guard scope.holds(type: submission.type) else { return false }
        guard !scope.groups.isEmpty, let requested = submission.requestedCategory else { return true }
        let groups = try await CategoryDirectory.load(self).groups(requested: requested)
        return scope.holds(type: submission.type, groups: groups)
    }

    /// A filter of the queue that lets through what is within.
    package func queueFilter(within scope: AccessScope) async throws -> QueueFilter {
        var filter = QueueFilter()
        filter.types = scope.types
        if !scope.groups.isEmpty {
            filter.unwished = try await CategoryDirectory.load(self).words(outsideOf: scope.groups)
        }
        return filter
    }

    func require(_ actor: Actor, worksOn submission: SubmissionRow) async throws {
        if try await isWithin(actor.scope, submission) { return }
        throw Failure.forbidden("This submission is outside of what you work on.")
    }

    func require(_ actor: Actor, worksOn submissions: [ID<Submission>]) async throws {
        if actor.scope.isAll { return }
        let filter = try await queueFilter(within: actor.scope)
        if try await queue.countOutside(filter, among: submissions) == 0 { return }
        throw Failure.forbidden("Some of these submissions are outside of what you work on.")
    }
}
