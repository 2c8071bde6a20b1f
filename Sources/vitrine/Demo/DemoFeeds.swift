// Demo feeds with articles and videos; `vitrine dev` starts with a part of them.
import Domain
import Intake

enum DemoFeeds {
    static let set = Demo(
        name: "feeds", summary: "Publish three feeds with items and onboarding, and fill the queue.",
        details: "The content that \"vitrine dev\" starts with, and eight published items with generated images."
    ) { builder in
        try await loadBasics(builder)
        for (number, item) in items.enumerated() {
            var fields: [String: JSONValue] = [
                "title": .string(item.title), "summary": .string(item.summary),
                "feeds": try await builder.entries("feed", item.feeds),
                "categories": try await builder.entries("category", item.categories),
                "image": try await builder.image(number, alt: item.image),
            ]
            if let minutes = item.minutes {
                fields["duration"] = .int(Int64(minutes * 60))
                fields["hls_url"] = .string("https://videos.example/\(Slug.make(from: item.title)).m3u8")
            } else {
                fields["body"] = .string(item.body)
            }
            try await builder.entry(item.minutes == nil ? "article" : "video", fields)
        }
        return
            "Published \(feeds.count) feeds with \(items.count) items; \(submissions.count) submissions await review. See / and /v1/feeds."
    }

    /// Feeds, categories, onboarding and pending submissions.
    static func loadBasics(_ builder: DemoBuilder) async throws {
        let isNew = try await builder.database.entries.find(type: "feed", slug: "city-guides") == nil
        for feed in feeds { try await builder.entry("feed", feed) }
        for (group, title) in categories { try await builder.category(title, group: group) }
        if isNew {
            for (type, fields) in try await DemoOnboarding.entries(builder) { try await builder.entry(type, fields) }
        }
        let receive = builder.services.receiveSubmission
        for (index, draft) in submissions.enumerated() {
            var draft = draft
            draft.idempotencyKey = "demo-\(index)"
            _ = try await receive(draft, by: Actor(kind: .system, name: "import"))
        }
    }

    static let feeds: [[String: JSONValue]] = [
        [
            "title": "City guides", "slug": "city-guides", "tier": "free", "featured": .int(1),
            "summary": "Places worth a detour, found by people who live around the corner.",
        ],
        [
            "title": "Slow travel", "slug": "slow-travel", "tier": "premium", "featured": .int(2),
            "summary": "Long walks, night trains and the pleasure of arriving late.",
        ],
        [
            "title": "Editors' table", "slug": "editors-table", "tier": "free", "publish_on_approval": .bool(false),
            "summary": "What we cooked this week. An editor has the last word here.",
        ],
    ]

    private struct Item {
        let title, summary, image: String
        let feeds, categories: [String]
        var body = ""
        var minutes: Int?
    }

    private static let items = [
        Item(
            title: "The bench that faces the wrong way", summary: "Somebody put it there on purpose.",
            image: "Hills under a pale sun", feeds: ["city-guides"], categories: ["walks", "old-town"],
            body:
                "<p>Everybody else looks at the river. The bench looks at the houses, and after an hour you see why.</p>"
        ),
        Item(
            title: "Coffee before the ferry", summary: "Three counters, no chairs, eleven minutes.",
            image: "A bay in the morning", feeds: ["city-guides"], categories: ["coffee", "riverside"],
            body:
                "<p>Order standing up. The ferry's bell is the bill.</p><ul><li>The blue door</li><li>The kiosk</li></ul>"
        ),
        Item(
            title: "A staircase for every mood", summary: "Seven ways up to the old town.",
            image: "Two hills, one behind the other", feeds: ["city-guides", "slow-travel"], categories: ["old-town"],
            body: "<p>Take the long one when you are angry. Nobody has ever arrived angry.</p>"),
        Item(
            title: "Night train, upper berth", summary: "What you hear when you cannot see.",
            image: "A dark landscape with a moon", feeds: ["slow-travel"], categories: ["railway-station"],
            body: "<p>The rails count for you. Somewhere after three hundred you stop listening.</p>"),
        Item(
            title: "Walking to the next town", summary: "Nineteen kilometers, one sandwich, no signal.",
            image: "A wide valley", feeds: ["slow-travel"], categories: ["walks"],
            body: "<p>It is further than it looks on the map, and that is the best of it.</p>"),
        Item(
            title: "Plum cake without a recipe", summary: "As much flour as it wants.",
            image: "An orchard on a hill", feeds: ["editors-table"], categories: ["baking"],
            body: "<p>Butter, sugar, eggs, flour: each as heavy as the eggs. Plums until it looks like too many.</p>"),
        Item(
            title: "How the ladle is held", summary: "A cook explains with her hands.", image: "A warm evening sky",
            feeds: ["editors-table"], categories: ["baking"], minutes: 4),
        Item(
            title: "Eleven kilometers in nine minutes", summary: "The towpath, filmed from a bicycle.",
            image: "A towpath at dusk", feeds: ["slow-travel"], categories: ["walks", "riverside"], minutes: 9),
    ]

    static let categories: [(group: Int, title: String)] = [
        (1, "Coffee"), (1, "Walks"), (1, "Baking"), (2, "Old town"), (2, "Riverside"), (2, "Railway station"),
    ]

    static let submissions: [SubmissionDraft] = [
        draft(
            "Nine cafés that let you sit until closing", by: "reader-17", category: "Coffee",
            """
            <p>Not one of them has a sign about laptops. I tried them over a rainy fortnight, always in the corner seat, and
            asked each owner the same question: <em>what do you do with people who stay?</em></p>
            <ul><li>Harbor Lane: they bring you a blanket.</li><li>The Glass Stair: they ask you to water the plants.</li></ul>
            """),
        draft(
            "A towpath in four seasons", by: "reader-4", category: "Walks",
            """
            <p>The same eleven kilometers, walked once in each season. In winter the herons own it; in June it belongs to
            people carrying ice cream very fast.</p><blockquote>Bring two pairs of socks. Always two.</blockquote>
            """),
        draft(
            "Why the 22:40 is the best train there is", by: "reader-31", category: "Railway station",
            "<p>It is slow, it is half empty, and the conductor recites the stops as if they were a poem.</p>"),
        draft(
            "Rye bread for people in a hurry", by: "reader-8", category: "Baking",
            "<p>Three ingredients, one bowl, and a trick with a hot pan that my aunt denies having taught me.</p>"),
        draft(
            "WIN A FREE PHONE today!!!", by: "reader-90", category: nil,
            "<p>Just follow <a href=\"https://prizes.example/claim\">this link</a> and type in your card number.</p>"),
    ]

    private static func draft(_ title: String, by contributor: String, category: String?, _ body: String)
        -> SubmissionDraft
    {
        SubmissionDraft(
            type: "article", contributor: contributor, category: category,
            fields: ["title": .string(title), "body": .string(body)], source: "import")
    }
}
