// Screening: versions of the rules, and the result for each submission.
import Domain
import FoundationEssentials
import Postgres

/// One version of the rules.
package struct ScreeningRulesRow: Sendable {
    package let version: Int
    package let rules: JSONValue
    package let note: String
    package let createdBy: String
    package let createdAt: Date
    /// How many past decisions the trial used; nil without a trial.
    package let decisions: Int?
    package let trial: JSONValue?
    /// The active version.
    package let isActive: Bool

    init(row: Row) throws {
        version = try row("version")
        rules = try row("rules")
        note = try row("note")
        createdBy = try row("created_by_name")
        createdAt = try row("created_at")
        decisions = try row("decisions")
        trial = try row("result")
        isActive = try row("is_on")
    }
}

/// The screening result of a submission.
package struct ScreeningRow: Sendable {
    package struct Reason: Sendable {
        package let points: Int
        package let message: String
    }

    package let version: Int
    package let score: Int
    package let level: RiskLevel
    package let trust: Int
    package let reasons: [Reason]
    package let screenedAt: Date

    /// Reads `columns`; nil when the submission is not screened.
    init?(joined row: Row) throws {
        guard let version: Int = try row("screening_version"), let reasons: JSONValue = try row("reasons") else {
            return nil
        }
        self.version = version
        score = try row("score")
        level = RiskLevel(rawValue: try row("level")) ?? .low
        trust = try row("trust")
        screenedAt = try row("screened_at")
        self.reasons = (reasons.arrayValue ?? []).map {
            Reason(points: Int($0["points"]?.integerValue ?? 0), message: $0["message"]?.stringValue ?? "")
        }
    }

    /// Columns of `curation.screening n`.
    static let columns: SQL = """
        n.version as screening_version, n.score::integer as score, n.level, n.trust::integer as trust, n.reasons, n.screened_at
        """
}

/// A screening result to save.
package struct NewScreening: Sendable {
    package let submission: UUID
    package let screening: Screening
    /// The data it was computed from.
    package let inputs: JSONValue

    package init(submission: UUID, screening: Screening, inputs: JSONValue) {
        (self.submission, self.screening, self.inputs) = (submission, screening, inputs)
    }
}

package struct ScreeningStore: Sendable {
    let connection: StoreConnection

    private static let lines: SQL = """
        select r.version, r.rules, r.note, a.name as created_by_name, r.created_at, t.decisions, t.result,
            r.version = (select version from curation.screening_activation order by number desc limit 1) as is_on
        from curation.screening_rules r join ops.actor a on a.id = r.created_by
        left join curation.screening_trial t on t.version = r.version
        """

    /// Newest first.
    package func versions(limit: Int = 50) async throws -> [ScreeningRulesRow] {
        try await connection.rows("\(Self.lines) order by r.version desc limit \(limit)", ScreeningRulesRow.init)
    }

    package func find(version: Int) async throws -> ScreeningRulesRow? {
        try await connection.first("\(Self.lines) where r.version = \(version)", ScreeningRulesRow.init)
    }

    /// The active version.
    package func current() async throws -> ScreeningRulesRow? {
        try await connection.first(
            """
            \(Self.lines)
            where r.version = (select version from curation.screening_activation order by number desc limit 1)
            """, ScreeningRulesRow.init)
    }

    package func find(_ id: ID<Submission>) async throws -> ScreeningRow? {
        try await connection.rows(
            "select \(ScreeningRow.columns) from curation.screening n where n.submission_id = \(id)"
        ) { try ScreeningRow(joined: $0) }.first ?? nil
    }

    // MARK: Rules

    package func add(_ rules: ScreeningRules, note: String, by actor: Actor) async throws -> Int {
        try await connection.first(
            """
            insert into curation.screening_rules (version, rules, note, created_by)
            select coalesce(max(version), 0) + 1, \(rules.json)::jsonb, \(note), \(actor.rowID) from curation.screening_rules
            returning version
            """
        ) { try $0("version") } ?? 0
    }

    package func add(trial result: JSONValue, decisions: Int, of version: Int) async throws {
        try await connection.run(
            """
            insert into curation.screening_trial (version, decisions, result)
            values (\(version), \(decisions), \(result)::jsonb) on conflict (version) do nothing
            """)
    }

    package func activate(_ version: Int, by actor: Actor) async throws {
        try await connection.run(
            """
            insert into curation.screening_activation (number, version, created_by)
            select max(number) + 1, \(version), \(actor.rowID) from curation.screening_activation
            """)
    }

    // MARK: Results

    /// Saves results and updates the queue's order by risk, in one statement.
    package func save(_ all: [NewScreening], version: Int) async throws {
        if all.isEmpty { return }
        let reasons = all.map { found in
            JSONValue.array(
                found.screening.reasons.map {
                    .object([
                        "rule": .string($0.rule), "points": .int(Int64($0.points)), "message": .string($0.message),
                    ])
                }
            ).canonicalText
        }
        try await connection.run(
            """
            with input as materialized (
                select * from unnest(\(all.map(\.submission))::uuid[], \(all.map(\.screening.score))::integer[],
                    \(all.map(\.screening.level.rawValue))::text[], \(all.map(\.screening.trust))::integer[],
                    \(reasons)::text[], \(all.map(\.inputs.canonicalText))::text[])
                i (id, score, level, trust, reasons, inputs)),
            queued as (
                update curation.queue_item q set risk_order = 100 - i.score from input i where q.submission_id = i.id)
            insert into curation.screening (submission_id, version, score, level, trust, reasons, inputs)
            select id, \(version)::integer, score, level, trust, reasons::jsonb, inputs::jsonb from input
            on conflict (submission_id) do update set version = excluded.version, score = excluded.score,
                level = excluded.level, trust = excluded.trust, reasons = excluded.reasons, inputs = excluded.inputs,
                screened_at = clock_timestamp()
            """)
    }

    /// Records an automatic decision.
    package func record(automatic id: ID<Submission>, decision number: Int) async throws {
        try await connection.run(
            """
            insert into curation.automatic_decision (submission_id, number, version, score, level, trust, inputs)
            select submission_id, \(number)::integer, version, score, level, trust, inputs
            from curation.screening where submission_id = \(id)
            """)
    }
}
