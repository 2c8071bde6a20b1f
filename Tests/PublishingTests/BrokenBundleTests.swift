// Tests damaged and forged bundles: errors name line, field and code, and nothing is imported.
import Domain
import Operations
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Broken bundles", .databases)
struct BrokenBundleTests {
    /// What the import says of it, as "line 3 /entry/id format".
    private func verdict(_ world: BundleWorld, _ bundle: [UInt8]) async throws -> String {
        do {
            try await world.import(bundle)
            return "imported"
        } catch Failure.invalid(let errors) {
            let item = errors.items.first
            return "\(item?.pointer ?? "") \(item?.code ?? "")"
        }
    }

    private func edit(_ bundle: [UInt8], record: String, _ change: (String) -> String) -> (bundle: [UInt8], line: Int) {
        var lines = String(decoding: bundle, as: UTF8.self).split(separator: "\n").map(String.init)
        let index = lines.firstIndex { $0.hasPrefix("{\"\(record)\"") } ?? 0
        lines[index] = change(lines[index])
        return (Array((lines.joined(separator: "\n") + "\n").utf8), index + 1)
    }

    @Test("A damaged line is reported with its number, field and code; a truncated file with its last line")
    func damage() async throws {
        let bundle = try await BundleWorld.full().export()
        let new = try await BundleWorld.empty()
        let before = try await new.export()
        let count = bundle.split(separator: 0x0A).count

        let cases: [(record: String, pattern: String, with: String, says: String)] = [
            ("entry", #""kind":"#, #""kind" "#, "format"),
            ("entry", #""id":""#, #""id":"x"#, "/entry/id format"),
            ("entry", #""kind":"#, #""color":1,"kind":"#, "/entry/color unknown"),
            ("entry", #""type":""#, #""type":"un"#, "/entry/type reference"),
            ("entry", #"\{"entry""#, #"{"entries""#, "/entries unknown"),
            ("entry", #""created_at":"[^"]*""#, #""created_at":null"#, "/entry/created_at required"),
            ("revision", #""number":1,"plain""#, #""number":0,"plain""#, "/revision/number revision_number"),
            ("revision", #""content":\{"#, #""content":{"a":1,"a":2,"#, "/revision/content/a duplicate_key"),
            ("release", #""state":""#, #""state":"un"#, "/release/state release_state"),
            ("submission", #""received_at":""#, #""received_at":"x"#, "/submission/received_at format"),
            ("actor", #""kind":""#, #""kind":"x"#, "/actor/kind actor_kind"),
        ]
        for (record, pattern, with, says) in TestScale.sample(cases) {
            let expression = try Regex(pattern)
            let (broken, line) = edit(bundle, record: record) {
                $0.replacing(expression, with: with, maxReplacements: 1)
            }
            let said = try await verdict(new, broken)
            #expect(said == "line \(line) \(says)", "\(record) \(pattern)")
        }
        // Cut within a line, between lines, and changed where every field is still right.
        #expect(try await verdict(new, Array(bundle.dropLast(300))).hasSuffix("truncated"))
        let lines = bundle.split(separator: 0x0A)
        let cut = Array(lines[..<(count / 2)].joined(separator: [0x0A])) + [0x0A]
        #expect(try await verdict(new, cut) == "line \(count / 2 + 1) truncated")
        let shorter = Array((Array(lines[..<3]) + Array(lines[4...])).joined(separator: [0x0A])) + [0x0A]
        #expect(try await verdict(new, shorter).hasPrefix("line "))
        let (changed, _) = edit(bundle, record: "revision") {
            $0.replacing(#""note":""#, with: #""note":"x"#, maxReplacements: 1)
        }
        #expect(try await verdict(new, changed) == "line \(count) /end/sha256 digest")
        #expect(try await verdict(new, Array("{\"hello\":{}}\n".utf8)) == "line 1 header")
        #expect(try await verdict(new, []) == "line 1 header")
        #expect(try await new.export() == before)
        #expect(try await verdict(new, bundle) == "imported")
    }

    @Test("An image without files is refused, and one that is stored like that is shown without them")
    func imageWithoutFiles() async throws {
        let world = try await BundleWorld.empty()
        let actor = TestDatabase.administrator
        let image = try await world.test.services.ingestImage(
            SmallImage.bytes, name: "gray.png", alt: "Gray", by: actor
        ).media
        try await world.test.writeUnchecked("delete from ops.media_file")
        let page = try await world.test.database.media.page(MediaFilter(), cursor: nil, limit: 10)
        #expect(page.items.map(\.id) == [image.id] && page.items.allSatisfy(\.files.isEmpty))
        let new = try await BundleWorld.empty()
        #expect(try await verdict(new, world.export()) == "ops.media media_file")
    }

    @Test("B66: a bundle of another version, or of a newer release of Vitrine, is refused")
    func versions() async throws {
        let bundle = try await BundleWorld.empty().export()
        let new = try await BundleWorld.empty()
        let (later, _) = edit(bundle, record: "vitrine_bundle") { $0.replacing("\"version\":1", with: "\"version\":2") }
        #expect(try await verdict(new, later) == "line 1 /vitrine_bundle/version version")
        let (newer, _) = edit(bundle, record: "vitrine_bundle") {
            $0.replacing("\"schema\":\"", with: "\"schema\":\"newer/")
        }
        #expect(try await verdict(new, newer) == "line 1 /vitrine_bundle/schema newer")
    }
}
