// A labeled set of similar and different items: real feeds, posts and places, and altered copies of them.
import Domain
import FoundationEssentials
import Operations
import Store
import TestSupport

struct SimilaritySet {
    struct Item: Hashable {
        let id: ID<Submission>
        let type: String
        let title: String
        let fields: [String: JSONValue]
        /// The item that it is an altered copy of.
        var copyOf: ID<Submission>?
    }

    /// `$VITRINE_DATA`, or `../shared/data` next to the package.
    private static let folder =
        ProcessInfo.processInfo.environment["VITRINE_DATA"] ?? TestDatabase.packageRoot + "/../shared/data"

    private(set) var items: [Item] = []
    /// Whether real documents are available.
    var isReal: Bool { items.count > 200 }

    static func make(_ test: TestDatabase) async throws -> SimilaritySet {
        let portal = try await test.clientActor()
        try await importFeeds(test, portal)
        try await send(posts() + TestPack.places.ifEnabled(places()), test, portal)
        if try await test.database.queue.count(QueueFilter()) < 100 { try await send(ours, test, portal) }
        var set = SimilaritySet()
        // Many are stored at once: sorted by content, the order is the same in every run.
        set.items = try await stored(test)
            .map { (key: ($0.title, JSONValue.object($0.fields).canonicalText), item: $0) }
            .sorted { $0.key < $1.key }.map(\.item)
        let other = try await test.clientActor()
        let copied = set.items.enumerated().filter { $0.offset % 3 == 0 && $0.element.title.count > 8 }
        let copies = copied.enumerated().map { (type: $1.element.type, fields: altered($1.element, by: $0)) }
        let ids = try await send(copies, test, other)
        for (index, original) in copied.map(\.element).enumerated() {
            let (type, fields) = copies[index]
            set.items.append(
                Item(
                    id: ids[index], type: type, title: fields["title"]?.stringValue ?? "", fields: fields,
                    copyOf: original.id))
        }
        return set
    }

