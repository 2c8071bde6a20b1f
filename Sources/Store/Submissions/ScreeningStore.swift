// Screening: the team's rules in versions, and what was found in each submission (m0025_screening.sql).
import Domain
import FoundationEssentials
import Postgres

/// A version of the rules.
package struct ScreeningRulesRow: Sendable {
    package let version: Int
    package let rules: JSONValue
    package let note: String
    package let createdBy: String
    package let createdAt: Date
    /// On so many past decisions it was tried; nil where it was not.
    package let decisions: Int?
    package let trial: JSONValue?
    /// It is the one that counts.
    package let isOn: Bool

    init(row: Row) throws {
        version = try row("version")
        rules = try row("rules")
        note = try row("note")
        createdBy = try row("created_by_name")
        createdAt = try row("created_at")
        decisions = try row("decisions")
        trial = try row("result")
        isOn = try row("is_on")
    }
}

/// What was found in a submission.
package struct ScreeningRow: Sendable {
    package struct Reason: Sendable {
        package let points: Int
        package let words: String
    }

    package let version: Int
    package let score: Int
    package let level: RiskLevel
    package let trust: Int
    package let reasons: [Reason]
    package let screenedAt: Date

    /// With the columns `screening_version`, `screening_score` and so on; nil where nothing was found yet.
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
            Reason(points: Int($0["points"]?.integerValue ?? 0), words: $0["words"]?.stringValue ?? "")
        }
    }

    /// On `curation.screening n`.
    static let columns: SQL = """
        n.version as screening_version, n.score::integer as score, n.level, n.trust::integer as trust, n.reasons, n.screened_at
        """
}

/// What is to be kept of one submission.
package struct FoundScreening: Sendable {
    package let submission: UUID
    package let screening: Screening
    /// What it was found from.
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

    /// The newest first.
    package func versions(limit: Int = 50) async throws -> [ScreeningRulesRow] {
        try await connection.rows("\(Self.lines) order by r.version desc limit \(limit)", ScreeningRulesRow.init)
    }

    package func find(version: Int) async throws -> ScreeningRulesRow? {
        try await connection.first("\(Self.lines) where r.version = \(version)", ScreeningRulesRow.init)
    }

    /// The version that counts.
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

    // MARK: What was found

    /// Keeps what was found and puts it where the queue is ordered by it, in one statement for all.
    package func keep(_ all: [FoundScreening], version: Int) async throws {
        if all.isEmpty { return }
        let reasons = all.map { found in
            JSONValue.array(
                found.screening.reasons.map {
                    .object([
                        "rule": .string($0.rule), "points": .int(Int64($0.points)), "words": .string($0.words),
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

    /// Notes what was decided without a person.
    package func note(automatic id: ID<Submission>, decision number: Int) async throws {
        try await connection.run(
            """
            insert into curation.automatic_decision (submission_id, number, version, score, level, trust, inputs)
            select submission_id, \(number)::integer, version, score, level, trust, inputs
            from curation.screening where submission_id = \(id)
            """)
    }
}
