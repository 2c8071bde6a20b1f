// Tests the form of a content type: every kind of field is rendered and parsed back unchanged.
import Domain
import FoundationEssentials
import HTTP
import Markup
import TestSupport
import Testing

@testable import Admin

@Suite("Content type forms", .databases)
struct FieldFormTests {
    private static let everything = """
        {"name": "thing", "label": "Thing", "plural": "Things", "help": "H", "kind": "other", "title_field": "text",
         "submittable": true, "four_eyes": false, "required_approvals": 1, "fields": [
        {"name": "text", "label": "Text", "help": "One <line>.", "type": "text", "required": true, "max_length": 80},
        {"name": "long", "label": "Long", "help": "H", "type": "long_text"},
        {"name": "rich", "label": "Rich", "help": "H", "type": "rich_text"},
        {"name": "mark", "label": "Mark", "help": "H", "type": "markdown"},
        {"name": "whole", "label": "Whole", "help": "H", "type": "integer"},
        {"name": "number", "label": "Number", "help": "H", "type": "number"},
        {"name": "yes", "label": "Yes", "help": "H", "type": "boolean", "default": true},
        {"name": "when", "label": "When", "help": "H", "type": "datetime"},
        {"name": "length", "label": "Length", "help": "H", "type": "duration"},
        {"name": "link", "label": "Link", "help": "H", "type": "url"},
        {"name": "place", "label": "Place", "help": "H", "type": "point"},
        {"name": "tier", "label": "Tier", "help": "H", "type": "choice",
         "choices": [{"value": "free", "label": "Free"}, {"value": "premium", "label": "Premium"}]},
        {"name": "one", "label": "One", "help": "H", "type": "reference", "targets": ["thing"]},
        {"name": "many", "label": "Many", "help": "H", "type": "references", "targets": ["thing"], "max_count": 5},
        {"name": "data", "label": "Data", "help": "H", "type": "json",
         "choices": [{"value": "audio", "label": "Audio file"}]},
        {"name": "image", "label": "Image", "help": "H", "type": "image"},
        {"name": "file", "label": "File", "help": "H", "type": "file"}]}
        """

