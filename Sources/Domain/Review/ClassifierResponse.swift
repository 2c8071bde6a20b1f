// What an external classifier answers about a submission: a score with reasons. Anything else is refused.
import Localization

package struct ClassifierResponse: Sendable, Equatable {
    package static let maxReasons = 10
    /// Characters (Unicode scalars) of one reason, and of the service's name and version.
    package static let reasonLength = 200
    package static let nameLength = 60

    /// From 0 to 100: the higher, the riskier.
    package let score: Int
    /// Plain text in one line each.
    package let reasons: [String]
    /// What the service calls itself.
    package let name: String?
    package let version: String?

    /// Why an answer can't be used, as a sentence.
    package struct Unusable: Error, Equatable, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    package init(score: Int, reasons: [String], name: String?, version: String?) {
        (self.score, self.reasons, self.name, self.version) = (score, reasons, name, version)
    }

    /// Reads the body of a response: one JSON object with `score`, and optionally `reasons`, `name` and `version`. The
    /// sentences name what is wrong, never what the service sent.
    package init(reading bytes: [UInt8]) throws(Unusable) {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: bytes, maxDepth: 3)
        } catch {
            throw Unusable(description: tr("The answer is not valid JSON."))
        }
        guard let members = document.objectValue else {
            throw Unusable(description: tr("The answer is not a JSON object."))
        }
        guard Set(members.keys).isSubset(of: ["score", "reasons", "name", "version"]) else {
            throw Unusable(description: tr("The answer has members other than score, reasons, name and version."))
        }
        guard let score = members["score"]?.integerValue, (0...100).contains(score) else {
            throw Unusable(description: tr("The score is not a whole number from 0 to 100."))
        }
        self.score = Int(score)
        guard let reasons = (members["reasons"] ?? .array([])).arrayValue, reasons.count <= Self.maxReasons else {
            throw Unusable(description: tr("The reasons are not a list of at most \(Self.maxReasons) texts."))
        }
        self.reasons = try reasons.map { value throws(Unusable) in
            guard let text = Self.line(value, length: Self.reasonLength) else {
                throw Unusable(
                    description: tr("A reason is not a text of 1 to \(Self.reasonLength) characters."))
            }
            return text
        }
        name = try Self.label(members["name"])
        version = try Self.label(members["version"])
    }

    /// Nil if the service doesn't say.
    private static func label(_ value: JSONValue?) throws(Unusable) -> String? {
        guard let value, value != .null else { return nil }
        guard let text = line(value, length: nameLength) else {
            throw Unusable(
                description: tr("The name or version is not a text of 1 to \(nameLength) characters."))
        }
        return text
    }

    /// One line without control characters; nil if nothing visible is left, or too much.
    private static func line(_ value: JSONValue, length: Int) -> String? {
        guard let text = value.stringValue.map(PlainText.singleLine), !PlainText.isBlank(text),
            text.unicodeScalars.count <= length, !PlainText.containsBidiControls(text)
        else { return nil }
        return text
    }
}
