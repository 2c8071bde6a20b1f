// The error summary at the top of a page: every error, each linked to its field.
import Domain

/// The model of `partial/error-summary.html`: `{{#if problem}}{{> partial/error-summary problem}}{{/if}}`.
package struct ErrorSummary: Encodable, Sendable {
    struct Item: Encodable, Sendable {
        let message: String
        /// The id of the control that it is about.
        let target: String
    }

    let items: [Item]

    /// Nil when nothing is wrong. `ids` gives, by pointer, the ids of controls that are named otherwise.
    package init?(_ errors: FieldErrors, ids: [String: String] = [:]) {
        // Pages with a plan say themselves that it has changed.
        let shown = errors.items.filter { $0.code != "plan_changed" }
        if shown.isEmpty { return nil }
        items = shown.map { Item(message: $0.message, target: ids[$0.pointer] ?? Self.target(of: $0.pointer)) }
    }

    /// `/fields/title/0` is about the control `field-title`, `/fields/screens/2/text` about `field-screens-2-text`,
    /// `/publish/zone` and `/until/zone` about `zone`, `/reason` about `reason`.
    private static func target(of pointer: String) -> String {
        let steps = pointer.split(separator: "/")
        switch steps.first {
        case "fields":
            if steps.count > 3, Int(steps[2]) != nil { return "field-\(steps[1])-\(steps[2])-\(steps[3])" }
            return steps.count > 1 ? "field-\(steps[1])" : "main"
        case "field_notes": return steps.count > 1 ? "field-note-\(steps[1])" : "main"
        case "publish", "until": return String(steps[steps.count > 1 ? 1 : 0])
        case .some(let step): return String(step)
        case nil: return "main"
        }
    }
}
