// The example set of categories: two groups with names in two languages, for a database to look at and as a fixture (B30).
import Domain
import Editorial
import Platform
import Store

enum DemoCategories {
    static let set = Demo(
        name: "categories", summary: "Names the two groups and fills them with an example set, published.",
        details: """
            The type of food and the type of place, with German names and other words. Groups that were renamed before keep \
            their names.
            """
    ) { desk in
        let write = WriteEntry(database: desk.database, rules: desk.rules)
        var made = 0
        for group in groups {
            try await name(
                group.id, from: group.seeded, group.name, german: group.german, write, desk.database, desk.actor)
            for example in group.examples
            where try await desk.database.entries.find(type: "category", slug: Slug.make(from: example.name)) == nil {
                let added = try await CreateCategory(database: desk.database, rules: desk.rules)(
                    named: example.name, in: group.id, by: desk.actor)
                guard let id = added.entry else { continue }
                try await translate(id, example, write, desk.database, desk.actor)
                made += 1
            }
        }
        return made == 0 ? "The example set is there already." : "The example set is published: \(made) categories."
    }

    private struct Example {
        let name, german: String
        var words = ""
    }

    private static let groups: [(id: ID<Entry>, seeded: String, name: String, german: String, examples: [Example])] = [
        (
            SeedEntry.topicGroup, "Topic", "The type of food", "Art der Küche",
            [
                Example(name: "Fast food", german: "Schnellimbiss", words: "Snacks\nTakeaway"),
                Example(name: "Burger", german: "Burger", words: "Hamburger"),
                Example(name: "Pizza", german: "Pizza"),
                Example(name: "Noodles", german: "Nudeln", words: "Ramen\nPasta"),
                Example(name: "Fish", german: "Fisch", words: "Seafood"),
                Example(name: "Vegetarian", german: "Vegetarisch", words: "Vegan"),
                Example(name: "Pastry", german: "Gebäck", words: "Cakes"),
                Example(name: "Indian", german: "Indisch", words: "Curry"),
            ]
        ),
        (
            SeedEntry.placeGroup, "Place", "The type of place", "Art des Ortes",
            [
                Example(name: "Airport", german: "Flughafen", words: "Aerodrome"),
                Example(name: "Business", german: "Geschäftsviertel", words: "Offices"),
                Example(name: "Café", german: "Café", words: "Coffee house"),
                Example(name: "Hotel", german: "Hotel", words: "Inn"),
                Example(name: "Market", german: "Markt"),
                Example(name: "Waterfront", german: "Am Wasser", words: "Riverside\nQuay"),
            ]
        ),
    ]

    private static func name(
        _ id: ID<Entry>, from seeded: String, _ name: String, german: String, _ write: WriteEntry,
        _ database: Database, _ actor: Actor
    ) async throws {
        guard let newest = try await database.revisions.newest(of: id),
            newest.content.fields["title"] == .string(seeded)
        else { return }
        var fields = newest.content.fields
        fields["title"] = .string(name)
        fields["slug"] = .string(Slug.make(from: name))
        fields["names"] = Self.german(german)
        _ = try await write.edit(
            id, fields: fields, base: newest.number, note: "demo", publishTiming: .now, by: actor)
    }

    private static func translate(
        _ id: ID<Entry>, _ example: Example, _ write: WriteEntry, _ database: Database, _ actor: Actor
    ) async throws {
        guard let newest = try await database.revisions.newest(of: id) else { return }
        var fields = newest.content.fields
        fields["names"] = german(example.german)
        if !example.words.isEmpty { fields["synonyms"] = .string(example.words) }
        _ = try await write.edit(
            id, fields: fields, base: newest.number, note: "demo", publishTiming: .now, by: actor)
    }

    private static func german(_ name: String) -> JSONValue {
        .array([.object(["locale": "de", "name": .string(name)])])
    }
}
