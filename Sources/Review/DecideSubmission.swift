// Decides about a submission: accept, reject, return or mark as duplicate, with everything that follows from it.
import Domain
import Store

/// What a decision led to, for the sentence that is shown after it.
package struct DecisionOutcome: Sendable {
    package let state: SubmissionState
    package let entry: ID<Entry>?
    package let isApproved: Bool
    package let publication: Int64?
    package let release: Int64?
}

package struct DecideSubmission: Sendable {
    private let database: Database
    private let rules: ContentRules

    package init(database: Database, rules: ContentRules) {
        self.database = database
        self.rules = rules
    }

    /// Decides. `version` is the number of decisions the decider has seen (nil: does not matter); another number is a
    /// conflict. An accepted submission becomes an entry with an approved revision, in one transaction with the
    /// decision, its audit event and, when it is to go live now, the publication (R3, R4).
    package func callAsFunction(
        _ id: ID<Submission>, _ draft: Decision.Draft, version: Int?, by actor: Actor
    ) async throws -> DecisionOutcome {
        guard let submission = try await database.submissions.find(id) else { throw Failure.missing("submission") }
        return try await self(submission, draft, version: version, by: actor)
    }

    /// The same for a submission that was read already. With `respectsClaims` a lease that somebody else holds is a
    /// conflict that names its holder.
    package func callAsFunction(
        _ submission: SubmissionRow, _ draft: Decision.Draft, version: Int?, respectsClaims: Bool = false,
        by actor: Actor
    ) async throws -> DecisionOutcome {
        try actor.require(.decide, "decide about submissions")
        let id = submission.id
        if let version, version != submission.version {
            throw Failure.conflict(code: "stale", message: "Someone else has decided about this submission meanwhile.")
        }
        try draft.check(on: submission.state)
        let acceptance = draft.verdict == .accept ? try await prepare(submission, draft, by: actor) : nil
        let event = AuditEvent(
            "submission.\(draft.verdict.rawValue)", on: "submission", id.description,
            detail: Self.detail(draft, from: submission.state))
        return try await database.change(by: actor, event) { change in
            if submission.state == .pending {
                try await take(id, respecting: respectsClaims ? actor.id.map { ID($0) } : nil, change)
            }
            try await change.decisions.add(
                submission.version + 1, on: id, verdict: draft.verdict.rawValue, reason: draft.reason?.rawValue,
                message: draft.message, by: actor)
            guard let acceptance else {
                return DecisionOutcome(
                    state: draft.verdict.state, entry: nil, isApproved: false, publication: nil, release: nil)
            }
            return try await acceptance.carryOut(change)
        }
    }

    private func take(_ id: ID<Submission>, respecting account: ID<Account>?, _ change: Change) async throws {
        if try await change.queue.take(id, respectingOthersOf: account) { return }
        if let holder = try await change.queue.find(id) {
            throw Failure.conflict(
                code: "claimed", message: "\(holder.claimedBy ?? "Someone else") is looking at this submission now.")
        }
        throw Failure.conflict(code: "already_decided", message: "Someone else has decided this meanwhile.")
    }

    /// Checks all that accepting needs before anything is written.
    private func prepare(_ submission: SubmissionRow, _ draft: Decision.Draft, by actor: Actor) async throws
        -> Acceptance
    {
        let type = try rules.type(named: submission.type)
        var raw = draft.edits ?? submission.fields
        let feeds = draft.feeds.isEmpty ? Self.references(raw["feeds"]) : draft.feeds
        var categories = draft.categories.isEmpty ? Self.references(raw["categories"]) : draft.categories
        if categories.isEmpty { categories = [try await category(wished: submission.wishedCategory)] }
        if type.field("feeds") != nil { raw["feeds"] = .array(feeds.map { .string($0.description) }) }
        if type.field("categories") != nil { raw["categories"] = .array(categories.map { .string($0.description) }) }
        let content = try rules.check(raw, as: type, for: .revision)
        if case .at(let time) = draft.goLive { _ = try await database.releases.instant(of: time) }
        let isTrusted = try await mayGoLive(feeds, by: actor)
        if !isTrusted, draft.goLive != .approveOnly {
            throw Failure.forbidden(
                "You may not publish into these feeds; choose \"approve later\", and an editor will see it.")
        }
        let wasEdited = draft.edits.map { $0 != submission.fields } ?? false
        return Acceptance(
            submission: submission, type: type, content: content, plain: rules.plain(content, in: type),
            goLive: draft.goLive, approves: isTrusted || actor.may(.approve),
            author: wasEdited ? actor : Actor(kind: .system, name: "contributor"))
    }

    /// Publishers may always; others into feeds that go live on acceptance. A tool that reviews may also without a feed.
    private func mayGoLive(_ feeds: [ID<Entry>], by actor: Actor) async throws -> Bool {
        if actor.may(.publish) { return true }
        if feeds.isEmpty { return actor.kind == .client }
        return try await database.entries.areLiveOnAcceptance(feeds)
    }

    /// The category that was wished for, where there is one of that name; the seeded "Unsorted" otherwise (A8).
    private func category(wished: String?) async throws -> ID<Entry> {
        guard let wished, !wished.isEmpty else { return SeedEntry.unsorted }
        return try await CategoryDirectory.load(database).meant(by: wished)?.id ?? SeedEntry.unsorted
    }

    private static func references(_ value: JSONValue?) -> [ID<Entry>] {
        (value?.arrayValue ?? []).compactMap { $0.stringValue.flatMap(ID<Entry>.init) }
    }

    private static func detail(_ draft: Decision.Draft, from state: SubmissionState) -> [String: JSONValue] {
        var detail: [String: JSONValue] = [
            "from": .string(state.rawValue), "to": .string(draft.verdict.state.rawValue),
        ]
        if let reason = draft.reason { detail["reason"] = .string(reason.rawValue) }
        if draft.edits != nil { detail["edited"] = .bool(true) }
        return detail
    }
}
