// Demo lists of invented catalog items.
import Catalogs
import Domain

enum DemoLists {
    static let set = Demo(
        name: "lists", summary: "Publish three lists of invented catalog items.",
        details: "The items belong to a source named \"demo\"; no other source is queried."
    ) { builder in
        let save = SaveCatalogRecords(database: builder.database)
        for (number, list) in all.enumerated() {
            if try await builder.database.entries.find(type: "list", slug: list.slug) != nil { continue }
            var rows: [JSONValue] = []
            for item in list.items {
                guard let kind = builder.catalogs[item.kind],
                    let record = CatalogRecord(
                        kind, externalID: Slug.make(from: item.title), title: item.title, details: item.details)
                else { continue }
                let ids = try await save([record], kind: kind, source: "demo", by: builder.actor)
                rows += ids.map { .object(["item": .string($0.description), "note": .string(item.note)]) }
            }
            try await builder.entry(
                "list",
                [
                    "title": .string(list.title), "slug": .string(list.slug), "about": .string(list.about),
                    "photo": try await builder.image(40 + number, alt: "A drawn landscape under a low sun"),
                    "items": .array(rows),
                ])
        }
        return "Published \(all.count) lists. See /entries?type=list and /v1/lists."
    }

    struct Item: Sendable {
        let kind: String
        let title: String
        let details: [String: JSONValue]
        var note = ""
    }

    struct List: Sendable {
        let title: String
        let slug: String
        let about: String
        let items: [Item]
    }

    static let all = [
        List(
            title: "Films for a power cut", slug: "films-for-a-power-cut",
            about: "Films that are better told than seen, for an evening with candles.",
            items: [
                Item(
                    kind: "movie", title: "The Lighthouse Keeper's Week Off",
                    details: ["released": "1961-03-02", "overview": "Seven days on dry land, none of them quiet."],
                    note: "Begin with this one; everybody can do the foghorn."),
                Item(
                    kind: "movie", title: "Two Tickets to Ostrava",
                    details: ["released": "1987-10-09", "overview": "A train, a cake, and a mistaken platform."]),
                Item(
                    kind: "movie", title: "Night Shift at the Map Office",
                    details: ["released": "2004-01-23", "overview": "Somebody draws a street that was never there."],
                    note: "Bring a flashlight."),
                Item(
                    kind: "tv", title: "Harbor Mornings",
                    details: ["first_aired": "1994-09-01", "seasons": .int(3), "episodes": .int(26)]),
            ]),
        List(
            title: "Books to leave on a bench", slug: "books-to-leave-on-a-bench",
            about: "Short, kind, and not hard to part with.",
            items: [
                Item(
                    kind: "book", title: "A Walk Round the Kettle",
                    details: ["authors": .array(["Ida Fenn"]), "published": "1978", "pages": .int(96)],
                    note: "Leave it near tea."),
                Item(
                    kind: "book", title: "Umbrellas of the Upper Town",
                    details: [
                        "authors": .array(["Tomas Reed", "Ann Oluwa"]), "published": "2011-05", "pages": .int(144),
                    ]),
                Item(
                    kind: "book", title: "How to Be Late",
                    details: ["authors": .array(["Pia Solberg"]), "published": "1999", "pages": .int(60)]),
            ]),
        List(
            title: "An evening at the old port", slug: "an-evening-at-the-old-port",
            about: "Where to eat, and what to hum on the way home.",
            items: [
                Item(
                    kind: "restaurant", title: "The Third Anchor",
                    details: ["city": "Port Ellery", "cuisines": .array(["Seafood"]), "price": "$$"],
                    note: "Ask for the table that wobbles."),
                Item(
                    kind: "restaurant", title: "Chez Mme Gull",
                    details: ["city": "Port Ellery", "cuisines": .array(["Soup", "Pie"]), "price": "$"]),
                Item(
                    kind: "song", title: "Rope and Lantern",
                    details: ["artist": "The Quay Street Five", "seconds": .int(214)]),
            ]),
    ]
}
