// Tests the conversion of view models to template values.

import Foundation
import Markup
import Testing

@Suite struct TemplateEncodingTests {
    private struct Page: Encodable {
        var text: String? = nil
        var bool: Bool? = nil
        var int: Int? = nil
        var int8: Int8? = nil
        var int16: Int16? = nil
        var int32: Int32? = nil
        var int64: Int64? = nil
        var uint: UInt? = nil
        var uint8: UInt8? = nil
        var uint16: UInt16? = nil
        var uint32: UInt32? = nil
        var uint64: UInt64? = nil
        var double: Double? = nil
        var float: Float? = nil
        var html: SafeHTML? = nil
        var url: URL? = nil
        var uuid: UUID? = nil
        var seat: Seat? = nil
        var seats: [Seat?]? = nil
        var kind: Kind? = nil
        var row: Row? = nil
        var rows: [Row?]? = nil
        var map: [String: Int]? = nil
        var value: TemplateValue? = nil
    }

    private struct Row: Encodable { var title: String? }
    private enum Kind: String, Encodable { case article }
    private enum Seat: String, Encodable, TemplateConvertible {
        case window, aisle

        var templateModel: any Encodable { ["value": rawValue, "label": rawValue.uppercased()] }
    }

    @Test("properties that are nil keep their names")
    func keepsNil() throws {
        guard case .object(let fields) = try TemplateValue(encoding: Page()) else {
            Issue.record("not an object")
            return
        }
        #expect(fields.count == 24)
        #expect(fields.values.allSatisfy { $0 == .null })
    }

    @Test("every kind of property becomes the value a template expects")
    func encodes() throws {
        let uuid = try #require(UUID(uuidString: "0198C0DE-0000-7000-8000-00000000ABCD"))
        let page = Page(
            text: "t", bool: true, int: 1, int8: -2, int16: 3, int32: 4, int64: .min, uint: 5, uint8: 6, uint16: 7,
            uint32: 8, uint64: .max, double: 1.5, float: 0.5, html: SafeHTML(trusted: "<b>"),
            url: URL(string: "https://example.org/a?b=1"), uuid: uuid, seat: .window,
            seats: [.aisle, nil], kind: .article,
            row: Row(title: nil), rows: [Row(title: "a"), nil], map: ["k": 1], value: .html(SafeHTML(trusted: "<i>")))
        #expect(
            try TemplateValue(encoding: page)
                == .object([
                    "text": .string("t"), "bool": .bool(true), "int": .int(1), "int8": .int(-2), "int16": .int(3),
                    "int32": .int(4), "int64": .int(.min), "uint": .int(5), "uint8": .int(6), "uint16": .int(7),
                    "uint32": .int(8), "uint64": .string("18446744073709551615"), "double": .double(1.5),
                    "float": .double(0.5), "html": .html(SafeHTML(trusted: "<b>")),
                    "url": .string("https://example.org/a?b=1"),
                    "uuid": .string("0198c0de-0000-7000-8000-00000000abcd"),
                    "seat": .object(["value": .string("window"), "label": .string("WINDOW")]),
                    "seats": .array([.object(["value": .string("aisle"), "label": .string("AISLE")]), .null]),
                    "kind": .string("article"), "row": .object(["title": .null]),
                    "rows": .array([.object(["title": .string("a")]), .null]), "map": .object(["k": .int(1)]),
                    "value": .html(SafeHTML(trusted: "<i>")),
                ]))
    }

    @Test("plain values, lists and empty models encode too")
    func encodesPlain() throws {
        struct Empty: Encodable {}
        #expect(try TemplateValue(encoding: Empty()) == .object([:]))
        #expect(try TemplateValue(encoding: [1, 2]) == .array([.int(1), .int(2)]))
        #expect(try TemplateValue(encoding: "a") == .string("a"))
        #expect(try TemplateValue(encoding: Int?.none) == .null)
        #expect(try TemplateValue(encoding: [[String]()]) == .array([.array([])]))
        #expect(try TemplateValue(encoding: SafeHTML(trusted: "a")) == .html(SafeHTML(trusted: "a")))
    }

    @Test("nested containers and inherited properties are kept")
    func encodesByHand() throws {
        class Base: Encodable { let a = 1 }
        final class Derived: Base {
            enum Key: String, CodingKey { case b, list, inner, up }
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(2, forKey: .b)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try list.encode("x")
                try list.encodeNil()
                var nested = list.nestedContainer(keyedBy: Key.self)
                try nested.encode(3, forKey: .b)
                var inner = container.nestedContainer(keyedBy: Key.self, forKey: .inner)
                try inner.encodeNil(forKey: .b)
                try super.encode(to: container.superEncoder(forKey: .up))
            }
        }
        #expect(
            try TemplateValue(encoding: Derived())
                == .object([
                    "a": .int(1), "b": .int(2), "list": .array([.string("x"), .null, .object(["b": .int(3)])]),
                    "inner": .object(["b": .null]), "up": .object(["a": .int(1)]),
                ]))
    }
}
