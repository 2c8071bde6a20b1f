// Review stages and the approvals of submissions in them.
import Domain
import FoundationEssentials
import Postgres

package struct ReviewStageRow: Sendable {
    package let scope: ReviewScope
    package let stage: ReviewStage

    init(row: Row) throws {
        let group: ID<Entry>? = try row("group_id")
        let type: String? = try row("type")
        scope = group.map { .group($0) } ?? .type(type ?? "")
        stage = ReviewStage(
            name: try row("name"), role: try row("role"), requiredApprovals: try row("required_approvals"))
    }
}

/// The progress of a submission in one stage.
package struct StageProgress: Sendable {
    package let id: UUID
    package let stage: ReviewStage
    package let approvals: Int
    package var isDone: Bool { approvals >= stage.requiredApprovals }

    init(row: Row) throws {
        id = try row("stage_id")
        stage = ReviewStage(
            name: try row("name"), role: try row("role"), requiredApprovals: try row("required_approvals"))
        approvals = try row("approvals")
    }
}

/// One person's approval of a submission.
package struct SubmissionApprovalRow: Sendable {
    package let stage: UUID
    package let by: String
    package let byID: UUID
    package let at: Date
}

package struct ReviewStageStore: Sendable {
    let connection: StoreConnection

    /// Active stages, plan by plan.
    package func list() async throws -> [ReviewStageRow] {
        try await connection.rows(
            """
            select type, group_id, name, \(Role.column("role")) as role, required_approvals::integer as required_approvals
            from curation.review_stage
            where archived_at is null order by type, group_id, number
            """, ReviewStageRow.init)
    }

    /// The progress of submissions if approved into these categories; omits submissions without stages.
    package func stageProgress(
        _ all: [(submission: ID<Submission>, categories: [ID<Entry>])]
    ) async throws -> [ID<Submission>: [StageProgress]] {
        let categories = all.map { "{\($0.categories.map(\.description).joined(separator: ","))}" }
        let rows = try await connection.rows(
            """
            select submission_id, stage_id, name, \(Role.column("role")) as role, required_approvals, approvals
            from curation.stages_of(\(all.map(\.submission))::uuid[], \(categories)::text[])
            order by submission_id, number, stage_id
            """
        ) {
            (submission: try $0("submission_id") as ID<Submission>, progress: try StageProgress(row: $0))
        }
        return Dictionary(grouping: rows, by: \.submission).mapValues { $0.map(\.progress) }
    }

    /// The progress of a submission, after `version` decisions, if approved into categories of each of these groups
    /// alone; omits groups without stages.
    package func stageProgress(
        of id: ID<Submission>, version: Int, in groups: [ID<Entry>]
    ) async throws -> [ID<Entry>: [StageProgress]] {
        let rows = try await connection.rows(
            """
            select g.id as group_id, t.id as stage_id, t.name, \(Role.column("t.role")) as role,
                t.required_approvals::integer as required_approvals, (
                    select count(*)::integer from curation.submission_approval a
                    where a.submission_id = s.id and a.stage_id = t.id and a.version = \(version) and a.undone_at is null
                ) as approvals
            from unnest(\(groups)::uuid[]) g (id)
            join curation.submission s on s.id = \(id)
            join curation.review_stage t on t.archived_at is null and (t.type = s.type or t.group_id = g.id)
            order by g.id, t.number, t.id
            """
        ) { (group: try $0("group_id") as ID<Entry>, progress: try StageProgress(row: $0)) }
        return Dictionary(grouping: rows, by: \.group).mapValues { $0.map(\.progress) }
    }

    /// The approvals of a submission in its current version, after `version` decisions.
    package func approvals(of id: ID<Submission>, version: Int) async throws -> [SubmissionApprovalRow] {
        try await connection.rows(
            """
            select a.stage_id, n.name, a.approved_by, a.approved_at from curation.submission_approval a
            join ops.actor n on n.id = a.approved_by
            where a.submission_id = \(id) and a.version = \(version) and a.undone_at is null order by a.approved_at, a.id
            """
        ) {
            SubmissionApprovalRow(
                stage: try $0("stage_id"), by: try $0("name"), byID: try $0("approved_by"), at: try $0("approved_at"))
        }
    }

    /// How many people could approve, by role.
    package func people() async throws -> [Role: Int] {
        let rows = try await connection.rows(
            """
            select \(Role.column("a.role")) as role, a.n
            from (select role, count(*) as n from ops.account where disabled_at is null group by role) a
            """
        ) { (try $0("role") as Role, try $0("n") as Int) }
        return Dictionary(rows) { first, _ in first }
    }

    // MARK: Changes

    /// Replaces the stages of a scope; an empty list removes them.
    package func replace(_ scope: ReviewScope, with stages: [ReviewStage]) async throws {
        let type: String? = if case .type(let name) = scope { name } else { nil }
        let group: ID<Entry>? = if case .group(let id) = scope { id } else { nil }
        try await connection.run(
            """
            update curation.review_stage set archived_at = clock_timestamp()
            where archived_at is null and (type = \(type)::text or group_id = \(group)::uuid)
            """)
        try await connection.run(
            """
            insert into curation.review_stage (type, group_id, number, name, role, required_approvals)
            select \(type)::text, \(group)::uuid, s.number, s.name, s.role, s.required_approvals
            from unnest(\(stages.map(\.name))::text[], \(stages.map(\.role.name))::text[],
                \(stages.map(\.requiredApprovals))::integer[]) with ordinality s (name, role, required_approvals, number)
            """)
    }

    package func addApproval(to id: ID<Submission>, in stage: UUID, version: Int, by actor: Actor) async throws {
        try await connection.run(
            """
            insert into curation.submission_approval (submission_id, stage_id, version, approved_by, role)
            values (\(id), \(stage), \(version), \(actor.rowID), \(actor.role)::text)
            """)
    }

    /// Withdraws the actor's approval; false when there is none.
    package func withdrawApproval(_ id: ID<Submission>, version: Int, by actor: Actor) async throws -> Bool {
        try await connection.run(
            """
            update curation.submission_approval set undone_at = clock_timestamp()
            where submission_id = \(id) and version = \(version) and approved_by = \(actor.rowID) and undone_at is null
            """) > 0
    }
}

extension Stores {
    /// The progress of the rows of a list.
    package func stageProgress(of rows: [QueueRow]) async throws -> [ID<Submission>: [StageProgress]] {
        try await stageProgress(approving: rows.map { ($0.id, $0.requestedCategory) })
    }

    /// The progress of submissions, each as if approved unchanged: into the categories that it names, else into the
    /// requested one, else into the default category.
    package func stageProgress(
        approving all: [(submission: ID<Submission>, requestedCategory: String?)]
    ) async throws -> [ID<Submission>: [StageProgress]] {
        let plans = try await reviewStages.list()
        if plans.isEmpty || all.isEmpty { return [:] }
        let hasGroups = plans.contains(where: \.scope.isGroup)
        if !hasGroups { return try await reviewStages.stageProgress(all.map { ($0.submission, []) }) }
        let named = try await submissions.categories(namedBy: all.map(\.submission))
        let directory = try await CategoryDirectory.load(self)
        let names = directory.names()
        return try await reviewStages.stageProgress(
            all.map { submission, requested in
                let category = requested.flatMap { names.find($0).only } ?? SeedEntry.unsorted
                return (submission, named[submission].map(directory.mergeTargets) ?? [category])
            })
    }
}
