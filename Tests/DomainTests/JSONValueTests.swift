// Tests the JSON parser and canonical JSON.
import Domain
import TestBasics
import Testing

@Suite struct JSONValueTests {
    func parse(_ text: String) throws -> JSONValue {
        try JSONValue(parsing: Array(text.utf8))
    }

    @Test("every kind of value is parsed")
    func kinds() throws {
        let value = try parse(#" {"a": [null, true, 1, -0, 1.0, 1.5, 1e5, 9223372036854775808.0], "b": {"c": "d"}} "#)
        #expect(
            value["a"]
                == .array([
                    .null, .bool(true), .int(1), .int(0), .int(1), .double(1.5), .int(100_000),
                    .double(9.223372036854776e18),
                ]))
        #expect(value["b"]?["c"]?.stringValue == "d")
        #expect(value["x"] == nil && value["b"]?["c"]?["d"] == nil)
    }

    @Test("A4: a whole number of 64 bits is kept exactly; a larger one is refused where it stands, not rounded")
    func wholeNumbers() throws {
        #expect(try parse("9223372036854775807") == .int(.max) && parse("-9223372036854775808") == .int(.min))
        #expect(try parse("9007199254740993").canonicalText == "9007199254740993")
        for text in ["9223372036854775808", "-9223372036854775809", "12345678901234567890"] {
            #expect(problems { _ = try parse(#"{"a":[1,\#(text)]}"#) } == ["too_large /a/1"])
        }
    }

    @Test("A4: what PostgreSQL wrote is read: all digits of a large Double, and 128 levels")
    func stored() throws {
        func read(_ text: String) throws -> JSONValue { try JSONValue(stored: Array(text.utf8)) }
        #expect(try read("10000000000000000000") == .double(1e19) && read("9223372036854775807") == .int(.max))
        #expect(try read("9223372036854776000") == parse("9223372036854775808.0"))
        #expect(problems { _ = try read("[1" + String(repeating: "0", count: 400) + "]") } == ["format /0"])
        let nested = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(throws: Never.self) { try read(nested) }
        let deepest = String(repeating: "/0", count: 128)
        #expect(problems { _ = try read("[\(nested)]") } == ["too_deep \(deepest)"])
    }

    @Test(
        "anything but strict JSON is rejected",
        arguments: [
            "", " ", "[1,]", "{\"a\":1,}", "[1, ]", "[,1]", "{\"a\" 1}", "{a:1}", "['a']", "[1 2]", "nul", "[\"a\tb\"]",
            "[\"\\x\"]", "[1]]", "[[1]", "/*c*/1", "\"a", "[+1]", "[.5]", "[1.]", "[01]", "[0x1]", "[NaN]", "1 x",
            "\"\\",
            "\"\\u00", "\"\\u00g0\"", "{\"a\":}", "]", "[Infinity]",
        ])
    func strict(text: String) {
        #expect(problems { _ = try parse(text) }.first?.hasPrefix("format ") == true)
    }

