// Looks things up in a catalog: from memory while that is fresh, from the source, or from what is left of it.
import Domain
import Fetch
import FoundationEssentials
import Platform
import Store

/// What was found, and how far it can be trusted.
package struct CatalogFinding: Sendable {
    package enum Status: Sendable, Equatable {
        /// The source was asked just now.
        case asked
        /// Nobody was asked: the last answer is still fresh.
        case remembered
        /// The source gave nothing; this is its last answer to the same question.
        case stale(String)
        /// The source gave nothing and never answered this question; this is what is kept and has the words in its title.
        case kept(String)
    }

    package let kind: CatalogKind
    package let question: CatalogQuery
    package let items: [CatalogItemRow]
    package let hints: [String]
    package let standing: Status
    /// When the source said this; nil for what is merely kept.
    package let fetchedAt: Date?

    /// Why the source gave nothing, where it gave nothing.
    package var problem: String? {
        switch standing {
        case .asked, .remembered: nil
        case .stale(let problem), .kept(let problem): problem
        }
    }
}

package struct SearchCatalog: Sendable {
    private let database: Database
    private let rules: CatalogRules
    private let ask: QuerySource

    package init(database: Database, rules: CatalogRules, client: FetchClient, log: Logger) {
        self.database = database
        self.rules = rules
        ask = QuerySource(database: database, rules: rules, client: client, log: log)
    }

    /// Never waits longer than the deadline of the configuration, and never fails because of the source.
    package func callAsFunction(_ raw: CatalogQuery, by actor: Actor) async throws -> CatalogFinding {
        try actor.require(.suggest, "look things up")
        let question = try rules.check(raw)
        let kind = try rules.kinds.kind(named: question.kind)
        let known = try await database.catalogs.answer(question, from: kind.source)
        if let known, known.ageSeconds < rules.freshSeconds {
            return try await finding(kind, question, known, .remembered)
        }
        do {
            let reading = try await ask(question, kind)
            try await keep(reading, question, kind)
        } catch let trouble as SourceFailure {
            if let known { return try await finding(kind, question, known, .stale(trouble.description)) }
            return try await kept(kind, question, trouble)
        }
        guard let answer = try await database.catalogs.answer(question, from: kind.source) else {
            throw Failure.missing("resubmit")
        }
        return try await finding(kind, question, answer, .asked)
    }

    private func keep(_ reading: CatalogReading, _ question: CatalogQuery, _ kind: CatalogKind) async throws {
        let event = AuditEvent(
            "catalog.record", on: "catalog", kind.name,
            detail: ["source": .string(kind.source), "items": .int(Int64(reading.records.count))])
        let records = Self.once(reading.records)
        try await database.change(by: RefreshCatalog.actor, event) { change in
            let ids = try await change.catalogs.record(
                records, areWhole: false, kind: kind.name, source: kind.source, by: change.actor)
            try await change.catalogs.keep(ids, hints: reading.hints, to: question, from: kind.source)
        }
    }

    /// A source may name the same thing twice; a statement may not.
    private static func once(_ records: [CatalogRecord]) -> [CatalogRecord] {
        var seen: Set<String> = []
        return records.filter { seen.insert($0.externalID).inserted }
    }

    private func finding(
        _ kind: CatalogKind, _ question: CatalogQuery, _ answer: CatalogResponseRow,
        _ standing: CatalogFinding.Status
    ) async throws -> CatalogFinding {
        CatalogFinding(
            kind: kind, question: question, items: try await database.catalogs.find(answer.items),
            hints: answer.hints, standing: standing, fetchedAt: answer.fetchedAt)
    }

    private func kept(
        _ kind: CatalogKind, _ question: CatalogQuery, _ trouble: SourceFailure
    ) async throws -> CatalogFinding {
        let words = question["text"] ?? question["title"] ?? ""
        return CatalogFinding(
            kind: kind, question: question, items: try await database.catalogs.kept(kind.name, words: words),
            hints: [], standing: .kept(trouble.description), fetchedAt: nil)
    }
}
