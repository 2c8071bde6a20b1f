// Tests the names of values that the form of an entry suggests: those of other entries in the access scope.
import Domain
import Store
import TestSupport
import Testing

@Suite("Names of values", .databases)
struct UsedNamesTests {
    private func media(_ names: String...) -> [String: JSONValue] {
        let values = names.map { ($0, JSONValue.string("https://example.org/\($0)")) }
        return ["media": .object(Dictionary(uniqueKeysWithValues: values))]
    }

    @Test("The names in the newest versions of other entries of the type are suggested, most frequent first")
    func suggested() async throws {
        let (site, visit) = try await AdminFixture.visited(by: .editor)
        let one = try await site.publish("article", "One", media("bells", "chimes"))
        try await site.publish("article", "Two", media("chimes"), publishTiming: .draft)
        try await site.publish("video", "Film", media("credits"))
        func suggested() async throws -> [String] {
            let page = try await visit.get("/entries/new?type=article").html
            let list = try #require(page.firstMatch(of: #/<datalist id="field-media-names">(.*?)</datalist>/#)).1
            return list.matches(of: #/value="(\w+)"/#).map { String($0.1) }
        }
        #expect(try await suggested() == ["chimes", "bells"])
        try await site.edit(one, media("audio", "waves"))
        // The form has a field for audio, which the type knows.
        #expect(try await suggested() == ["chimes", "waves"])
    }

    @Test("S15: names that only entries outside the access scope have are not suggested")
    func scoped() async throws {
        let site = try await AdminFixture.make()
        let category = try await site.category("Walks")
        try await site.publish("article", "One", media("bells").merging(["categories": .entries([category])]) { $1 })
        let entries = site.test.database.entries
        func names(types: Set<String> = [], groups: Set<ID<Entry>> = []) async throws -> [String: [String]] {
            try await AccessScope.$current.withValue(AccessScope(types: types, groups: groups)) {
                try await entries.usedNames(of: "article", in: ["media", "tier"])
            }
        }
        for inside in [try await names(), try await names(types: ["article"])] {
            #expect(inside == ["media": ["bells"]])
        }
        #expect(try await names(groups: [SeedEntry.topicGroup]) == ["media": ["bells"]])
        #expect(try await names(types: ["video"]) == [:])
        #expect(try await names(groups: [SeedEntry.placeGroup]) == [:])
    }
}
