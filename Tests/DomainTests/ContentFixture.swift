// Content types for tests: those of the project and inline ones.
import Domain
import FoundationEssentials
import Testing

enum ContentFixture {
    /// Marks cleaned text, so that tests can detect the cleaning.
    static let cleaning = FieldCleaning(
        richText: { text, base throws(FieldCleaning.Refusal) in
            if text.contains("<broken") { throw FieldCleaning.Refusal(reason: "It can't be read.") }
            let removed = text.contains("<script>") ? "Removed: <script>." : nil
            return FieldCleaning.Cleaned(
                html: text.replacing("<script>", with: "").replacing("BASE", with: base ?? ""), removed: removed)
        },
        markdown: { source throws(FieldCleaning.Refusal) in
            if source.contains("<broken") { throw FieldCleaning.Refusal(reason: "It can't be read.") }
            let removed = source.contains("<script>") ? "Removed: HTML tags." : nil
            return FieldCleaning.Cleaned(html: source.replacing("<", with: "&lt;"), removed: removed)
        })

    /// All files of Config/content-types.
    static func projectFiles() throws -> [(name: String, bytes: [UInt8])] {
        let folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Config/content-types"
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.map {
            path in
            let data = try #require(FileManager.default.contents(atPath: folder + "/" + path))
            return (path.split(separator: "/").last.map(String.init) ?? path, Array(data))
        }
    }

    /// The kinds of the core and of all packs.
    static let kinds = ContentType.Kind.core.union(
        ["city", "place", "promotion", "review", "route", "badge", "list"].map { ContentType.Kind(rawValue: $0) })

    static func projectType(_ name: String) throws -> ContentType {
        try #require(try ContentTypes(files: projectFiles(), kinds: kinds)[name])
    }

    /// A type named `thing` with a title and more fields, given as comma-separated JSON objects.
    static func thing(_ fields: String, more: String = "") throws -> ContentType {
        let types = try ContentTypes(files: [thingFile(fields, more: more)], kinds: kinds)
        return try #require(types["thing"])
    }

    static func thingFile(_ fields: String, more: String = "") -> (name: String, bytes: [UInt8]) {
        let title = #"{"name":"title","label":"Title","help":"h","type":"text","required":true,"max_length":10}"#
        let document = """
            {"name":"thing","label":"Thing","plural":"Things","help":"h","kind":"other","title_field":"title",\(more)
             "fields":[\(title)\(fields.isEmpty ? "" : ",")\(fields)]}
            """
        return ("thing.json", Array(document.utf8))
    }

    /// A type with a title and one field `x`.
    static func field(_ type: String, _ more: String = "") throws -> ContentType {
        try thing(#"{"name":"x","label":"X","help":"h","type":"\#(type)"\#(more)}"#)
    }
}

/// The errors of a failure that must be `.invalid`.
func fieldErrors(_ body: () throws -> Void) -> FieldErrors {
    do {
        try body()
    } catch Failure.invalid(let errors) {
        return errors
    } catch {
        Issue.record("not a failure of fields: \(error)")
    }
    return FieldErrors()
}

/// `code pointer` of every message, in order.
func problems(_ body: () throws -> Void) -> [String] {
    fieldErrors(body).items.map { "\($0.code) \($0.pointer)" }
}

extension ContentType {
    /// The stored value of field `x`.
    func stored(_ value: JSONValue, _ purpose: Purpose = .revision) throws(Failure) -> JSONValue? {
        try check(["title": "T", "x": value], purpose: purpose, cleaning: ContentFixture.cleaning).content.fields["x"]
    }

    /// The messages of field `x`.
    func problems(_ value: JSONValue, _ purpose: Purpose = .revision) -> [String] {
        DomainTests.problems { _ = try stored(value, purpose) }
    }
}
