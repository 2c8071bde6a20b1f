// Tests real feed documents against their manifest and an independent parser.

import Foundation
import TestBasics
import Testing

@testable import Markup

struct FeedRealDocumentTests {
    private func read(_ document: RealFeed) throws -> FeedDocument {
        try FeedReader.read(document.bytes, contentType: nil, url: "https://feed.example/dir/feed.xml")
    }

    @Test(
        "Each document returns all its entries and whether it was repaired; an HTML page is rejected",
        .enabled(if: TestData.exists, TestData.missing), arguments: RealFeed.all)
    func entries(document: RealFeed) throws {
        if document.isPage {
            #expect(FeedSamples.refusal(document.bytes) == .notAFeed)
            return
        }
        let feed = try read(document)
        #expect(feed.entries.count == document.rows)
        #expect(feed.recovered == !document.isWellFormed)
        #expect(!feed.title.isEmpty)
        #expect(Set(feed.entries.map(\.id)).count == feed.entries.count)
        #expect(feed.entries.allSatisfy { !$0.id.isEmpty && !$0.title.isEmpty })
        #expect(feed.entries.map(\.id) == (try read(document)).entries.map(\.id))
        #expect(!feed.entries.contains { $0.title.contains("\u{FFFD}") || $0.html.contains("\u{FFFD}") })
        let urls = feed.entries.compactMap(\.url) + feed.entries.flatMap { $0.media.map(\.url) }
        #expect(urls.allSatisfy { $0.lowercased().hasPrefix("http://") || $0.lowercased().hasPrefix("https://") })
    }

    @Test(
        "Titles, dates, bodies and enclosures agree with a naive parser",
        .enabled(if: TestData.exists, TestData.missing))
    func naive() throws {
        var compared = (titles: 0, dates: 0, bodies: 0, enclosures: 0)
        for document in TestScale.sample(RealFeed.all) where document.isWellFormed && !document.isPage {
            guard let text = String(validating: document.bytes, as: UTF8.self), !text.hasPrefix("{") else { continue }
            let feed = try read(document)
            guard feed.format != .json else { continue }
            let atom = feed.format == .atom
            let naive = NaiveFeed(text, tag: atom ? "entry" : "item")
            guard naive.entries.count == feed.entries.count else { continue }
            for (part, entry) in zip(naive.entries, feed.entries) {
                if let title = NaiveFeed.text("title", in: part), !NaiveFeed.letters(title).isEmpty, title.count < 400 {
                    #expect(NaiveFeed.letters(entry.title) == NaiveFeed.letters(title), "\(document.name)")
                    compared.titles += 1
                }
                if let date = NaiveFeed.text(atom ? "published" : "pubDate", in: part).flatMap(Self.date) {
                    #expect(entry.published == date, "\(document.name)")
                    compared.dates += 1
                }
                if !atom, let body = Self.body(part) {
                    #expect(entry.html == body, "\(document.name)")
                    compared.bodies += 1
                }
                if !atom {
                    let urls = Set(NaiveFeed.values(of: "url", in: "enclosure", of: part))
                    #expect(Set(entry.media.filter { $0.kind == .enclosure }.map(\.url)) == urls, "\(document.name)")
                    compared.enclosures += urls.count
                }
            }
        }
        // Ensures that the naive parser found something.
        let least = TestScale.isFull ? [1000, 1000, 500, 500] : [200, 200, 100, 50]
        let found = [compared.titles, compared.dates, compared.bodies, compared.enclosures]
        #expect(zip(found, least).allSatisfy { $0 > $1 }, "\(compared)")
    }

    /// The body if an item has only one candidate.
    private static func body(_ item: Substring) -> String? {
        if item.contains("xhtml:body") { return nil }
        let bodies = ["content:encoded", "description"].map { NaiveFeed.text($0, in: item) }
        // An empty body counts as missing; bodies that the naive parser does not support are skipped.
        let body = item.contains("<content:encoded") && bodies[0] != "" ? bodies[0] : bodies[1]
        return body?.isEmpty == true ? nil : body
    }

    private static func date(_ text: String) -> String? {
        let date = mail.date(from: text) ?? (try? Date(text, strategy: .iso8601))
        return date.map { $0.formatted(.iso8601) }
    }

    private static let mail: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "EEE, d MMM yyyy HH:mm:ss zzz"
        return formatter
    }()

    @Test(
        "JSON feeds agree with an independent parser",
        .enabled(if: TestData.exists, TestData.missing))
    func json() throws {
        var compared = 0
        for document in RealFeed.all where document.name.hasSuffix(".json") {
            let root = try #require(try JSONSerialization.jsonObject(with: Data(document.bytes)) as? [String: Any])
            let items = try #require(root["items"] as? [[String: Any]])
            let feed = try read(document)
            #expect(feed.format == .json && feed.entries.count == items.count)
            for (item, entry) in zip(items, feed.entries) {
                #expect(entry.id == (item["id"] as? String ?? (item["id"] as? Int).map(String.init)))
                #expect(entry.url == item["url"] as? String)
                let html = (item["content_html"] as? String ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
                if !html.isEmpty { #expect(entry.html == html) }
                if let date = (item["date_published"] as? String).flatMap(Self.date) {
                    #expect(entry.published == date)
                }
                compared += 1
            }
        }
        #expect(compared > 80)
    }

    @Test(
        "Truncated documents and documents with invalid bytes are parsed or rejected without breaking invariants",
        .enabled(if: TestData.exists, TestData.missing), arguments: RealFeed.all)
    func damaged(document: RealFeed) {
        // Every 97th byte of a small document; fewer positions in a large one to limit the time to seconds.
        let step = 97 * max(1, document.bytes.count * document.bytes.count / 97 / 250_000)
        for length in stride(from: 0, to: document.bytes.count, by: step * TestScale.step) {
            expectSound(Array(document.bytes[..<length]))
        }
        var random = SeededGenerator(seed: UInt64(document.bytes.count))
        for _ in 0..<TestScale.count(max(2, min(20, 150_000 / document.bytes.count))) {
            var bytes = document.bytes
            for _ in 0..<8 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            expectSound(bytes)
        }
    }

    private func expectSound(_ bytes: [UInt8]) {
        guard let feed = try? FeedReader.read(bytes, contentType: nil, url: nil) else { return }
        #expect(Set(feed.entries.map(\.id)).count == feed.entries.count)
        #expect(feed.entries.allSatisfy { !$0.id.isEmpty && !$0.title.isEmpty })
    }
}
