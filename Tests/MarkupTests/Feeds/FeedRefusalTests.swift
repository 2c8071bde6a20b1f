// Tests that invalid and malicious documents are rejected early.

import Foundation
import Testing

@testable import Markup

struct FeedRefusalTests {
    @Test(
        "Anything but a feed is rejected with a reason",
        arguments: [
            ("", FeedError.Code.empty), (" \n\t", .empty), ("hello", .notAFeed), ("[1]", .notAFeed), ("{}", .notAFeed),
            ("{\"items\": []}", .notAFeed), ("{\"version\": \"https://jsonfeed.org/version/1\"", .malformed),
            ("<!DOCTYPE html><html><body>Hi</body></html>", .notAFeed), ("<html><head></head></html>", .notAFeed),
            ("<!-- page --><HTML><rss></rss>", .notAFeed), ("<opml version='2.0'/>", .notAFeed),
            ("<rss><channel>", .malformed),
            ("<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'><html/>", .notAFeed), ("<", .notAFeed),
            ("<?xml version='1.0'?>", .notAFeed), ("<!-- open", .notAFeed), ("<rss", .malformed),
        ])
    func reasons(document: String, code: FeedError.Code) {
        #expect(FeedSamples.refusal(document) == code)
    }

    @Test("A feed without entries is a feed")
    func noEntries() throws {
        #expect(try FeedSamples.read("<rss><channel><title>T</title></channel></rss>").entries.isEmpty)
    }

    @Test("A rejection has a line")
    func line() {
        do {
            _ = try FeedSamples.read("<?xml version='1.0'?>\n<rss>\n<channel>&bogus\n")
            Issue.record("was read")
        } catch {
            #expect(error.code == .malformed && error.line == 3)
            #expect(error.message.hasSuffix("."))
        }
    }

    @Test(
        "S35: a DTD is rejected regardless of its declarations",
        arguments: [
            "<!DOCTYPE rss [<!ENTITY a \"b\">]>", "<!DOCTYPE rss [<!ENTITY % a SYSTEM \"file:///etc/passwd\"> %a;]>",
            "<!doctype rss [ ]>", "<!DOCTYPE rss SYSTEM \"file:///etc/passwd\">",
            "<!DOCTYPE rss SYSTEM 'x' [<!ENTITY a 'b'>]>",
            "<!DOCTYPE rss PUBLIC \"-//Other//EN\" \"http://127.0.0.1:1/x\">", "<!DOCTYPE\nrss\nPUBLIC\n'a' 'b'>",
            "<!DOCTYPE rss PUBLIC '-//Netscape Communications//DTD RSS 0.91//EN' 'x' [<!ENTITY a 'b'>]>",
            "<!-- c --><?p?><!DOCTYPE rss><!DOCTYPE rss [<!ELEMENT rss ANY>]>",
        ])
    func doctypes(doctype: String) {
        #expect(FeedSamples.refusal(doctype + FeedSamples.channel("<item><title>t</title></item>")) == .doctype)
        #expect(FeedSamples.refusal("<?xml version='1.0'?>" + doctype + "<rss/>") == .doctype)
    }

    @Test("S35: a DOCTYPE without declarations is ignored, like that of RSS 0.91, which is not loaded")
    func harmlessDoctypes() throws {
        for doctype in [
            "<!DOCTYPE rss>",
            "<!DOCTYPE rss PUBLIC \"-//Netscape Communications//DTD RSS 0.91//EN\" \"http://127.0.0.1:1/rss.dtd\">",
        ] {
            let feed = try FeedSamples.read(doctype + FeedSamples.channel("<item><title>t</title></item>"))
            #expect(feed.entries.count == 1 && !feed.recovered)
        }
    }