    /// The true duplicates, determined independently of the score: a copy and its original, the same beginning under
    /// the same title, the same name at the same coordinates.
    func groups() -> [ID<Submission>: Int] {
        var parent = Array(items.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while parent[index] != index { index = parent[index] }
            return index
        }
        var first: [String: Int] = [:]
        let places = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.id, $0) })
        for (index, item) in items.enumerated() {
            var marks: [String] = []
            let title = NormalizedTerms.of(item.title).joined(separator: " ")
            if item.copyOf == nil, let body = item.fields["body"]?.stringValue {
                marks.append("text \(title) \(body.prefix(150))")
            }
            if let point = GeoPoint(item.fields["point"]) {
                marks.append("place \(title) \(Int(point.lat * 1000)) \(Int(point.lon * 1000))")
            }
            for mark in marks {
                if let other = first[mark] { parent[root(index)] = root(other) } else { first[mark] = index }
            }
            if let original = item.copyOf.flatMap({ places[$0] }) { parent[root(index)] = root(original) }
        }
        return Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.id, root($0)) })
    }

    // MARK: Altered copies

    /// Variants from other sources: other case, an added name, truncated text, different punctuation, a typo.
    private static func altered(_ item: Item, by number: Int) -> [String: JSONValue] {
        var fields = item.fields
        fields["url"] = nil
        let title = item.title
        func cut(_ share: Double) {
            guard let body = fields["body"]?.stringValue else { return }
            let text = body.replacing("<p>", with: "").replacing("</p>", with: "")
            let length = max(300, Int(Double(text.count) * share))
            if text.count > length, !text.contains("<") { fields["body"] = .string("<p>\(text.prefix(length))…</p>") }
        }
        let name: String
        switch number % 7 {
        case 0: name = title.uppercased()
        case 1: name = "\(title) - The Harbour Gazette"
        case 2:
            name = "\(title) | Pier News"
            cut(0.6)
        case 3:
            name = title.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
            cut(0.3)
        case 4: name = "“\(title.replacing(" ", with: "  "))”!"
        case 5:
            name = "Quay Daily: \(title)"
            cut(0.4)
        default:
            var letters = Array(title)
            let middle = letters.count / 2
            if letters[middle].isLetter, letters[middle + 1].isLetter { letters.swapAt(middle, middle + 1) }
            name = String(letters)
        }
        fields["title"] = .string(String(name.prefix(200)))
        if let point = GeoPoint(fields["point"]) {
            fields["point"] = .object(["lat": .double(point.lat + 0.0004), "lon": .double(point.lon - 0.0004)])
        }
        return fields
    }

    // MARK: Sources

    private static func files(_ name: String) -> [(name: String, bytes: [UInt8])] {
        let path = "\(folder)/\(name)"
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted().compactMap { file in
            guard !file.hasSuffix(".md") else { return nil }
            return FileManager.default.contents(atPath: "\(path)/\(file)").map { (file, [UInt8]($0)) }
        }
    }

    private static func importFeeds(_ test: TestDatabase, _ portal: Actor) async throws {
        for file in files("feeds") {
            _ = try? await test.services.importFeed(
                file.bytes, origin: file.name, by: portal)
        }
    }

    private static func posts() -> [(type: String, fields: [String: JSONValue])] {
        files("submissions").filter { $0.name.hasSuffix(".jsonl") }.flatMap { file in
            file.bytes.split(separator: 0x0A).compactMap { line -> (type: String, fields: [String: JSONValue])? in
                guard let post = try? JSONValue(parsing: Array(line)), let title = post["title"]?.stringValue else {
                    return nil
                }
                let text = post["selftext"]?.stringValue ?? ""
                var fields: [String: JSONValue] = [
                    "title": .string(String(title.prefix(200))),
                    "body": .string("<p>\(text.isEmpty ? title : text.replacing("<", with: " "))</p>"),
                ]
                if post["is_self"] != .bool(true) { fields["url"] = post["url"] }
                return ("article", fields)
            }
        }
    }

    private static func places() -> [(type: String, fields: [String: JSONValue])] {
        files("places").filter { $0.name == "london_coffee.geojson" || $0.name == "london_libraries.geojson" }.flatMap {
            file in
            let features = (try? JSONValue(parsing: file.bytes))?["features"]?.arrayValue ?? []
            return features.prefix(300).compactMap { feature -> (type: String, fields: [String: JSONValue])? in
                guard let name = feature["properties"]?["name"]?.stringValue, !name.isEmpty,
                    let point = feature["geometry"]?["coordinates"]?.arrayValue, point.count == 2
                else { return nil }
                return (
                    "place",
                    [
                        "title": .string(name), "address": feature["properties"]?["address"] ?? "",
                        "point": .object(["lat": point[1], "lon": point[0]]),
                    ]
                )
            }
        }
    }

    /// Without real documents: stories that have nothing in common, and a series.
    private static let ours: [(type: String, fields: [String: JSONValue])] = {
        let stories = [
            (
                "The ferry crosses again on Sundays",
                "After nine quiet weeks both boats are back, and so are the queues for coffee."
            ),
            (
                "A bench was moved by two meters",
                "Somebody measured the sun in March and wrote to the parks office about shade."
            ),
            (
                "Old crane opens as a lookout tower",
                "Ninety steps lead past rusty wheels to a glass cabin with room for eight."
            ),
            (
                "Where bakers buy their rye flour",
                "The mill behind the tannery grinds slowly, and sells only what was ordered."
            ),
            (
                "Night trains return to the valley line",
                "Sleepers leave before midnight; breakfast is served where the tunnel ends."
            ),
            (
                "Library lends telescopes until October",
                "Members may keep one for a fortnight, clouds or none, without any deposit."
            ),
            (
                "Swimmers ask for warmer showers",
                "A petition with four hundred names was handed over beside the outdoor pool."
            ),
            (
                "Lighthouse keeper retires after decades",
                "Nobody takes over, since lamps have switched themselves on for a while now."
            ),
            (
                "Market stalls swap plastic for paper",
                "Customers grumble about wet bags, while fishmongers praise stronger string."
            ),
            (
                "Six gardens that open without tickets",
                "Behind hospital walls and chapels grow figs, quinces and an enormous wisteria."
            ),
            (
                "Choir rehearses in an empty garage",
                "Echoes between concrete pillars please tenors more than neighbors upstairs."
            ),
            (
                "Cyclists count potholes for the council",
                "Phones on handlebars noted every jolt, and a map turned orange within days."
            ),
        ].map { title, text in
            ("article", ["title": JSONValue.string(title), "body": JSONValue.string("<p>\(text)</p>")])
        }
        let series = (1...30).map { number in
            (
                "article",
                ["title": JSONValue.string("Harbour notes \(number)"), "body": "<p>Another week on the quay.</p>"]
            )
        }
        return stories + series
    }()

    // MARK: Storing

    @discardableResult
    private static func send(
        _ all: [(type: String, fields: [String: JSONValue])], _ test: TestDatabase, _ portal: Actor
    ) async throws -> [ID<Submission>] {
        let ids = all.map { _ in ID<Submission>(UUID()) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, item) in all.enumerated() {
                if index >= 32 { try await group.next() }
                let text = JSONValue.object(item.fields).canonicalText
                let submission = NewSubmission(
                    id: ids[index], type: item.type, actor: portal, contributor: nil,
                    title: item.fields["title"]?.stringValue ?? "", requestedCategory: nil, fields: text,
                    received: text,
                    source: "import", idempotencyKey: nil, requestHash: [UInt8](repeating: 1, count: 32))
                group.addTask { _ = try await test.database.receive(submission) }
            }
            try await group.waitForAll()
        }
        return ids
    }

    private static func stored(_ test: TestDatabase) async throws -> [Item] {
        try await test.client.query("select id, type, title, fields from curation.submission order by id").map { row in
            Item(
                id: try row("id"), type: try row("type"), title: try row("title"),
                fields: (try row("fields") as JSONValue).objectValue ?? [:])
        }
    }
}
