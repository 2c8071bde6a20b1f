// Loads demo content: one set for each kind of app, entirely invented.
import Catalogs
import Domain
import Library
import Platform
import Store

/// A set of demo content. Loading is idempotent and returns a sentence about the result.
struct Demo: Sendable {
    let name: String
    let summary: String
    let details: String
    let load: @Sendable (DemoBuilder) async throws -> String

    static let all = [
        DemoFeeds.set, DemoPlaces.set, DemoRoutes.set, DemoLists.set,
        DemoCategories.set,
    ]
}

enum DemoCommand {
    static let entries = Demo.all.map { set in
        CommandEntry(
            command: Command(
                "demo", set.name, summary: set.summary, details: "\(set.details) Can be loaded repeatedly.",
                examples: [.init("demo \(set.name)", "")])
        ) { run in
            let settings = try run.settings()
            let kinds = try CatalogKinds(folder: settings.catalogs.directory)
            let actor = run.operatorActor
            let sentence = try await run.withDatabase { _, services in
                try await set.load(DemoBuilder(services: services, catalogs: kinds, actor: actor))
            }
            Output.line(sentence)
            return .ok
        }
    }
}
