// The onboarding sets and texts that a new `vitrine dev` shows: written for it, about nothing real.
import Domain

enum DemoOnboarding {
    static func entries(_ desk: DemoBuilder) async throws -> [(type: String, fields: [String: JSONValue])] {
        [
            (
                "onboarding_set",
                try await set(
                    desk,
                    "Welcome", "onboarding.main", "en",
                    [
                        ("Look around", "Everything here was chosen by somebody who has been there.", "An open door"),
                        ("Follow a feed", "City guides, slow travel, what we cooked this week.", "Three paper boats"),
                        (
                            "Take it with you", "Save a feed, and it is there where the train has no signal.",
                            "A packed bag"
                        ),
                    ])
            ),
            (
                "onboarding_set",
                try await set(
                    desk,
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
                    "title": "Website: last words of a page", "key": "site.footer", "section": "website",
                    "values": .array([
                        .object(["locale": "en", "value": "Made slowly, by people."]),
                        .object(["locale": "de", "value": "Langsam gemacht, von Menschen."]),
                    ]),
                ]
            ),
        ]
    }

    private static func set(
        _ desk: DemoBuilder, _ title: String, _ key: String, _ locale: String,
        _ screens: [(title: String, text: String, image: String)]
    ) async throws -> [String: JSONValue] {
        var rows: [JSONValue] = []
        for (number, screen) in screens.enumerated() {
            rows.append(
                .object([
                    "title": .string(screen.title), "text": .string(screen.text),
                    "image": try await desk.image(50 + number, showing: screen.image),
                ]))
        }
        return [
            "title": .string(title), "key": .string(key), "locale": .string(locale), "screens": .array(rows),
        ]
    }
}
