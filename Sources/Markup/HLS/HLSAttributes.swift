// Parses the attributes of a playlist tag: `BANDWIDTH=1280000,CODECS="avc1.4d401f,mp4a.40.2"` (RFC 8216, 4.2).
import Localization

struct HLSAttributes {
    private struct Value {
        let text: String
        let isQuoted: Bool
    }

    private let values: [String: Value]
    private let tag: String
    private let line: Int

    /// Accepts spaces after a comma, which the RFC does not allow but many playlists contain and players accept.
    init(_ list: Substring, of tag: String, line: Int) throws(HLSProblem) {
        self.tag = tag
        self.line = line
        var values: [String: Value] = [:]
        var rest = list
        while !rest.isEmpty {
            rest = rest.drop { $0 == " " }
            guard let equals = rest.firstIndex(of: "=") else {
                throw HLSProblem(line: line, sentence: tr("\(tag) has an attribute without a value."))
            }
            let name = rest[..<equals]
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else {
                throw HLSProblem(line: line, sentence: tr("\(tag) has an attribute with an invalid name."))
            }
            rest = rest[rest.index(after: equals)...]
            let value = try Self.takeValue(&rest, of: String(name), tag, line)
            guard values.updateValue(value, forKey: String(name)) == nil else {
                throw HLSProblem(line: line, sentence: tr("\(tag) has \(name) twice."))
            }
        }
        self.values = values
    }

    private static func takeValue(
        _ rest: inout Substring, of name: String, _ tag: String, _ line: Int
    ) throws(HLSProblem) -> Value {
        let value: Value
        if rest.first == "\"" {
            let inside = rest.dropFirst()
            guard let end = inside.firstIndex(of: "\"") else {
                throw HLSProblem(line: line, sentence: tr("\(tag): the quotation mark of \(name) is not closed."))
            }
            value = Value(text: String(inside[..<end]), isQuoted: true)
            rest = inside[inside.index(after: end)...]
        } else {
            let end = rest.firstIndex(of: ",") ?? rest.endIndex
            value = Value(text: String(rest[..<end]), isQuoted: false)
            rest = rest[end...]
            guard !value.text.isEmpty, !value.text.contains("\""), !value.text.contains(" ") else {
                throw HLSProblem(line: line, sentence: tr("\(tag): the value of \(name) is invalid."))
            }
        }
        if rest.first == "," {
            rest = rest.dropFirst()
        } else if !rest.allSatisfy({ $0 == " " }) {
            throw HLSProblem(line: line, sentence: tr("\(tag): a comma is missing after \(name)."))
        } else {
            rest = ""
        }
        return value
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }

    /// An unquoted value of an enumeration, such as `TYPE=AUDIO`; nil if missing.
    func choice(_ name: String, oneOf choices: [String]) throws(HLSProblem) -> String? {
        guard let value = values[name] else { return nil }
        guard !value.isQuoted, choices.contains(value.text) else {
            throw invalid(name, tr("one of \(choices.joined(separator: ", "))"))
        }
        return value.text
    }

    /// A quoted string; nil if missing.
    func quoted(_ name: String) throws(HLSProblem) -> String? {
        guard let value = values[name] else { return nil }
        guard value.isQuoted, !value.text.isEmpty else { throw invalid(name, tr("text in quotation marks")) }
        return value.text
    }

    func integer(_ name: String) throws(HLSProblem) -> UInt64? {
        guard let value = values[name] else { return nil }
        guard !value.isQuoted, let number = HLSNumber.integer(value.text) else {
            throw invalid(name, tr("a whole number"))
        }
        return number
    }

    func decimal(_ name: String) throws(HLSProblem) -> Double? {
        guard let value = values[name] else { return nil }
        guard !value.isQuoted, let number = HLSNumber.decimal(value.text) else { throw invalid(name, "a number") }
        return number
    }

    /// `1280x720`
    func checkResolution(_ name: String) throws(HLSProblem) {
        guard let value = values[name] else { return }
        let sides = value.text.split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ HLSNumber.integer($0) != nil }) else {
            throw invalid(name, tr("width and height such as 1280x720"))
        }
    }

    /// The value; throws if it is missing.
    func required<Read>(_ name: String, _ value: Read?) throws(HLSProblem) -> Read {
        guard let value else {
            throw HLSProblem(line: line, sentence: tr("\(tag) requires \(name).", context: "value"))
        }
        return value
    }

    func has(_ name: String) -> Bool { values[name] != nil }

    private func invalid(_ name: String, _ expected: String) -> HLSProblem {
        HLSProblem(line: line, sentence: tr("\(tag): \(name) must be \(expected)."))
    }
}

/// Parses the numbers of playlists: at most 20 digits without a sign.
enum HLSNumber {
    static func integer(_ text: some StringProtocol) -> UInt64? {
        guard (1...20).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt64(text)
    }

    static func decimal(_ text: some StringProtocol) -> Double? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), (1...40).contains(text.utf8.count),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return Double(String(text))
    }
}
