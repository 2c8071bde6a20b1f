// Published content shared by read tests; no test changes it.
import API
import Domain
import Store

struct PublishedWorld: Sendable {
    let api: APIFixture
    let guest: APIFixture.Client
    let full: APIFixture.Client
    let city: ID<Entry>
    let premium: ID<Entry>
    let airport: ID<Entry>
    let indian: ID<Entry>
    let unused: ID<Entry>
    let videos: [ID<Entry>]
    let article: ID<Entry>

    static let shared = Task.detached { try await make() }

    /// 23 articles in the feed City (ten under Airport, three under Indian, one of them under both, the rest unsorted)
    /// and 22 videos in the feed Films, which is premium. Beyond the preview, texts contain "zanzibar".
    private static func make() async throws -> PublishedWorld {
        let api = try await APIFixture.make(trust: .seconds(60))
        let airport = try await api.category("Airport", group: SeedEntry.placeGroup)
        let indian = try await api.category("Indian", group: SeedEntry.topicGroup)
        let unused = try await api.category("Unused", group: SeedEntry.topicGroup)
        let long = String(repeating: "word ", count: 100) + "zanzibar"
        let city = try await api.publish(
            "feed", "City", ["tier": "free", "featured": .int(2), "categories": ids([airport])],
            publishTiming: .approveOnly)
        let premium = try await api.publish(
            "feed", "Films",
            ["tier": "premium", "featured": .int(1), "about": .string("<p>\(long)</p>"), "categories": ids([airport])],
            publishTiming: .approveOnly)
        var article: ID<Entry>?
        for number in 1...23 {
            var categories: [ID<Entry>] = []
            if number <= 10 { categories.append(airport) }
            if (10...12).contains(number) { categories.append(indian) }
            if categories.isEmpty { categories = [SeedEntry.unsorted] }
            article = try await api.publish(
                "article", "Article \(number)",
                [
                    "body": .string("<p>\(long)</p>"), "feeds": ids([city]), "categories": ids(categories),
                    "slug": .string("article-\(number)"),
                ],
                publishTiming: .approveOnly)
        }
        var videos: [ID<Entry>] = []
        for number in 1...22 {
            videos.append(
                try await api.publish(
                    "video", "Video \(number)",
                    [
                        "provider": "brightcove", "account": "a-1", "provider_ref": .string("ref-\(number)"),
                        "duration": .int(60),
                        "summary": "A café in Łódź", "feeds": ids([premium]), "categories": ids([SeedEntry.unsorted]),
                    ],
                    publishTiming: .approveOnly))
        }
        try await api.publishWaiting()
        guard let article else { throw Failure.missing("article") }
        return PublishedWorld(
            api: api, guest: try await api.client([.readGuest]), full: try await api.client([.readFull]),
            city: city, premium: premium, airport: airport, indian: indian, unused: unused, videos: videos,
            article: article)
    }
}
