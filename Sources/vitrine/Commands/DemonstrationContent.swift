// The content that a new `vitrine dev` shows: written for it, about nothing real.
import Domain
import Intake

enum DemonstrationContent {
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
            "title": "Editors' table", "slug": "editors-table", "tier": "free", "live_on_acceptance": .bool(false),
            "summary": "What we cooked this week. An editor has the last word here.",
        ],
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
            <ul><li>Harbour Lane: they bring you a blanket.</li><li>The Glass Stair: they ask you to water the plants.</li></ul>
            """),
        draft(
            "A towpath in four seasons", by: "reader-4", category: "Walks",
            """
            <p>The same eleven kilometres, walked once in each season. In winter the herons own it; in June it belongs to
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
