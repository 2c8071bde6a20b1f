// Demo places: an invented city with places, promotions and reviews.
import Domain
import FoundationEssentials
import Platform

enum DemoPlaces {
    static let set = Demo(
        name: "places", summary: "Publish an invented city with places, promotions and reviews.",
        details: "Ten places, three promotions, three reviews, and six categories in both groups.", load: load)

    private struct Place {
        let name, category, address: String
        let lat, lon: Double
        let summary: String
    }

    private static let categories: [(name: String, group: Int)] = [
        ("Bakery", 2), ("Harbor", 2), ("Museum", 2), ("Viewpoint", 2), ("Soup", 1), ("Cake", 1),
    ]

    private static let places = [
        Place(
            name: "The Late Oven", category: "bakery,cake", address: "Mill Lane 3", lat: 54.7421, lon: 8.2103,
            summary: "Bread at ten in the evening, for those who missed the morning."),
        Place(
            name: "Ferry House Nine", category: "harbor,soup", address: "Pier 9", lat: 54.7402, lon: 8.2051,
            summary: "One pot, one soup, a new one every day."),
        Place(
            name: "Museum of Small Weather", category: "museum", address: "Cloud Street 12", lat: 54.7433, lon: 8.2129,
            summary: "Four rooms of breezes, two of drizzle."),
        Place(
            name: "Lamp Hill", category: "viewpoint", address: "Above the old quarry", lat: 54.7489, lon: 8.2204,
            summary: "The whole bay, and on clear days the next one."),
        Place(
            name: "Cake and Compass", category: "cake,harbor", address: "Rope Walk 7", lat: 54.7410, lon: 8.2066,
            summary: "A shop for charts that began to bake."),
        Place(
            name: "Grandmother's Ladle", category: "soup", address: "Well Yard 1", lat: 54.7428, lon: 8.2092,
            summary: "Nobody knows whose grandmother. Everybody comes back."),
        Place(
            name: "The Paper Lighthouse", category: "museum,viewpoint", address: "Breakwater 2", lat: 54.7381,
            lon: 8.1998,
            summary: "A reading room with a lantern on top."),
        Place(
            name: "Seven Loaves", category: "bakery", address: "Market 4", lat: 54.7425, lon: 8.2099,
            summary: "Seven kinds, baked until they are gone."),
        Place(
            name: "Tidewater Steps", category: "harbor,viewpoint", address: "End of Pier 2", lat: 54.7396, lon: 8.2037,
            summary: "Sit down; the sea does the rest."),
        Place(
            name: "Plum and Ember", category: "cake", address: "Smith Street 15", lat: 54.7440, lon: 8.2111,
            summary: "Plum cake from an oven that burns plum wood."),
    ]

    /// The place, the offer, and its start and end in days from today.
    private static let promotions: [(place: String, name: String, start: Int, end: Int, text: String)] = [
        ("The Late Oven", "Two loaves for one", -2, 5, "After nine in the evening, while there is bread."),
        ("Museum of Small Weather", "Fog for free", 3, 10, "The fog room costs nothing this week.\nBring a scarf."),
        ("Cake and Compass", "A slice with every chart", 7, 21, "Any cake, any chart."),
    ]

    private static let reviews: [(place: String, rating: Int64, title: String, text: String)] = [
        ("The Late Oven", 5, "Warm at midnight", "The crust sings. So did I, on the way home."),
        ("The Late Oven", 4, "Worth staying up", "Bring cash and patience."),
        ("Ferry House Nine", 3, "One soup", "It was pea soup. I do not like pea soup. It was good."),
    ]

    private static func load(_ builder: DemoBuilder) async throws -> String {
        // Reviews have no slug by which they would be found again.
        let isFirst = try await builder.database.entries.find(type: "city", slug: "veldhaven") == nil
        for (name, group) in categories { try await builder.category(name, group: group) }
        try await builder.entry(
            "city",
            [
                "title": "Veldhaven", "names": "Feldhafen\nVeldhavn", "population": .int(21_400),
                "center": .object(["lat": .double(54.7421), "lon": .double(8.2098)]),
            ])
        let city = try await builder.entries("city", ["veldhaven"]).arrayValue?.first ?? .null
        for (number, place) in places.enumerated() {
            try await builder.entry(
                "place",
                [
                    "title": .string(place.name), "city": city, "address": .string(place.address),
                    "point": .object(["lat": .double(place.lat), "lon": .double(place.lon)]),
                    "categories": try await builder.entries(
                        "category", place.category.split(separator: ",").map(String.init)),
                    "summary": .string(place.summary),
                    "image": try await builder.image(20 + number, alt: "A drawn view near \(place.name)"),
                ])
        }
        for promotion in promotions {
            let place =
                try await builder.entries("place", [Slug.make(from: promotion.place)]).arrayValue?.first ?? .null
            try await builder.entry(
                "promotion",
                [
                    "title": .string(promotion.name), "place": place, "starts_at": .string(day(promotion.start)),
                    "ends_at": .string(day(promotion.end)), "description": .string(promotion.text),
                ])
        }
        for review in reviews where isFirst {
            let place = try await builder.entries("place", [Slug.make(from: review.place)]).arrayValue?.first ?? .null
            try await builder.entry(
                "review",
                [
                    "title": .string(review.title), "place": place, "rating": .int(review.rating),
                    "text": .string(review.text), "author": "Reader",
                ])
        }
        return
            "Published Veldhaven with \(places.count) places, \(promotions.count) promotions and \(reviews.count) reviews."
    }

    private static func day(_ distance: Int) -> String {
        let midnight = (Date().timeIntervalSince1970 / 86_400).rounded(.down) * 86_400
        return InstantText.text(Date(timeIntervalSince1970: midnight + Double(distance) * 86_400), milliseconds: false)
    }
}
