// Creates entries without the pages, as fixtures of page tests.
import Domain
import Operations
import Store
import TestSupport
import Testing

extension AdminFixture {
    /// A published feed and a published category of the first group.
    func feedAndCategory() async throws -> (feed: ID<Entry>, category: ID<Entry>) {
        let feed = try await create("feed", ["title": "City guides", "tier": "free"])
        let category = try await create(
            "category", ["title": "Walks", "group": "00000000-0000-7000-8000-000000000011", "position": .int(10)])
        return (feed, category)
    }

    /// Edits one field without the pages, as somebody else.
    func change(
        _ id: ID<Entry>, _ field: String, to value: JSONValue, _ publishTiming: PublishTiming = .draft,
        by actor: Actor? = nil
    ) async throws {
        try await edit(
            id, [field: value], publishTiming: publishTiming, by: actor ?? TestDatabase.administrator)
    }
}
