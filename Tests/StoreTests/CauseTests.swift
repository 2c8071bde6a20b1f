// Proves that projections are affected by causes that there are: a name that is misspelt would leave a read table wrong, unseen.
import Domain
import Postgres
import Testing
import TestSupport

@testable import Store

@Suite("Causes", .databases)
struct CauseTests {
    @Test("What affects a projection is a kind of entries or another cause that publications tell")
    func names() async throws {
        let test = try await TestDatabase.make()
        let causes: [String] = try await test.client.one(
            "select array_agg(distinct c) as causes from projection.read_table, unnest(causes) c")("causes")
        // curation.causes
        let others: Set = ["any", "came_or_went", "merge", "offline", "observation"]
        let kinds = Set(ContentType.Kind.allCases.map(\.rawValue))
        for cause in causes where !others.contains(cause) && !kinds.contains(cause) {
            let field = cause.dropFirst("recount_".count)
            #expect(cause.hasPrefix("recount_") && ["feeds", "categories", "city"].contains(field), "\(cause)")
        }
        #expect(causes.count > 20)
    }

    @Test("Every projection is affected by something")
    func all() async throws {
        let test = try await TestDatabase.make()
        let without: [String] = try await test.client.one(
            "select coalesce(array_agg(projection), '{}') as names from projection.read_table where causes = '{}'")(
                "names")
        #expect(without.isEmpty)
    }
}
