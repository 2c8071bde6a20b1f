// Creates demo entries once, with generated images.
import Domain
import Editorial
import Library
import Platform
import Services
import Store

struct DemoBuilder: Sendable {
    let services: Services
    let catalogs: CatalogKinds
    let actor: Actor

    var database: Database { services.database }

    /// The actor of imports.
    var importer: Actor { Actor(kind: .system, name: "import", requestID: actor.requestID) }

    private static let note = "demo"

    /// Creates and publishes an entry unless one of its type has the same slug. Returns its id.
    @discardableResult
    func entry(_ type: String, _ fields: [String: JSONValue]) async throws -> ID<Entry> {
        let slug = fields["slug"]?.stringValue ?? Slug.make(from: fields["title"]?.stringValue ?? "")
        if let known = try await database.entries.find(type: type, slug: slug) { return known }
        return try await services.writeEntry.create(
            type: type, fields: fields, note: Self.note, publishTiming: .now, by: actor
        ).entry
    }

    func entries(_ type: String, _ slugs: [String]) async throws -> JSONValue {
        var ids: [JSONValue] = []
        for slug in slugs {
            if let id = try await database.entries.find(type: type, slug: slug) { ids.append(.string(id.description)) }
        }
        return .array(ids)
    }

    /// Creates a category in group 1 (topics) or 2 (places).
    func category(_ title: String, group: Int) async throws {
        let group = group == 1 ? SeedEntry.topicGroup : SeedEntry.placeGroup
        try await entry("category", ["title": .string(title), "group": .string(group.description)])
    }

    /// Adds a generated landscape to the media library. The same number gives the same image.
    func image(_ number: Int, alt: String) async throws -> JSONValue {
        let ingest = services.ingestImage
        let media = try await ingest(
            DemoDrawing(number).png, name: "demo-\(number).png", alt: alt, by: actor
        ).media
        return .object(["media": .string(media.id.description), "alt": .string(alt)])
    }
}