    private func type() throws -> ContentType {
        try #require(
            try ContentTypes(files: [("thing.json", Array(Self.everything.utf8))], kinds: ContentType.Kind.core)[
                "thing"])
    }

    private func render(_ form: FieldForm) throws -> String {
        let templates = try TemplateSet(
            directory: TestDatabase.packageRoot + "/Templates", urls: AdminURL.patterns)
        return String(decoding: try templates.render("partial/fields", form), as: UTF8.self)
    }

    /// The form as a browser parses it.
    private func read(_ form: FieldForm) throws -> PageForm {
        let fields = try render(form)
        return try #require(PageReader("<form>" + fields + "</form>").forms.first)
    }

    private func sent(_ form: PageForm) throws -> FormFields {
        FormFields(try form.fields(pressing: nil).map { FormFields.Field(name: $0.0, value: $0.1) })
    }

    @Test("Values that are rendered and submitted unchanged stay the same")
    func roundTrip() throws {
        let type = try type()
        let id = "00000000-0000-7000-8000-000000000099"
        let values: [String: JSONValue] = [
            "text": "A & B \"<c>\"", "long": "\none\n two\n", "rich": "<p>x</p>", "mark": "# x", "whole": .int(-5),
            "number": .double(1.5), "yes": .bool(false), "when": "2026-11-20T18:00:00+01:00", "length": "1:02:03",
            "link": "https://example.org/?a=1&b=2", "place": .object(["lat": .double(51.5), "lon": .int(0)]),
            "tier": "premium", "one": .string(id),
            "many": .array([.string(id), .string(id.replacing("99", with: "98"))]),
            "data": .object(["a": .array([.int(1), .null])]),
            "image": .object(["url": "https://example.org/a.png", "alt": "A", "width": .int(2), "height": .int(3)]),
            "file": .object(["url": "https://example.org/a.mp4", "type": "video/mp4", "bytes": .int(7)]),
        ]
        let form = try sent(try read(FieldForm(type, values: values)))
        #expect(FieldForm.values(type, from: form) == values)
    }

    @Test("An empty form submits only defaults")
    func empty() throws {
        let type = try type()
        let form = try sent(try read(FieldForm(type, values: [:])))
        #expect(FieldForm.values(type, from: form) == ["yes": .bool(true)])
    }

    @Test("Invalid input is shown again unchanged, with its error")
    func typed() throws {
        let type = try type()
        let texts: [(String, String)] = [
            ("whole", "five"), ("number", "1,5"), ("when", "tomorrow"), ("length", "long"), ("link", "nowhere"),
            ("tier", "gold"), ("one", "x"), ("text", " spaced "),
        ]
        var form = FormFields()
        for (name, text) in texts { form.append("field.\(name)", text) }
        form.append("field.data", "{")
        form.append("field.place", "north")
        form.append("field.place", "")
        var errors = FieldErrors("/fields/place/lat", "type", "Place: write degrees.")
        errors.add("/fields/whole", "type", "Whole: write a whole number.")
        let shown = FieldForm(type, typed: form, errors: errors)
        let again = try read(shown)
        for (name, text) in texts { #expect(again.value("field.\(name)") == text, "\(name)") }
        #expect(again.controls.filter { $0.name == "field.place" }.map(\.value) == ["north", ""])
        let data = again.controls.filter { $0.name == "field.data" }.map(\.value)
        #expect(
            data == ["audio", "", "", "{", "", "", "", ""], "a text that is no object is a value without a name")
        #expect(shown.controls.first { $0.name == "field.place" }?.errors == ["Place: write degrees."])
        #expect(shown.controls.first { $0.name == "field.whole" }?.describedBy.contains("field-whole-error") == true)
    }

    @Test("The characters of texts, of rich text and of alternative texts are counted")
    func limits() throws {
        let page = try render(FieldForm(type(), values: [:]))
        let limits = page.matches(of: #/ data-limit="(\d+)"/#).map { String($0.1) }
        // Those of the editor's dialog of images follow that of its text.
        #expect(limits == ["80", "20000", "200000", "500", "500", "65536", "500"])
    }

    @Test("A field is marked as required or optional, unless it may stay empty only while another doesn't")
    func marks() throws {
        let file = Self.everything.replacing(
            "\"kind\": \"other\",", with: "\"kind\": \"other\", \"requires_one_of\": [[\"link\", \"place\"]],")
        let types = try ContentTypes(files: [("thing.json", Array(file.utf8))], kinds: ContentType.Kind.core)
        let type = try #require(types["thing"])
        for page in [
            try render(FieldForm(type, values: [:])), try render(FieldForm(type, values: [:], plain: PlainForm())),
        ] {
            func mark(_ name: String) throws -> Substring {
                let label = try Regex(
                    "(?:for=\"field-\(name)\"|id=\"field-\(name)-label\")>[^<]*([^/]*)",
                    as: (Substring, Substring).self)
                return try #require(page.firstMatch(of: label)).1
            }
            #expect(try mark("text") == "<span class=\"required\">Required<")
            for name in ["long", "whole", "tier", "image", "data"] {
                #expect(try mark(name) == "<span class=\"optional\">(optional)<", "\(name)")
            }
            for name in ["link", "place"] { #expect(try mark(name) == "<", "\(name)") }
        }
    }

    @Test("An image is chosen or uploaded first; one on another site is folded until it is given or wrong")
    func image() throws {
        let type = try type()
        func page(_ value: JSONValue?, wrongAt member: String = "", takesFiles: Bool = true) throws -> String {
            let errors = member.isEmpty ? FieldErrors() : FieldErrors("/fields/image\(member)", "x", "Wrong.")
            return try render(
                FieldForm(
                    type, values: value.map { ["image": $0] } ?? [:], errors: errors, takesFiles: takesFiles))
        }
        func folded(_ page: String) throws -> Substring {
            let site = try #require(page.firstMatch(of: #/<details class="folded"([^>]*)>\s*<summary>Use an image/#))
            return site.1
        }
        let empty = try page(nil)
        let library = try #require(empty.firstRange(of: ">Choose from the library<"))
        let upload = try #require(empty.firstRange(of: "Upload an image"))
        let site = try #require(empty.firstRange(of: "Use an image from another site"))
        #expect(library.lowerBound < upload.lowerBound && upload.lowerBound < site.lowerBound)
        #expect(try folded(empty) == "")
        #expect(try folded(page(nil, wrongAt: "/width")) == " open")
        #expect(try folded(page(.object(["url": "https://example.org/a.png"]))) == " open")
        let chosen = JSONValue.object(["media": "00000000-0000-7000-8000-000000000099", "alt": "A"])
        #expect(try folded(page(chosen)) == " hidden", "an image of the library has no other URL")
        #expect(try folded(page(chosen, wrongAt: "/url")) == " open")
        #expect(try folded(page(nil, takesFiles: false)) == " open", "without files there is no other way")
    }

    @Test("A name that the type knows has its label; names of other entries are suggested for others")
    func names() throws {
        var form = FieldForm(try type(), values: ["data": .object(["audio": "a.mp3", "bells": .int(5)])])
        #expect(!(try render(form)).contains("field-data-names"))
        form.update { $0.pairs?.suggest(["bells", "audio", "count"]) }
        let page = try render(form)
        #expect(page.contains("<span>Audio file</span><input name=\"field.data\" type=\"text\" value=\"a.mp3\">"))
        #expect(page.contains("value=\"bells\" list=\"field-data-names\""))
        #expect(page.contains("<datalist id=\"field-data-names\"><option value=\"count\"></option></datalist>"))
    }

    @Test("The editor of contributors has fewer controls, and no library")
    func plain() throws {
        let whole = try render(FieldForm(type(), values: [:]))
        let plain = try render(FieldForm(type(), values: [:], plain: PlainForm()))
        let others = [
            "<select data-more", "data-dialog=\"image\"", "data-dialog=\"embed\"", "data-makes=\"h5\"",
            "rich-text-find",
        ]
        for part in others {
            #expect(whole.contains(part) && !plain.contains(part), "\(part)")
        }
        for part in ["data-makes=\"strong\"", "data-dialog=\"link\"", "data-makes=\"h3\""] {
            #expect(whole.contains(part) && plain.contains(part), "\(part)")
        }
    }

    @Test("The error summary links each message to its control")
    func summary() throws {
        var errors = FieldErrors("/fields/image/url", "x", "one")
        errors.add("/publish/zone", "x", "two")
        errors.add("/reason", "x", "three")
        errors.add("", "x", "four")
        errors.add("/message", "x", "five")
        let summary = try #require(ErrorSummary(errors, ids: ["/message": "reject-message"]))
        #expect(summary.items.map(\.target) == ["field-image", "zone", "reason", "main", "reject-message"])
        #expect(ErrorSummary(FieldErrors())?.items.isEmpty == nil)
    }
}
