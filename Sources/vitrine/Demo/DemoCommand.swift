// Puts demo content into a database: one set for each of the four kinds of app, written by us, about nothing real.
import Catalogs
import Domain
import Library
import Platform
import Store

/// A set is made by steps that make nothing twice, so that it can be loaded again; it gives a sentence about what is there now.
struct Demo: Sendable {
    let name: String
    let summary: String
    let details: String
    let make: @Sendable (DemoBuilder) async throws -> String

    static let all = [
        DemoFeeds.set, DemoPlaces.set, DemoRoutes.set, DemoLists.set,
        DemoCategories.set,
    ]
}

enum DemoCommand {
    static let entries = Demo.all.map { set in
        CommandEntry(
            command: Command(
                "demo", set.name, summary: set.summary, details: "\(set.details) Loading it again makes nothing twice.",
                examples: [.init("demo \(set.name)", "")])
        ) { run in
            let settings = try run.settings()
            let library = try MediaLibrary(settings)
            let kinds = try CatalogKinds(folder: settings.catalogs.directory)
            let actor = run.operatorActor
            let sentence = try await run.withDatabase { database, rules in
                try await set.make(
                    DemoBuilder(
                        database: database, rules: rules, library: library, catalogs: kinds, actor: actor))
            }
            Output.line(sentence)
            return .ok
        }
    }
}
