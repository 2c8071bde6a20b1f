// Tests that every dependency of the projections is needed, and that the comparison notices when one is missing.
import Domain
import Store
import TestSupport
import Testing

@Suite("Dependencies of projections", .databases, .allPacks)
struct DependencyTests {
    /// Each dependency needs a publication in Tests/dependencies.json that only it makes complete: without it, dependent rows
    /// stay as they were. So a misspelled cause, field or setting fails here, too.
    @Test("R23: the comparison detects every missing dependency, and each projection has some")
    func mutation() async throws {
        var world = try await DependencyWorld()
        #expect(
            Set(try await world.lines("select projection from projection.dependency"))
                == Set(TestDatabase.packs.projectionNames))
        for step in try world.steps() { try await world.publish(step) }
        let unproven = try await world.lines("select d::text from public.unproven order by 1")
        #expect(unproven.isEmpty, "add publications to Tests/dependencies.json: \(unproven.joined(separator: "\n"))")
    }
}