    @Test("S29: nesting beyond the limit is rejected, at the limit it is accepted")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try parse(nested(64)) }
        func pointer(_ step: String) -> String { String(repeating: step, count: 64) }
        #expect(problems { _ = try parse(nested(65)) } == ["too_deep \(pointer("/0"))"])
        let open = String(repeating: "{\"a\":", count: 1_000_000)
        #expect(problems { _ = try parse(open) } == ["too_deep \(pointer("/a"))"])
        #expect(problems { _ = try JSONValue(parsing: Array("[[1]]".utf8), maxDepth: 1) } == ["too_deep /0"])
        #expect(try parse("\"" + nested(100) + "\\\"[\"") == .string(nested(100) + "\"["))
    }

    @Test(
        "S39: NUL, lone surrogates and invalid UTF-8 are rejected where they stand",
        arguments: [
            ("[\"\\u0000\"]", "control_characters /0"), ("{\"\\u0000\":1}", "control_characters "),
            ("{\"a\":{\"b\\u0000\":1}}", "control_characters /a"),
            ("{\"a\":[1,\"\\u0000\"]}", "control_characters /a/1"),
            ("[\"a\0\"]", "control_characters /0"), ("[1]\0", "control_characters "),
            ("[\"\\ud800\"]", "surrogate /0"), ("{\"a/b\":\"x\\ud83d\"}", "surrogate /a~1b"),
            ("[\"\\udc00\"]", "surrogate /0"), ("[\"\\ud800\\ud800\"]", "surrogate /0"),
            ("[\"\\ud800x\"]", "surrogate /0"), ("[\"\\ud83d\\n\"]", "surrogate /0"),
        ])
    func characters(text: String, problem: String) {
        #expect(problems { _ = try parse(text) } == [problem])
    }

    @Test("S39: a whole surrogate pair and an escaped backslash before u0000 are text")
    func wholePairs() throws {
        #expect(try parse(#""\ud83d\ude00 \\u0000 \\ud800""#) == .string(#"😀 \u0000 \ud800"#))
        for bytes: [UInt8] in [
            [0x22, 0xFF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xC3],
        ] {
            #expect(problems { _ = try JSONValue(parsing: bytes) } == ["encoding "])
        }
        // UTF-16, which a lenient parser would detect.
        #expect(problems { _ = try JSONValue(parsing: [0x5B, 0, 0x31, 0, 0x5D, 0]) } == ["control_characters /0"])
    }

    @Test("S39: a byte order mark at the beginning is ignored, anywhere else it is an error or text")
    func byteOrderMark() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try JSONValue(parsing: mark + Array("[1]".utf8)) == .array([.int(1)]))
        #expect(problems { _ = try JSONValue(parsing: mark) } == ["format "])
        #expect(problems { _ = try JSONValue(parsing: mark + mark + Array("1".utf8)) } == ["format "])
        #expect(problems { _ = try JSONValue(parsing: Array("1".utf8) + mark) } == ["format "])
        #expect(try JSONValue(parsing: Array("\"".utf8) + mark + Array("\"".utf8)) == .string("\u{FEFF}"))
    }

    @Test("S50: a number beyond the range of Double is rejected at its pointer")
    func numbers() {
        #expect(problems { _ = try parse(#"{"a":[1,1e400]}"#) } == ["format /a/1"])
        #expect(problems { _ = try parse(#"{"a/b~":-1e999}"#) } == ["format /a~1b~0"])
    }

    @Test(
        "S17: duplicate members are rejected where they stand, also in different spellings",
        arguments: [
            (#"{"a":1,"a":1}"#, "/a"), (#"{"a":1,"\u0061":2}"#, "/a"), (#"[{"b":{"a":1,"c":[],"a":2}}]"#, "/0/b/a"),
            (#"{"é":1,"e\u0301":2}"#, "/é"),
        ])
    func duplicates(text: String, pointer: String) {
        #expect(problems { _ = try parse(text) } == ["duplicate_key \(pointer)"])
    }

    @Test("canonical text is sorted by bytes, without spaces and with minimal escapes")
    func canonical() throws {
        let value = try parse(
            #"{"b": 1, "a": [true, null, 1.50, 1e2], "Z": "\u00e9\"\\\/\n\r\t\u0001\u001f\u007f", "é": {}}"#)
        #expect(
            value.canonicalText
                == #"{"Z":"é\"\\/\n\r\t\u0001\u001f\#u{7f}","a":[true,null,1.5,100],"b":1,"é":{}}"#)
        #expect(JSONValue.double(3).canonicalText == "3")
        #expect(JSONValue.double(-0.0).canonicalText == "0")
        #expect(JSONValue.double(1e300).canonicalText == "1e+300")
    }

    @Test("canonical text round-trips", arguments: TestScale.seeds(1))
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let texts = ["", "a", "\u{1}", "\u{7f}\u{85}", "\\u0041", "\"", "é", "😀👨‍👩‍👧", "\u{2028}", "/", "z\u{10FFFF}"]
        func value(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
            case 0: .null
            case 1: .bool(.random(using: &random))
            case 2: .int(.random(in: .min ... .max, using: &random))
            case 3: .number(Double(bitPattern: .random(in: 0..<0x7FF0_0000_0000_0000, using: &random)))
            case 4: .number(.random(in: -1000...1000, using: &random))
            case 5: .string((0..<3).map { _ in texts.randomElement(using: &random) ?? "" }.joined())
            case 6: .array((0..<3).map { _ in value(depth - 1) })
            default: .object([texts[1]: value(depth - 1), texts[8]: value(depth - 1), "\"": value(0)])
            }
        }
        for _ in 0..<500 {
            let value = value(4)
            #expect(try parse(value.canonicalText) == value)
        }
    }

    @Test("S49: a long run of one character is parsed without problems")
    func long() throws {
        let text = String(repeating: "a", count: 100_000)
        #expect(try parse("[\"\(text)\"]") == .array([.string(text)]))
    }
}