    @Test("S35: entity bombs are rejected before parsing, and an undeclared entity stays text")
    func bombs() throws {
        var bomb = "<!DOCTYPE rss [<!ENTITY l0 \"lol\">"
        for level in 1...12 {
            bomb += "<!ENTITY l\(level) \"" + String(repeating: "&l\(level - 1);", count: 10) + "\">"
        }
        #expect(FeedSamples.refusal(bomb + "]>" + FeedSamples.channel("<item><title>&l12;</title></item>")) == .doctype)
        let quadratic = "<!DOCTYPE rss [<!ENTITY a \"" + String(repeating: "a", count: 100_000) + "\">]>"
        #expect(
            FeedSamples.refusal(quadratic + FeedSamples.channel(String(repeating: "&a;", count: 50_000))) == .doctype)
        let late = FeedSamples.channel("<item><title>&x;<!DOCTYPE a [<!ENTITY x 'secret'>]>&x;</title></item>")
        #expect(try FeedSamples.read(late).entries.first?.title.contains("secret") == false)
    }

    @Test("S35: nothing that a document references is loaded: no file and no connection")
    func nothingIsOpened() throws {
        let listener = try LocalListener()
        defer { listener.close() }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("feed-\(UUID().uuidString)")
        try Data("canary".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let urls = ["http://127.0.0.1:\(listener.port)/x.dtd", file.absoluteString]
        for url in urls {
            for doctype in [
                "<!DOCTYPE rss [<!ENTITY x SYSTEM \"\(url)\">]>",
                "<!DOCTYPE rss [<!ENTITY % x SYSTEM \"\(url)\"> %x;]>",
                "<!DOCTYPE rss SYSTEM \"\(url)\">", "<?xml-stylesheet href=\"\(url)\"?>",
                "<!DOCTYPE rss PUBLIC \"-//Netscape Communications//DTD RSS 0.91//EN\" \"\(url)\">",
            ] {
                let inside = "<item><title>t &x; <xi:include href=\"\(url)\" parse=\"text\"/></title></item>"
                let root =
                    " xmlns:xi=\"http://www.w3.org/2001/XInclude\" schemaLocation=\"a \(url)\" xml:base=\"\(url)\""
                let feed = try? FeedSamples.read(doctype + FeedSamples.channel(inside, root: root))
                #expect(feed?.entries.first?.title.contains("canary") != true)
            }
        }
        #expect(!listener.wasCalled)
    }

    @Test("S35: elements may be nested to the limit, one more is rejected and not dropped")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            let inner = depth - 4
            return "<rss><channel><item><description>" + String(repeating: "<b>", count: inner) + "x"
                + String(repeating: "</b>", count: inner) + "</description><title>Kept</title></item></channel></rss>"
        }
        let feed = try FeedSamples.read(nested(FeedLimits.depth))
        #expect(feed.entries.first?.title == "Kept" && feed.entries.first?.html.contains("x") == true)
        #expect(FeedSamples.refusal(nested(FeedLimits.depth + 1)) == .tooDeep)
        #expect(FeedSamples.refusal(nested(100_000)) == .tooDeep)
        #expect(FeedSamples.refusal("<rss>" + String(repeating: "<a>", count: 100_000)) == .tooDeep)
    }

    @Test("S35: attributes, namespaces and elements are accepted at their limits, one more is rejected")
    func counts() throws {
        func attributes(_ count: Int) -> String {
            "<rss " + (0..<count).map { "a\($0)='='" }.joined(separator: " ") + "/>"
        }
        #expect(FeedSamples.refusal(attributes(FeedLimits.attributes)) == nil)
        #expect(FeedSamples.refusal(attributes(FeedLimits.attributes + 1)) == .limit)
        func namespaces(_ count: Int) -> String {
            let half = count / 2
            let first = (0..<half).map { "xmlns:a\($0)='u'" }.joined(separator: " ")
            let second = (half..<count).map { "xmlns:a\($0)='u'" }.joined(separator: "\n")
            return "<rss \(first)><channel \(second)></channel><x \(second)/></rss>"
        }
        #expect(FeedSamples.refusal(namespaces(FeedLimits.namespaces)) == nil)
        #expect(FeedSamples.refusal(namespaces(FeedLimits.namespaces + 1)) == .limit)
        func elements(_ count: Int) -> String {
            "<rss>" + String(repeating: "<a/>", count: count - 1) + "</rss>"
        }
        try FeedGuard.check(Array(elements(FeedLimits.elements).utf8))
        #expect(throws: FeedError.self) { try FeedGuard.check(Array(elements(FeedLimits.elements + 1).utf8)) }
    }

    @Test("A document of 8 MiB is accepted, one more byte is rejected")
    func size() {
        let feed = FeedSamples.channel("<item><title>t</title></item>")
        let padding = FeedLimits.documentBytes - feed.utf8.count
        let most = Array(feed.utf8) + [UInt8](repeating: 0x20, count: padding)
        #expect(FeedSamples.refusal(most) == nil)
        #expect(FeedSamples.refusal(most + [0x20]) == .tooLarge)
    }

    @Test("Entries up to the limit are accepted, one more is rejected", arguments: [0, 1])
    func entries(more: Int) {
        let count = FeedLimits.entries + more
        let expected: FeedError.Code? = more == 0 ? nil : .limit
        #expect(FeedSamples.refusal(FeedSamples.channel(String(repeating: "<item/>", count: count))) == expected)
        let items = Array(repeating: "{}", count: count).joined(separator: ",")
        #expect(
            FeedSamples.refusal("{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[\(items)]}") == expected)
    }

    @Test("A body of 1 MiB is accepted; only an entry with one more byte has a problem", arguments: [0, 1])
    func body(more: Int) throws {
        let text = String(repeating: "x", count: FeedLimits.htmlBytes + more)
        let items = "<item><description>\(text)</description></item><item><title>Two</title></item>"
        let entries = try FeedSamples.read(FeedSamples.channel(items)).entries
        #expect(entries.map { $0.problem == nil } == [more == 0, true])
        #expect(entries.map { $0.html.utf8.count } == [more == 0 ? FeedLimits.htmlBytes : 0, 0])
    }

    @Test("JSON may be nested to the limit, one more level is rejected; brackets in strings do not count")
    func jsonDepth() {
        func nested(_ depth: Int) -> String {
            let inner = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
            return "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[],\"x\":\(inner),\"y\":\"[[\\\"[[\"}"
        }
        #expect(FeedSamples.refusal(nested(FeedLimits.jsonDepth)) == nil)
        #expect(FeedSamples.refusal(nested(FeedLimits.jsonDepth + 1)) == .tooDeep)
    }
}
