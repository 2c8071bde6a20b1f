// Tests that concurrent readers each get the requested document, though they share statements.
import Domain
import HTTP
import Store
import TestSupport
import Testing

@Suite("Concurrent reads", .databases)
struct BatchedReadTests {
    @Test(
        "A28: a hundred concurrent readers each get their own item, feed or video, in full or as a preview"
    )
    func manyAtOnce() async throws {
        let fixture = try await APIFixture.make()
        let feed = try await fixture.publish("feed", "Feed", ["tier": "free"])
        var wanted: [(path: String, title: String?)] = [("/v1/feeds/\(feed)", "Feed")]
        for number in 0..<12 {
            let item = try await fixture.publish(
                "article", "Item \(number)",
                [
                    "body": .string("<p>Body \(number)</p>"), "feeds": ids([feed]),
                    "categories": ids([SeedEntry.unsorted]),
                ])
            wanted.append(("/v1/items/\(item)", "Item \(number)"))
        }
        wanted.append(("/v1/items/01900000-0000-7000-8000-00000000ffff", nil))
        // An id of another kind is not an item's.
        wanted.append(("/v1/items/\(feed)", nil))
        wanted.append(("/v1/videos/\(feed)", nil))
        let guest = try await fixture.client([.readGuest])
        let reader = try await fixture.client([.readFull])
        let all = wanted
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                let (path, title) = all[number % all.count]
                let isWhole = number % 2 == 0 || path.hasPrefix("/v1/videos")
                group.addTask(executorPreference: fixture.test.loop) {
                    let reply = try await fixture.get(path, as: isWhole ? reader : guest)
                    #expect(reply.status == (title == nil ? 404 : 200), "\(path)")
                    if let title { #expect(reply.json["title"]?.stringValue == title, "\(path)") }
                    if path.hasPrefix("/v1/items"), title != nil {
                        #expect((reply.json["fields"]?["body"] != nil) == isWhole)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
