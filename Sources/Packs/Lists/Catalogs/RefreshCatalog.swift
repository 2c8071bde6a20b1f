// Refreshes the details of published catalog items from their sources.
import Domain
import Fetch
import Localization
import Platform
import Store

package struct RefreshCatalog: Sendable {
    /// The actor who records new details and publishes them.
    static let actor = Actor(kind: .system, name: "system")
    /// Items of each source that one pass refreshes.
    package static let batch = 10

    private let database: Database
    private let rules: CatalogRules
    private let query: QuerySource

    package init(database: Database, rules: CatalogRules, client: FetchClient, log: Logger) {
        self.database = database
        self.rules = rules
        query = QuerySource(database: database, rules: rules, client: client, log: log)
    }

    /// The result of refreshing one item.
    package struct Outcome: Sendable {
        package let item: CatalogItemRow
        /// Nil when the source returned the item.
        package let problem: String?
        /// The source failed, so requests for other items would fail too.
        package var hasSourceFailed = false
    }

    /// Refreshes overdue items; a failing source is left for the next pass.
    package func due(unless isStopping: @Sendable () -> Bool = { false }) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for source in rules.available {
            let items = try await database.catalogs.due(
                of: source, afterSeconds: rules.refreshSeconds, limit: Self.batch)
            for item in items where !isStopping() {
                let outcome = try await refresh(item)
                outcomes.append(outcome)
                if outcome.hasSourceFailed { break }
            }
        }
        return outcomes
    }

    /// Refreshes these items now.
    package func items(_ ids: [ID<CatalogItem>], by actor: Actor) async throws -> [Outcome] {
        try actor.require(.edit, tr("refresh catalog items"))
        var outcomes: [Outcome] = []
        for item in try await database.catalogs.findAll(ids) { outcomes.append(try await refresh(item)) }
        return outcomes
    }

    private func refresh(_ item: CatalogItemRow) async throws -> Outcome {
        guard let kind = rules.kinds[item.kind] else {
            return Outcome(item: item, problem: tr("The catalog \(item.kind) is not configured any more."))
        }
        do {
            let results = try await query(externalID: item.externalID, source: item.source, kind)
            // Some sources match other spellings too: only the exact id counts.
            let records = results.records.filter { $0.externalID == item.externalID }
            try await record(records, item)
            let problem = records.isEmpty ? tr("\(rules.label(of: item.source)) returned a different item.") : nil
            return Outcome(item: item, problem: problem)
        } catch let failure as SourceFailure {
            if failure.isMissing { try await record([], item) }
            return Outcome(item: item, problem: failure.description, hasSourceFailed: !failure.isMissing)
        }
    }

    /// Without a record, only the time of the check is stored and the details stay.
    private func record(_ records: [CatalogRecord], _ item: CatalogItemRow) async throws {
        let event = AuditEvent(
            "catalog.update", on: "catalog_item", item.id.description, detail: ["source": .string(item.source)])
        try await database.transaction(by: Self.actor, event) { transaction in
            if records.isEmpty {
                try await transaction.catalogs.markChecked(at: [item.id])
            } else {
                _ = try await transaction.catalogs.record(
                    records, areComplete: true, kind: item.kind, source: item.source, by: transaction.actor)
            }
        }
    }
}
