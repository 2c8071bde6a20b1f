// Tests the conversion between values and form texts: no input is lost.
import Domain
import Testing

@Suite struct FormTextTests {
    func field(_ type: String) throws -> Field {
        let more =
            switch type {
            case "reference", "references": #","targets":["thing"]"#
            case "choice": #","choices":[{"value":"a","label":"A"}]"#
            default: ""
            }
        return try #require(try ContentFixture.field(type, more).field("x"))
    }

    @Test("line ends of browsers become line feeds, and nothing else changes")
    func lineEnds() {
        for (text, expected) in [
            ("", ""), ("\r\n", "\n"), ("a\r\n\r\nb", "a\n\nb"), ("a\rb\n", "a\rb\n"), ("\r\r\n\r", "\r\n\r"),
            ("é\r\n字", "é\n字"),
        ] {
            // By scalars: a carriage return and a line feed are one character.
            let text = PlainText.withLineFeeds(text)
            #expect(Array(text.unicodeScalars) == Array(expected.unicodeScalars))
        }
    }

    @Test("a text is longer than a limit only if it has more characters, not bytes or code points")
    func length() {
        for one in ["a", "é", "e\u{301}", "👨‍👩‍👧", "\r\n"] {
            let text = String(repeating: one, count: 3)
            #expect(
                [2, 3, 4].map { PlainText.isLonger(text, than: $0) } == [true, false, false], "\(one.debugDescription)")
        }
        #expect(!PlainText.isLonger("", than: 0))
    }

    @Test("a message says how many characters are too many; up to 10,000 of them are counted")
    func tooLong() {
        func message(_ count: Int) -> String { PlainText.tooLong(String(repeating: "é", count: count), limit: 10) }
        #expect(message(11) == "11 characters; at most 10 are allowed.")
        #expect(message(10_010) == "10010 characters; at most 10 are allowed.")
        #expect(message(10_011) == "More than 10010 characters; at most 10 are allowed.")
    }

    @Test("the points of a path may be separated as spreadsheets do it, also without breaking")
    func path() throws {
        let field = try field("path")
        let expected = JSONValue.array([.array([.int(1), .int(2)]), .array([.int(3), .number(4.5)])])
        for text in ["1 2\n3 4.5", "1,2\r\n3;4.5\r\n", " 1\t2 \r\r3\u{A0}4.5", "1\u{3000}2\u{2028}3, 4.5\u{85}"] {
            let value = try #require(field.value(fromForm: [text]))
            #expect(field.formTexts(of: value) == field.formTexts(of: expected), "\(text.debugDescription)")
        }
        for text in ["1 2\u{200B}3", "1 2 3 4", "1 x"] {
            #expect(field.value(fromForm: [text]) == .string(text), "\(text.debugDescription)")
        }
        // More points than a path may have stay a text, which is checked elsewhere.
        let most = String(repeating: "1 1\r\n", count: 20_000)
        #expect(field.value(fromForm: [most])?.arrayValue?.count == 20_000)
        #expect(field.value(fromForm: [most + "1 1"]) == .string(most + "1 1"))
    }

    @Test(
        "any input of a single-text field is shown again",
        arguments: [
            "text", "long_text", "rich_text", "markdown", "integer", "number", "datetime", "duration", "url", "choice",
            "reference", "json", "point",
        ])
    func typed(type: String) throws {
        let field = try field(type)
        for text in [
            "a", " a ", "1e999", "nan", "inf", "0x10", "[1", "\0", "1,2,3", "9223372036854775808x", "<b>\r\n", "+-1",
        ] {
            #expect(field.formTexts(of: field.value(fromForm: [text])) == [text], "\(text.debugDescription)")
        }
        #expect(field.value(fromForm: []) == nil && field.value(fromForm: [""]) == nil)
        #expect(field.formTexts(of: nil) == [] && field.formTexts(of: .null) == [])
    }

    @Test("valid input becomes a value of the field type")
    func understood() throws {
        #expect(try field("integer").value(fromForm: [" 12 "]) == .int(12))
        #expect(try field("integer").value(fromForm: ["1.5"]) == "1.5")
        #expect(try field("number").value(fromForm: ["1.50"]) == .double(1.5))
        #expect(try field("number").value(fromForm: ["-1e3"]) == .int(-1000))
        #expect(try field("json").value(fromForm: [#"{"a": 1}"#]) == .object(["a": .int(1)]))
        #expect(try field("text").value(fromForm: ["12"]) == "12")
        #expect(try field("choice").value(fromForm: ["zzz"]) == "zzz")
    }

    @Test("A JSON object is lines of names and values, which come back as they were")
    func namesAndValues() throws {
        let field = try field("json")
        let value = try JSONValue(
            parsing: Array(#"{"a":"text","b":5,"c":"5","d":[1],"e":"","f":true,"g":"a \"b\""}"#.utf8))
        let pairs = try #require(Field.pairs(ofJSON: value.canonicalText))
        #expect(pairs == ["a", "text", "b", "5", "c", "\"5\"", "d", "[1]", "e", "", "f", "true", "g", "a \"b\""])
        #expect(field.value(fromForm: pairs) == value)
        #expect(field.value(fromForm: pairs + ["", "", " ", ""]) == value, "empty lines mean nothing")
        #expect(field.value(fromForm: ["", "", "", ""]) == nil)
        #expect(
            field.value(fromForm: ["a", "1", "a", "2"]) == .array(["a", "1", "a", "2"]), "a name twice is refused")
        #expect(field.value(fromForm: ["", "x"]) == .array(["", "x"]), "a value without a name is refused")
        #expect(Field.pairs(ofJSON: "[1]") == nil && Field.pairs(ofJSON: "{") == nil)
        let known = try #require(
            try ContentFixture.field("json", #","choices":[{"value":"audio","label":"Audio"}]"#).field("x"))
        #expect(known.value(fromForm: ["audio", " ", "", ""]) == nil, "a known name without a value is left out")
        #expect(known.value(fromForm: ["audio", "", "audio", "a"]) == .object(["audio": "a"]))
        #expect(known.value(fromForm: ["other", ""]) == .object(["other": ""]))
        #expect(known.value(fromForm: ["audio", "a", "audio", "b"]) == .array(["audio", "a", "audio", "b"]))
    }

    @Test("Rich text may be Markdown, and is stored as the HTML that it renders to")
    func markdown() throws {
        let field = try field("rich_text")
        let given = try #require(field.value(fromForm: ["a < b", "markdown"]))
        #expect(given == .object(["markdown": "a < b"]))
        #expect(field.formTexts(of: given) == ["a < b", "markdown"] && field.shownTexts(of: given) == ["a < b"])
        #expect(field.value(fromForm: ["<p>", "html"]) == "<p>")
        #expect(field.value(fromForm: ["", "markdown"]) == nil)
        let type = try ContentFixture.field("rich_text")
        func check(_ source: String) throws -> CheckedContent {
            try type.check(
                ["title": "T", "x": .object(["markdown": .string(source)])], purpose: .revision,
                cleaning: ContentFixture.cleaning)
        }
        #expect(try check("a < b").content.fields["x"] == "a &lt; b")
        #expect(try check("a <script>").warnings.items.map(\.pointer) == ["/fields/x"])
        #expect(try check(" \n").content.fields["x"] == nil)
        #expect(throws: Failure.self) { try check("<broken") }
    }

    @Test("A date and time has a local time and its offset, and comes back as it was written")
    func dateAndTime() throws {
        let field = try field("datetime")
        for (written, parts) in [
            ("2026-11-20T18:00:00+01:00", ["2026-11-20T18:00", "+01:00"]),
            ("2026-11-20T18:00:05Z", ["2026-11-20T18:00:05", "Z"]),
            ("2026-11-20T18:00:00.123-03:30", ["2026-11-20T18:00:00.123", "-03:30"]),
            // More exact than the input of a browser.
            ("2026-11-20T18:00:00.1234Z", ["2026-11-20T18:00:00.1234Z"]), ("soon", ["soon"]),
        ] {
            #expect(field.formTexts(of: .string(written)) == parts)
            #expect(field.value(fromForm: parts) == .string(written), "\(parts)")
            #expect(DateTimeText.isLocal(parts[0]) == (parts.count == 2))
        }
        #expect(field.value(fromForm: ["", "+01:00"]) == nil && field.value(fromForm: [" ", "Z"]) == nil)
        #expect(field.value(fromForm: ["soon", "+01:00"]) == "soon+01:00")
        #expect(field.shownTexts(of: "2026-11-20T18:00:00-03:30") == ["2026-11-20 18:00 UTC−03:30"])
        #expect(field.shownTexts(of: "2026-11-20T18:00:05Z") == ["2026-11-20 18:00:05 UTC"])
        #expect(field.shownTexts(of: "soon") == ["soon"])
        #expect(DateTimeText.isLocal("") && !DateTimeText.isLocal("2026-11-31T18:00"))
    }

    @Test("A zone beside a time may be an offset; the time is stored with it")
    func offsets() throws {
        for (minutes, offset, zone) in [
            (0, "Z", "UTC"), (60, "+01:00", "UTC+01:00"), (-210, "-03:30", "UTC-03:30"), (825, "+13:45", "UTC+13:45"),
        ] {
            #expect(DateTimeText.offset(minutes: minutes) == offset)
            #expect(DateTimeText.zone(ofOffset: offset) == zone && DateTimeText.offset(writtenAs: zone) == offset)
            #expect(DateTimeText.offset(writtenAs: offset) == offset)
        }
        #expect(DateTimeText.offset(writtenAs: "UTC−03:30") == "-03:30")
        for name in ["Europe/Berlin", "", "UTC+1", "UTC+16:00", "GMT"] {
            #expect(DateTimeText.offset(writtenAs: name) == nil, "\(name)")
            #expect(DateTimeText.zone(ofOffset: name) == name)
        }
        let field = try field("datetime")
        #expect(
            field.value(fromForm: ["2026-11-20T18:00", "+01:00", "Europe/Berlin"]) == "2026-11-20T18:00:00+01:00")
        // A time that was written with its offset needs no other.
        #expect(field.value(fromForm: ["2026-11-20T18:00:00.1234Z", "", "UTC"]) == "2026-11-20T18:00:00.1234Z")
        #expect(field.value(fromForm: ["", "Europe/Berlin"]) == nil)
    }

    @Test("S17: two texts for one value are kept and rejected")
    func doubled() throws {
        let type = try ContentFixture.field("text")
        let field = try #require(type.field("x"))
        let value = try #require(field.value(fromForm: ["a", "b"]))
        #expect(field.formTexts(of: value) == ["a", "b"])
        #expect(type.problems(value) == ["type /fields/x"])
    }

    @Test("an unchecked box means no; the last of several texts counts")
    func boxes() throws {
        let field = try field("boolean")
        #expect(field.value(fromForm: []) == .bool(false))
        #expect(field.value(fromForm: ["false", "on"]) == .bool(true))
        #expect(field.value(fromForm: ["TRUE"]) == .bool(true) && field.value(fromForm: ["no"]) == .bool(false))
        #expect(field.value(fromForm: [""]) == nil && field.value(fromForm: ["maybe"]) == "maybe")
        #expect(field.formTexts(of: .bool(true)) == ["true"] && field.formTexts(of: .bool(false)) == ["false"])
    }

    @Test("a point has two texts, or one with a comma")
    func points() throws {
        let field = try field("point")
        let point = JSONValue.object(["lat": .double(51.5), "lon": .int(0)])
        #expect(field.value(fromForm: ["51.5", "0"]) == point && field.value(fromForm: ["51.5, 0"]) == point)
        #expect(field.formTexts(of: point) == ["51.5", "0"])
        #expect(field.formTexts(of: field.value(fromForm: ["north", ""])) == ["north", ""])
        #expect(field.value(fromForm: ["", " "]) == nil)
        #expect(field.formTexts(of: field.value(fromForm: ["1", "2", "3"])) == ["1", "2", "3"])
    }

    @Test("images and files have one text per member")
    func parts() throws {
        let image = try field("image")
        let value = JSONValue.object(["url": "https://a.b", "alt": "A", "width": .int(1), "height": .int(2)])
        #expect(image.formTexts(of: value) == ["https://a.b", "A", "1", "2"])
        #expect(image.value(fromForm: ["https://a.b", "A", "1", "2"]) == value)
        #expect(image.value(fromForm: ["https://a.b"]) == .object(["url": "https://a.b"]))
        #expect(image.formTexts(of: image.value(fromForm: ["", "A", "wide"])) == ["", "A", "wide", ""])
        #expect(image.value(fromForm: ["", "", "", ""]) == nil)
        #expect(
            try field("file").value(fromForm: ["https://a.b", "video/mp4", "5"])
                == .object(["url": "https://a.b", "type": "video/mp4", "bytes": .int(5)]))
    }

    @Test("references have any number of IDs, without empty ones")
    func references() throws {
        let field = try field("references")
        #expect(field.value(fromForm: ["b", "", "a"]) == .array(["b", "a"]))
        #expect(field.formTexts(of: .array(["b", "a"])) == ["b", "a"])
        #expect(field.value(fromForm: ["", ""]) == nil)
    }

    @Test(
        "a duration is shown in hours, minutes and seconds, and round-trips",
        arguments: [
            (0.0, "0:00"), (59, "0:59"), (60, "1:00"), (3599, "59:59"), (3600, "1:00:00"), (3723, "1:02:03"),
            (0.5, "0.5"), (90.001, "90.001"),
        ])
    func durations(seconds: Double, text: String) throws {
        let type = try ContentFixture.field("duration")
        let field = try #require(type.field("x"))
        #expect(field.formTexts(of: .number(seconds)) == [text])
        #expect(try type.stored(try #require(field.value(fromForm: [text]))) == .number(seconds))
    }
}
