// Example responses of the reading endpoints with the demo content, for the API description.
import Domain
import FoundationEssentials

package struct APIExamples: Sendable {
    struct Example: Sendable {
        /// Path parameters by name; ids are left out, because they differ between databases.
        let parameters: [String: String]
        let query: String
        let response: JSONValue
    }

    private let all: [String: Example]

    package static let none = APIExamples(all: [:])

    /// Reads `openapi/examples.json` of the templates (scripts/api_examples.py writes it). Without it there are no
    /// examples.
    package static func load(templates: String) throws -> APIExamples {
        guard let data = try? Data(contentsOf: URL(filePath: templates + "/openapi/examples.json")) else {
            return .none
        }
        let examples = try JSONValue(parsing: Array(data)).objectValue ?? [:]
        return APIExamples(
            all: examples.mapValues { example in
                Example(
                    parameters: example["parameters"]?.objectValue?.compactMapValues(\.stringValue) ?? [:],
                    query: example["query"]?.stringValue ?? "", response: example["response"] ?? .null)
            })
    }

    subscript(pattern: String) -> Example? { all[pattern] }
}
