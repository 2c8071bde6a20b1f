// Puts demonstration content of one area into a database: written by us, about nothing real.
import Catalogues
import Domain
import Editorial
import Platform
import Store

enum DemonstrationCommand {
    static let entries = [
        CommandEntry(
            command: Command(
                "demo", "lists", summary: "Makes three curated lists of invented things, and publishes them.",
                details: "Things of a source named \"demonstration\": no other source is asked. Nothing is made twice.",
                options: [CommandRun.json]),
            run: lists)
    ]

    private static func lists(_ run: CommandRun) async throws -> ExitCode {
        let settings = try run.settings()
        let kinds = try CatalogueKinds(folder: settings.catalogues.directory)
        let actor = run.operatorActor
        try await run.withDatabase { database, rules in
            let write = WriteEntry(database: database, rules: rules)
            let keep = KeepCatalogueRecords(database: database)
            for list in DemonstrationLists.all {
                if try await database.entries.find(type: "list", slug: list.slug) != nil {
                    Output.note("\(list.title) is there already.")
                    continue
                }
                var rows: [JSONValue] = []
                for thing in list.things {
                    guard let kind = kinds[thing.kind],
                        let record = CatalogueRecord(
                            kind, externalID: Slug.make(from: thing.title), title: thing.title, details: thing.details)
                    else { continue }
                    let ids = try await keep([record], kind: kind, source: "demonstration", by: actor)
                    rows += ids.map {
                        .object(["item": .string($0.description), "note": .string(thing.note)])
                    }
                }
                let outcome = try await write.create(
                    type: "list",
                    fields: [
                        "title": .string(list.title), "slug": .string(list.slug), "about": .string(list.about),
                        "items": .array(rows),
                    ], note: "demonstration", goLive: .now, by: actor)
                try run.tell(outcome)
            }
        }
        return .ok
    }
}
