// Searches a catalog: from the cache while it is fresh, from the source, or from saved items when the source fails.
import Domain
import Fetch
import FoundationEssentials
import Localization
import Platform
import Store

/// The items found, and where they came from.
package struct CatalogSearchResult: Sendable {
    package enum Status: Sendable, Equatable {
        /// The source responded just now.
        case fetched
        /// The cached response is still fresh.
        case cached
        /// The source failed; this is its last response to the same query.
        case stale(String)
        /// The source failed and there is no cached response; these are saved items with the query in their title.
        case saved(String)
    }

    package let kind: CatalogKind
    package let query: CatalogQuery
    package let items: [CatalogItemRow]
    package let hints: [String]
    package let status: Status
    /// When the source responded; nil for saved items.
    package let fetchedAt: Date?

    /// Why the source failed, if it did.
    package var problem: String? {
        switch status {
        case .fetched, .cached: nil
        case .stale(let problem), .saved(let problem): problem
        }
    }
}

package struct SearchCatalog: Sendable {
    private let database: Database
    private let rules: CatalogRules
    private let source: QuerySource

    package init(database: Database, rules: CatalogRules, client: FetchClient, log: Logger) {
        self.database = database
        self.rules = rules
        source = QuerySource(database: database, rules: rules, client: client, log: log)
    }

    /// Never waits longer than the configured timeout, and never fails because of the source.
    package func callAsFunction(_ raw: CatalogQuery, by actor: Actor) async throws -> CatalogSearchResult {
        try actor.require(.suggest, tr("search catalogs"))
        let query = try rules.check(raw)
        let kind = try rules.kinds.kind(named: query.kind)
        let cached = try await database.catalogs.response(query, from: kind.source)
        if let cached, cached.ageSeconds < rules.freshSeconds {
            return try await result(kind, query, cached, .cached)
        }
        do {
            let results = try await source(query, kind)
            try await save(results, query, kind)
        } catch let failure as SourceFailure {
            if let cached { return try await result(kind, query, cached, .stale(failure.description)) }
            return try await saved(kind, query, failure)
        }
        let response = try await database.catalogs.response(query, from: kind.source).orMissing("response")
        return try await result(kind, query, response, .fetched)
    }

    private func save(_ results: CatalogResults, _ query: CatalogQuery, _ kind: CatalogKind) async throws {
        let event = AuditEvent(
            "catalog.update", on: "catalog", kind.name,
            detail: ["source": .string(kind.source), "items": .int(Int64(results.records.count))])
        let records = Self.unique(results.records)
        try await database.transaction(by: RefreshCatalog.actor, event) { transaction in
            let ids = try await transaction.catalogs.record(
                records, areComplete: false, kind: kind.name, source: kind.source, by: transaction.actor)
            try await transaction.catalogs.saveResponse(ids, hints: results.hints, to: query, from: kind.source)
        }
    }

    /// A source may return the same item twice; one statement must not.
    private static func unique(_ records: [CatalogRecord]) -> [CatalogRecord] {
        var seen: Set<String> = []
        return records.filter { seen.insert($0.externalID).inserted }
    }

    private func result(
        _ kind: CatalogKind, _ query: CatalogQuery, _ response: CatalogResponseRow,
        _ status: CatalogSearchResult.Status
    ) async throws -> CatalogSearchResult {
        CatalogSearchResult(
            kind: kind, query: query, items: try await database.catalogs.find(response.items),
            hints: response.hints, status: status, fetchedAt: response.fetchedAt)
    }

    private func saved(
        _ kind: CatalogKind, _ query: CatalogQuery, _ failure: SourceFailure
    ) async throws -> CatalogSearchResult {
        let text = query["text"] ?? query["title"] ?? ""
        return CatalogSearchResult(
            kind: kind, query: query, items: try await database.catalogs.search(kind.name, query: text),
            hints: [], status: .saved(failure.description), fetchedAt: nil)
    }
}
