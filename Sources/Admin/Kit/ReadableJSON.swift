// JSON as people read it: one member a line.
import Domain
import FoundationEssentials

extension JSONValue {
    var readable: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).flatMap { String(validating: $0, as: UTF8.self) } ?? canonicalText
    }
}
