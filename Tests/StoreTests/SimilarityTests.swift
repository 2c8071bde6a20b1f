// Tests similarity search: on a labeled set, across submissions and live entries, and its cost.
import Domain
import FoundationEssentials
import Operations
import Postgres
import TestSupport
import Testing

@testable import Store

@Suite("Similarity", .databases)
struct SimilarityTests {
    private func screen(_ test: TestDatabase) async throws {
        var isMore = true
        while isMore {
            isMore = try await test.database.work(as: Actor(kind: .system, name: "schedule")) {
                try await ScreenSubmissions.screen(test.rules, $0)
            }
        }
    }

    @Test("On a labeled set of real and altered items, precision is at least 0.95 at a recall of at least 0.8")
    func labeled() async throws {
        let test = try await TestDatabase.make()
        let set = try await SimilaritySet.make(test)
        try await screen(test)
        let groups = set.groups()
        let items = Dictionary(uniqueKeysWithValues: set.items.map { ($0.id, $0) })
        var found: Set<Set<ID<Submission>>> = []
        var wrong: [(Double, String)] = []
        for item in set.items {
            let type = try test.rules.type(named: item.type)
            let content = Content(fields: item.fields)
            var similarity = Similarity(content, in: type, plain: try await test.rules.plain(content, in: type))
            let candidates = try await test.database.similarities.candidates(for: similarity, except: item.id.uuid)
            // By text alone; two items of the same page are matched by URL and count as neither right nor wrong here.
            let url = similarity.url
            similarity = Similarity(
                title: similarity.title, text: similarity.text, url: nil, point: similarity.point)
            for similar in FindSimilar.similar(similarity, among: candidates) {
                guard let other = similar.row.original.submission,
                    groups[item.id] == groups[other] || url == nil || url != similar.row.similarity.url,
                    found.insert([item.id, other]).inserted, groups[item.id] != groups[other]
                else { continue }
                wrong.append((similar.score, "\(item.title) / \(similar.row.title)"))
            }
        }
        let sizes = Dictionary(grouping: groups.values) { $0 }.mapValues(\.count)
        let pairs = sizes.values.map { $0 * ($0 - 1) / 2 }.reduce(0, +)
        let right = found.count - wrong.count
        let (precision, recall) = (Double(right) / Double(found.count), Double(right) / Double(pairs))
        let missed = set.items.filter { item in item.copyOf.map { !found.contains([item.id, $0]) } ?? false }
        print(
            "alike: \(set.items.count) things, \(pairs) true pairs, \(found.count) found, precision \(precision), recall \(recall)"
        )
        if ProcessInfo.processInfo.environment["VITRINE_similarity"] != nil {
            for (score, pair) in wrong.sorted(by: { $0.0 > $1.0 }).prefix(60) { print("wrong", score, pair) }
            for item in missed.prefix(60) {
                print("missed", item.title, "/", items[item.copyOf ?? item.id]?.title ?? "")
            }
        }
        #expect(precision >= 0.95)
        #expect(recall >= 0.8)
    }

    private func submit(_ test: TestDatabase, _ title: String, _ body: String, url: String? = nil) async throws
        -> SubmissionRow
    {
        var fields: [String: JSONValue] = ["title": .string(title), "body": .string(body)]
        if let url { fields["url"] = .string(url) }
        let id = try await test.receiveAnonymous(
            SubmissionDraft(type: "article", fields: fields), by: try await test.clientActor()
        ).id
        return try #require(try await test.database.submissions.find(id))
    }

    @Test("Live entries and queued submissions are found once each, and edited ones by their current text")
    func lives() async throws {
        let test = try await TestDatabase.make()
        let find = test.services.findSimilar
        let body = "<p>The ferry leaves at nine, and comes back when the tide lets it, says the harbour master.</p>"
        let live = try await test.write.create(
            type: "article",
            fields: [
                "title": "The ferry runs again", "body": .string(body),
                "categories": .array([.string(SeedEntry.unsorted.description)]),
            ], publishTiming: .now,
            by: TestDatabase.administrator)
        let waiting = try await submit(test, "THE FERRY RUNS AGAIN - Pier News", body)
        let other = try await submit(test, "A bench was moved", "<p>By two meters, to where the sun is.</p>")
        try await screen(test)
        let mine = try await submit(test, "The ferry runs again!", body, url: "https://a.example.org/x?utm_source=feed")
        let found = try await find(mine)
        #expect(Set(found.map(\.row.original)) == [.entry(live.entry), .submission(waiting.id)])
        #expect(found.allSatisfy { $0.score >= 0.9 && !$0.isSameURL })
        #expect(try await find(other).isEmpty)

        // An approved and live submission is found as the entry only.
        _ = try await test.services.decideSubmission(
            waiting.id, Decision.Draft(verdict: .approve, publishTiming: .now), version: 0,
            by: TestDatabase.administrator)
        try await screen(test)
        let again = try await find(mine)
        #expect(again.count == 2 && again.allSatisfy { $0.row.state == nil })
        #expect(Set(try await find(waiting).map(\.row.original)) == [.submission(mine.id), .entry(live.entry)])

        let same = try await submit(
            test, "Another word for it", "<p>Short.</p>", url: "http://www.a.example.org/x/#top")
        let banner = try #require(try await find(same).first)
        #expect(banner.isSameURL && banner.row.original == .submission(mine.id))
    }

    @Test("A search reads no more of the index than its limits allow, however many share keys")
    func bounded() async throws {
        let test = try await TestDatabase.make()
        let similarity = Similarity(title: "one two three four", text: "", url: nil, point: nil)
        try await test.client.execute(
            """
            insert into curation.similarity_key
            select k, md5(i::text)::uuid from unnest(\(similarity.keys.map(Int.init))::integer[]) k, generate_series(1, 5000) i
            """)
        _ = try await test.client.query("vacuum analyze curation.similarity_key")
        let plan: String = try await test.client.one(
            "explain (analyze, buffers, format json) \(SimilarityStore.candidatesQuery(similarity.searchKeys, except: UUID()))"
        )(
            "QUERY PLAN")
        let root = try JSONValue(parsing: Array(plan.utf8)).arrayValue?.first?["Plan"]
        let pages = (root?["Shared Hit Blocks"]?.integerValue ?? 0) + (root?["Shared Read Blocks"]?.integerValue ?? 0)
        #expect(pages < 300, "\(pages)")
    }
}
