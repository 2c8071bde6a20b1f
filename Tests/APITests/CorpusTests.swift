// Tests real feed documents end to end: imported, approved, published, verified, read back over the API.
import Domain
import FoundationEssentials
import Markup
import Operations
import Platform
import Store
import TestSupport
import Testing

@Suite("Real feed documents, end to end", .databases)
struct CorpusTests {
    private struct Document: Sendable {
        let name: String
        let bytes: [UInt8]
    }

    /// `$VITRINE_DATA/feeds`, or `../shared/data/feeds` next to the package; without it, two small documents.
    private static func documents() -> [Document] {
        let given = ProcessInfo.processInfo.environment["VITRINE_DATA"]
        let folder = (given ?? TestDatabase.packageRoot + "/../shared/data") + "/feeds"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let real = names.sorted().filter { !$0.hasSuffix(".md") }.compactMap { name in
            FileManager.default.contents(atPath: "\(folder)/\(name)").map { Document(name: name, bytes: [UInt8]($0)) }
        }
        if !real.isEmpty { return real }
        Logger().warning("real feed documents skipped: two samples of ours instead", ["folder": .text(folder)])
        return [
            Document(name: "sample.xml", bytes: Array(rss.utf8)),
            Document(name: "sample.json", bytes: Array(json.utf8)),
        ]
    }

    private static let rss = """
        <rss version="2.0"><channel><title>Quay</title><item><guid>q1</guid><title>Low tide</title>
        <pubDate>Fri, 20 Nov 2026 07:00:00 GMT</pubDate><description>&lt;p&gt;Mud, mostly.&lt;/p&gt;</description></item>
        </channel></rss>
        """

    private static let json = """
        {"version":"https://jsonfeed.org/version/1.1","title":"Pier","items":[{"id":"p1","title":"High tide",
        "content_html":"<p>Water, mostly.</p>","date_published":"2026-11-20T13:00:00Z"}]}
        """

    @Test("Every document yields all its entries or a reason; approved ones are read back as in the document")
    func wholeLine() async throws {
        let (fixture, client) = try await APIFixture.serving([.readFull])
        let feed = try await fixture.publish("feed", "From elsewhere", ["tier": "free"])
        let importer = fixture.test.services.importFeed
        let operatorActor = Actor(kind: .system, name: "import")
        var expected: [ID<Entry>: FeedEntry] = [:]
        var imported = 0
        let documents = Self.documents()
        for document in documents {
            guard let parsed = try? FeedReader.read(document.bytes, contentType: nil, url: nil) else {
                await #expect(throws: Failure.self, "\(document.name)") {
                    try await importer(document.bytes, origin: document.name, by: operatorActor)
                }
                continue
            }
            let result = try await importer(document.bytes, origin: document.name, by: operatorActor)
            #expect(result.submissions == parsed.entries.count, "\(document.name): \(result.refused.map(\.reason))")
            #expect(result.refused.isEmpty, "\(document.name)")
            imported += result.submissions
            let approved = try await approve(some: parsed, from: document.name, into: feed, fixture)
            expected.merge(approved) { first, _ in first }
        }
        #expect(imported >= documents.count)
        let published = try await fixture.test.services.publishRelease.waiting(
            by: TestDatabase.administrator)
        #expect(published.entries == expected.count)
        #expect(try await fixture.test.database.publications.verify().isEmpty)
        for (id, entry) in expected {
            let item = try await fixture.get("/v1/items/\(id)", as: client).json
            #expect(item["title"]?.stringValue?.prefix(100) == Self.cleaned(entry.title).prefix(100))
            if let published = entry.published { #expect(item["published_at"]?.stringValue == published) }
            let body = item["fields"]?["body"]?.stringValue ?? ""
            #expect(!body.isEmpty && !body.contains("<script"))
        }
    }

    /// Approves up to three entries of a document, evenly spaced: our entries by their original.
    private func approve(
        some document: FeedDocument, from name: String, into feed: ID<Entry>, _ fixture: APIFixture
    ) async throws -> [ID<Entry>: FeedEntry] {
        let decide = fixture.test.services.decideSubmission
        let step = max(1, document.entries.count / 3)
        var approved: [ID<Entry>: FeedEntry] = [:]
        for index in stride(from: 0, to: document.entries.count, by: step).prefix(3) {
            let entry = document.entries[index]
            // Of entries that share an ID, the first has it as its key.
            let keys = [entry.contentID, entry.ownID].map { "feed-" + SHA256.hex("\(name)\u{1F}\($0)") }
            let submission: ID<Submission>? = try await fixture.test.client.first(
                """
                select id from curation.submission where idempotency_key = any(\(keys)::text[])
                order by idempotency_key = \(keys[0]) desc limit 1
                """
            ).map { try $0("id") }
            let id = try #require(submission)
            let draft = Decision.Draft(verdict: .approve, feeds: [feed], publishTiming: .approveOnly)
            let outcome = try await decide(id, draft, version: 0, by: TestDatabase.administrator)
            approved[try #require(outcome.change?.entry)] = entry
        }
        return approved
    }

    /// A title as a field stores it: one line, trimmed, without bidirectional controls.
    private static func cleaned(_ title: String) -> String {
        let scalars = title.unicodeScalars.filter { scalar in
            !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
        }
        return PlainText.singleLine(String(String.UnicodeScalarView(scalars)))
    }
}
