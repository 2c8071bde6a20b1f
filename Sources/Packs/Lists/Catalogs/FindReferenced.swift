// Looks up the catalog items that pending submissions name and no catalog stores yet, so that an approval finds them.
import Domain
import Fetch
import Platform
import Store

package struct FindReferenced: Sendable {
    /// The newest pending submissions that one pass reads, and the requests that it sends.
    private static let submissions = 200
    private static let requests = 20

    private let database: Database
    private let types: ContentTypes
    private let rules: CatalogRules
    private let query: QuerySource
    private let searchCatalog: SearchCatalog

    package init(database: Database, types: ContentTypes, rules: CatalogRules, client: FetchClient, log: Logger) {
        self.database = database
        self.types = types
        self.rules = rules
        query = QuerySource(database: database, rules: rules, client: client, log: log)
        searchCatalog = SearchCatalog(database: database, rules: rules, client: client, log: log)
    }

    /// Asks a source once for each reference; a failing source is left for the next pass. Returns the number of requests.
    @discardableResult
    package func due(unless isStopping: @Sendable () -> Bool = { false }) async throws -> Int {
        let names = types.all.filter { $0.leaves.contains { $0.type == .catalogItem } }.map(\.name)
        let pending = try await database.catalogs.pendingFields(of: names, limit: Self.submissions)
        let named = pending.flatMap { type, fields in
            types[type]?.catalogReferences(in: fields).map(\.reference) ?? []
        }
        let references = Array(Set(named))
        let stored = try await database.catalogs.matches(for: references)
        var sent = 0
        for reference in references.sorted(by: { $0.label < $1.label }) where stored[reference] == nil {
            for kind in kinds(of: reference) {
                if isStopping() || sent >= Self.requests { return sent }
                if try await find(reference, in: kind) { sent += 1 }
            }
        }
        return sent
    }

    /// The catalogs that may contain it. A title is looked up at sources that can be asked: others would take the requests
    /// of every pass.
    private func kinds(of reference: CatalogReference) -> [CatalogKind] {
        rules.kinds.all.filter { kind in
            guard (reference.kind ?? kind.name) == kind.name else { return false }
            guard let source = reference.source else { return rules.available.contains(kind.source) }
            return rules.sources(of: kind.name).contains { $0.name == source }
        }
    }

    /// The search of a catalog for the title; nil if it has none, or the title is not valid.
    private func search(_ title: String, in kind: CatalogKind) -> CatalogQuery? {
        let known = rules.searches(of: kind).first { $0.name == "title" }
        guard let known, let field = known.fields.first else { return nil }
        return try? rules.check(CatalogQuery(kind: kind.name, search: known.name, values: [field.name: title]))
    }

    /// Returns whether the source was asked.
    private func find(_ reference: CatalogReference, in kind: CatalogKind) async throws -> Bool {
        guard let source = reference.source, let id = reference.externalID else {
            guard let title = search(reference.title ?? "", in: kind),
                try await database.catalogs.response(title, from: kind.source) == nil
            else { return false }
            _ = try await searchCatalog(title, by: RefreshCatalog.actor)
            return true
        }
        let question = CatalogQuery(kind: kind.name, search: "id", values: ["id": id])
        guard try await database.catalogs.response(question, from: source) == nil else { return false }
        var records: [CatalogRecord] = []
        do {
            // Some sources match other spellings too: only the exact id counts.
            records = try await query(externalID: id, source: source, kind).records.filter { $0.externalID == id }
        } catch let failure as SourceFailure {
            if !failure.isMissing { return true }
        }
        let event = AuditEvent("catalog.update", on: "catalog", kind.name, detail: ["source": .string(source)])
        try await database.transaction(by: RefreshCatalog.actor, event) { [records] transaction in
            let ids = try await transaction.catalogs.record(
                records, areComplete: true, kind: kind.name, source: source, by: transaction.actor)
            try await transaction.catalogs.saveResponse(ids, hints: [], to: question, from: source)
        }
        return true
    }
}
