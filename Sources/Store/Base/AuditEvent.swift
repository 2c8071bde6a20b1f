// What a transaction is about to do, as the audit trail records it.
import Domain

/// An action about to be performed: `action` is `noun.verb`, the object is its target.
package struct AuditEvent: Sendable {
    package let action: String
    package let objectType: String
    package let objectID: String?
    package let detail: [String: JSONValue]

    package init(
        _ action: String, on objectType: String, _ objectID: String? = nil, detail: [String: JSONValue] = [:]
    ) {
        self.action = action
        self.objectType = objectType
        self.objectID = objectID
        self.detail = detail
    }
}
