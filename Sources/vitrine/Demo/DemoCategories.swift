// Demo categories: two groups with names in two languages (B30).
import Domain
import Editorial
import Platform
import Store

enum DemoCategories {
    static let set = Demo(
        name: "categories", summary: "Rename the two category groups and publish example categories.",
        details: """
            Types of food and types of places, with German names and synonyms. Groups that were already renamed keep their \
            names.
            """
    ) { builder in
        let write = builder.services.writeEntry
        var created = 0
        for group in groups {
            try await rename(
                group.id, from: group.seeded, group.name, german: group.german, write, builder.database, builder.actor)
            for example in group.examples
            where try await builder.database.entries.find(type: "category", slug: Slug.make(from: example.name)) == nil
            {
                let result = try await builder.services.createCategory(
                    named: example.name, in: group.id, by: builder.actor)
                try await translate(result.entry, example, write, builder.database, builder.actor)
                created += 1
            }
        }
        return created == 0 ? "The example categories already exist." : "Published \(created) categories."
    }

    private struct Example {
        let name, german: String
        var synonyms = ""
    }

    private static let groups: [(id: ID<Entry>, seeded: String, name: String, german: String, examples: [Example])] = [
        (
            SeedEntry.topicGroup, "Topic", "The type of food", "Art der Küche",
            [
                Example(name: "Fast food", german: "Schnellimbiss", synonyms: "Snacks\nTakeaway"),
                Example(name: "Burger", german: "Burger", synonyms: "Hamburger"),
                Example(name: "Pizza", german: "Pizza"),
                Example(name: "Noodles", german: "Nudeln", synonyms: "Ramen\nPasta"),
                Example(name: "Fish", german: "Fisch", synonyms: "Seafood"),
                Example(name: "Vegetarian", german: "Vegetarisch", synonyms: "Vegan"),
                Example(name: "Pastry", german: "Gebäck", synonyms: "Cakes"),
                Example(name: "Indian", german: "Indisch", synonyms: "Curry"),
            ]
        ),
        (
            SeedEntry.placeGroup, "Place", "The type of place", "Art des Ortes",
            [
                Example(name: "Airport", german: "Flughafen", synonyms: "Aerodrome"),
                Example(name: "Business", german: "Geschäftsviertel", synonyms: "Offices"),
                Example(name: "Café", german: "Café", synonyms: "Coffee house"),
                Example(name: "Hotel", german: "Hotel", synonyms: "Inn"),
                Example(name: "Market", german: "Markt"),
                Example(name: "Waterfront", german: "Am Wasser", synonyms: "Riverside\nQuay"),
            ]
        ),
    ]

    private static func rename(
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
        if !example.synonyms.isEmpty { fields["synonyms"] = .string(example.synonyms) }
        _ = try await write.edit(
            id, fields: fields, base: newest.number, note: "demo", publishTiming: .now, by: actor)
    }

    private static func german(_ name: String) -> JSONValue {
        .array([.object(["locale": "de", "name": .string(name)])])
    }
}
