// Announces the end of this API version in every response: Deprecation (RFC 9745) and Sunset (RFC 8594).
import FoundationEssentials
import HTTP
import Platform

struct DeprecationHeaders: Sendable {
    private let fields: [(name: String, value: String)]

    /// Nil while the version is not deprecated.
    init?(_ rules: DeliveryRules) {
        var fields: [(name: String, value: String)] = []
        if let date = rules.deprecated { fields.append(("Deprecation", "@\(Int(date.timeIntervalSince1970))")) }
        if let date = rules.sunset { fields.append(("Sunset", HTTPDate.text(date))) }
        if let url = rules.successor, !fields.isEmpty {
            fields.append(("Link", "<\(url)>; rel=\"deprecation\"; type=\"text/html\""))
        }
        if fields.isEmpty { return nil }
        self.fields = fields
    }

    func add(to response: inout Response) {
        for field in fields { response.headers.append(field.name, field.value) }
    }
}
