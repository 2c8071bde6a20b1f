// Looks again at items that readers see, so that what lists say of them stays true.
import Domain
import Fetch
import Platform
import Store

package struct RefreshCatalog: Sendable {
    /// Who records facts, and publishes what they change.
    static let actor = Actor(kind: .system, name: "system")
    /// Items of each source that one round looks at.
    package static let batch = 10

    private let database: Database
    private let rules: CatalogRules
    private let ask: QuerySource

    package init(database: Database, rules: CatalogRules, client: FetchClient, log: Logger) {
        self.database = database
        self.rules = rules
        ask = QuerySource(database: database, rules: rules, client: client, log: log)
    }

    /// What became of one item.
    package struct Outcome: Sendable {
        package let item: CatalogItemRow
        /// Nil when it was described, the same or anew.
        package let problem: String?
        /// The source gave nothing at all; it would give nothing of others either.
        package var isUnanswered = false
    }

    /// Looks at what nobody looked at for long; a source that gives nothing is left for the next round.
    package func due(unless isStopping: @Sendable () -> Bool = { false }) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for source in rules.askable {
            let items = try await database.catalogs.due(
                of: source, afterSeconds: rules.refreshSeconds, limit: Self.batch)
            for item in items where !isStopping() {
                let outcome = try await refresh(item)
                outcomes.append(outcome)
                if outcome.isUnanswered { break }
            }
        }
        return outcomes
    }

    /// Looks at these now.
    package func these(_ ids: [ID<CatalogItem>], by actor: Actor) async throws -> [Outcome] {
        try actor.require(.edit, "refresh catalogs")
        var outcomes: [Outcome] = []
        for item in try await database.catalogs.find(ids) { outcomes.append(try await refresh(item)) }
        return outcomes
    }

    private func refresh(_ item: CatalogItemRow) async throws -> Outcome {
        guard let kind = rules.kinds[item.kind] else {
            return Outcome(item: item, problem: "There is no catalog named \(item.kind) any more.")
        }
        do {
            let reading = try await ask(externalID: item.externalID, source: item.source, kind)
            // Songs are found under the spelling that the source prefers: only the very thing is taken.
            let records = reading.records.filter { $0.externalID == item.externalID }
            try await record(records, item)
            let problem = records.isEmpty ? "\(rules.label(of: item.source)) described something else." : nil
            return Outcome(item: item, problem: problem)
        } catch let trouble as SourceFailure {
            if trouble.isMissing { try await record([], item) }
            return Outcome(item: item, problem: trouble.description, isUnanswered: !trouble.isMissing)
        }
    }

    /// Without a record, only that it was looked for: what is known of it stays.
    private func record(_ records: [CatalogRecord], _ item: CatalogItemRow) async throws {
        let event = AuditEvent(
            "catalog.record", on: "catalog_item", item.id.description, detail: ["source": .string(item.source)])
        try await database.change(by: Self.actor, event) { change in
            if records.isEmpty {
                try await change.catalogs.looked(at: [item.id])
            } else {
                _ = try await change.catalogs.record(
                    records, areWhole: true, kind: item.kind, source: item.source, by: change.actor)
            }
        }
    }
}
