// Tests that JSON values are read back as they were taken, also where PostgreSQL writes their numbers differently.
import Domain
import Postgres
import Store
import TestBasics
import TestSupport
import Testing

@Suite("Stored JSON", .databases)
struct StoredJSONTests {
    private static func digits(_ count: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
        let digits = (0..<Int.random(in: count, using: &random)).map { _ in Int.random(in: 0...9, using: &random) }
        return digits.map(String.init).joined()
    }

    private static func number(_ random: inout SeededGenerator) -> String {
        let sign = Bool.random(using: &random) ? "-" : ""
        let edges = ["9223372036854775808.0", "9223372036854775807", "1e19", "0.0", "5e-324", "1.7976931348623157e308"]
        if Int.random(in: 0..<4, using: &random) == 0 { return sign + (edges.randomElement(using: &random) ?? "0") }
        let whole = "\(Int.random(in: 1...9, using: &random))" + digits(0...25, &random)
        let fraction = Bool.random(using: &random) ? "." + digits(1...20, &random) : ""
        let exponent = Bool.random(using: &random) ? "e\(Int.random(in: -330...320, using: &random))" : ""
        return sign + whole + fraction + exponent
    }

    /// JSON text, which may have numbers that are refused.
    private static func text(_ depth: Int, _ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
        case 0, 1, 2: return number(&random)
        case 3: return ["null", "true", "\"\"", "\"é\\n😀\""].randomElement(using: &random) ?? "null"
        case 4: return "[\((0..<2).map { _ in text(depth - 1, &random) }.joined(separator: ","))]"
        default: return "{\"a\":\(text(depth - 1, &random)),\"b\":\(text(depth - 1, &random))}"
        }
    }

    @Test("A4: every JSON value that is taken is read back equal", arguments: TestScale.seeds(1, 2) as [UInt64])
    func roundTrip(seed: UInt64) async throws {
        let test = try await TestDatabase.make()
        var random = SeededGenerator(seed: seed)
        var texts = (0..<200).map { _ in Self.text(3, &random) }
        texts.append(String(repeating: "[", count: 64) + String(repeating: "]", count: 64))
        var taken = 0
        for text in texts {
            guard let value = try? JSONValue(parsing: Array(text.utf8)) else { continue }
            taken += 1
            // Wrapped, as fields are in documents.
            let back: JSONValue = try await test.client.one(
                "select jsonb_build_array(\(value)::jsonb) as value")("value")
            #expect(back == .array([value]), "\(text)")
        }
        #expect(taken > 20)
    }
}
