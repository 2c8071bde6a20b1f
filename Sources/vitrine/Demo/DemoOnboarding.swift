// Demo onboarding sets and texts.
import Domain

enum DemoOnboarding {
    static func entries(_ builder: DemoBuilder) async throws -> [(type: String, fields: [String: JSONValue])] {
        [
            (
                "onboarding_set",
                try await set(
                    builder,
                    "Welcome", "onboarding.main", "en",
                    [
                        ("Look around", "Every place here was chosen by someone who has been there.", "An open door"),
                        (
                            "Follow a feed", "City guides, slow travel, and what we cooked this week.",
                            "Three paper boats"
                        ),
                        (
                            "Read offline", "Save a feed to read it where the train has no signal.",
                            "A packed bag"
                        ),
                    ])
            ),
            (
                "onboarding_set",
                try await set(
                    builder,
                    "Willkommen", "onboarding.main", "de",
                    [
                        ("Sieh dich um", "Alles hier hat jemand ausgesucht, der dort war.", "Eine offene Tür"),
                        (
                            "Folge einem Feed", "Stadtführer, langsames Reisen, was wir gekocht haben.",
                            "Drei Papierboote"
                        ),
                    ])
            ),
            (
                "text",
                [
                    "title": "Website: footer", "key": "site.footer", "section": "website",
                    "values": .array([
                        .object(["locale": "en", "value": "Made slowly, by people."]),
                        .object(["locale": "de", "value": "Langsam gemacht, von Menschen."]),
                    ]),
                ]
            ),
        ]
    }

    private static func set(
        _ builder: DemoBuilder, _ title: String, _ key: String, _ locale: String,
        _ screens: [(title: String, text: String, image: String)]
    ) async throws -> [String: JSONValue] {
        var rows: [JSONValue] = []
        for (number, screen) in screens.enumerated() {
            rows.append(
                .object([
                    "title": .string(screen.title), "text": .string(screen.text),
                    "image": try await builder.image(50 + number, alt: screen.image),
                ]))
        }
        return [
            "title": .string(title), "key": .string(key), "locale": .string(locale), "screens": .array(rows),
        ]
    }
}
