// Checks whether a submission is in an account's access scope, by its type and requested category.
import Domain
import Localization
import Store

extension Stores {
    package func isWithin(_ scope: AccessScope, _ submission: SubmissionRow) async throws -> Bool {
        guard scope.contains(type: submission.type) else { return false }
        guard !scope.groups.isEmpty, let requested = submission.requestedCategory else { return true }
        let groups = try await CategoryDirectory.load(self).groups(requested: requested)
        return scope.contains(type: submission.type, groups: groups)
    }

    /// A queue filter that matches the submissions in the scope.
    package func queueFilter(within scope: AccessScope) async throws -> QueueFilter {
        var filter = QueueFilter()
        filter.types = scope.types
        if !scope.groups.isEmpty {
            filter.excludedCategories = try await CategoryDirectory.load(self).names(outsideOf: scope.groups)
        }
        return filter
    }

    func require(_ actor: Actor, mayAccess submission: SubmissionRow) async throws {
        if try await isWithin(actor.scope, submission) { return }
        throw Failure.forbidden(tr("This submission is outside your access scope."))
    }

    func require(_ actor: Actor, mayAccess submissions: [ID<Submission>]) async throws {
        if actor.scope.isAll { return }
        let filter = try await queueFilter(within: actor.scope)
        if try await queue.countOutside(filter, among: submissions) == 0 { return }
        throw Failure.forbidden(tr("Some of these submissions are outside your access scope."))
    }
}
