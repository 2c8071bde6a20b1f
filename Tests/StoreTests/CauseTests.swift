// Tests that projections use existing causes only: a misspelled one would leave a read table stale without an error.
import Domain
import Postgres
import Testing
import TestSupport

@testable import Store

@Suite("Causes", .databases)
struct CauseTests {
    @Test("Every cause of a projection is a kind of entry or another cause of curation.causes")
    func names() async throws {
        let test = try await TestDatabase.make()
        let causes: [String] = try await test.client.one(
            "select array_agg(distinct c) as causes from projection.read_table, unnest(causes) c")("causes")
        // curation.causes
        let others: Set = ["any", "added_or_removed", "merge", "offline", "observation"]
        let kinds = Set(ContentType.Kind.allCases.map(\.rawValue))
        for cause in causes where !others.contains(cause) && !kinds.contains(cause) {
            let field = cause.dropFirst("recount_".count)
            #expect(cause.hasPrefix("recount_") && ["feeds", "categories", "city"].contains(field), "\(cause)")
        }
        #expect(causes.count > 20)
    }

    @Test("Every projection has a cause")
    func all() async throws {
        let test = try await TestDatabase.make()
        let without: [String] = try await test.client.one(
            "select coalesce(array_agg(projection), '{}') as names from projection.read_table where causes = '{}'")(
                "names")
        #expect(without.isEmpty)
    }
}
