// Tests that the full document of every content type contains its preview, and no field that is for the team only.
import API
import Domain
import Store
import TestSupport
import Testing

@Suite("Full documents", .databases)
struct FullDocumentTests {
    /// A value for every field that can have one without further entries.
    private static func value(_ field: Field, unsorted: ID<Entry>, feed: ID<Entry>?, article: ID<Entry>?) -> JSONValue?
    {
        switch field.type {
        case .text: .string("Text of \(field.name)")
        case .longText: .string("Long text of \(field.name). " + String(repeating: "word ", count: 60))
        case .richText: .string("<p>Body of \(field.name)</p>")
        case .markdown: .string("Body of \(field.name)")
        case .integer: .int(Int64(field.minimum ?? 7))
        case .boolean: .bool(true)
        case .choice: field.choices.first.map { .string($0.value) }
        case .url: .string("https://example.org/\(field.name)")
        case .datetime: .string("2026-01-02T03:04:05Z")
        case .duration: .int(61)
        case .json: .object(["a": .int(1)])
        case .image: .object(["url": "https://images.example/a.jpg", "alt": "A door"])
        case .reference, .references:
            switch field.targets.first {
            case "category": field.type == .reference ? nil : ids([unsorted])
            case "feed": feed.map { ids([$0]) }
            case "article": article.map { ids([$0]) }
            default: nil
            }
        default: nil
        }
    }

    /// What the preview has and the full document lacks; a text of the preview may be the beginning of a longer one.
    private static func missing(_ preview: JSONValue, _ full: JSONValue?, _ pointer: String) -> [String] {
        switch (preview, full) {
        case (.object(let mine), .object(let theirs)?):
            return mine.flatMap { missing($0.value, theirs[$0.key], "\(pointer)/\($0.key)") }
        case (.string(let cut), .string(let whole)?) where cut.hasSuffix("…"):
            return whole.hasPrefix(cut.dropLast()) ? [] : [pointer]
        default: return preview == full ? [] : [pointer]
        }
    }

    @Test("A28: for every type and field the full document is a superset of the preview; internal fields never leave")
    func superset() async throws {
        let api = try await APIFixture.make()
        let (guest, full) = (try await api.client([.readGuest]), try await api.client([.readFull]))
        var feed: ID<Entry>?
        var article: ID<Entry>?
        for name in ["feed", "article", "video", "feed"] {
            let type = try #require(api.test.rules.types[name])
            var fields: [String: JSONValue] = [:]
            for field in type.fields {
                fields[field.name] = Self.value(field, unsorted: SeedEntry.unsorted, feed: feed, article: article)
            }
            fields["slug"] = nil
            fields["hls_url"] = name == "video" ? "https://v.example.org/a.m3u8" : nil
            let id = try await api.publish(name, "Title of \(name) \(article == nil ? 1 : 2)", fields)
            if name == "feed" { feed = id }
            if name == "article" { article = id }
            let path = type.kind == .feed ? "/v1/feeds/\(id)" : "/v1/items/\(id)"
            let preview = try await api.get(path, as: guest).json
            let whole = try await api.get(path, as: full).json
            #expect(Self.missing(preview, whole, "").isEmpty, "\(name)")
            // What members get of each field, and what nobody gets.
            let written = try #require(try await api.test.database.revisions.newest(of: id)).content.fields
            #expect(written.count > 8, "\(name): \(written.keys)")
            for field in type.fields where written[field.name] != nil {
                let isShown = whole["fields"]?[field.name] != nil || whole[field.name] != nil
                #expect(isShown != field.isInternal, "\(name).\(field.name)")
                if field.isInternal {
                    #expect(preview["fields"]?[field.name] == nil && preview[field.name] == nil)
                }
            }
        }
        #expect(try await api.get("/v1/feeds", as: guest).text.contains("publish_on_approval") == false)
    }

    @Test("A28: all other types have one document, the same for guests and members", .packs(.places))
    func others() async throws {
        let world = try await PlaceWorld.shared.value
        let full = try await world.api.client([.readFull])
        for path in ["/v1/places/l1", "/v1/promotions/tomorrow", "/v1/cities/london", "/v1/categories/airport"] {
            let reply = try await world.get(path)
            #expect(reply.status == 200)
            #expect(try await world.api.get(path, as: full).json.objectValue?.keys == reply.json.objectValue?.keys)
        }
    }
}
