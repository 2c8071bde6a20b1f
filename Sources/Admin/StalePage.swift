// A small form that came too late: before, theirs and yours side by side, and one click to take either.
import Domain
import HTTP

struct StalePage: Encodable, Sendable {
    /// The controls of the form that carry a value, and what it was when the form was made.
    struct Controls {
        /// Nil when more than one control carries it: then the form is sent whole, or not.
        let value: String?
        let was: String
    }

    struct Hidden: Encodable, Sendable {
        let name: String
        let value: String
    }

    struct Line: Encodable, Sendable {
        let label: String
        let author: String
        let base: String
        let theirs: String
        let mine: String
        /// The control to choose with, when either can be chosen for this line alone.
        let choice: String?
    }

    let heading: String
    let action: String
    let back: String
    let hidden: [Hidden]
    let lines: [Line]
    /// Where there is one line it is all or nothing, and no choice is needed.
    let hasChoices: Bool

    /// Sends everything that was typed once more, as if it had been typed after what they did.
    static func response(
        _ values: [StaleValue], _ request: AdminRequest, heading: String, back: String,
        controls: (StaleValue) -> Controls
    ) throws -> Response {
        let hasChoices = values.count > 1
        var replaced: Set<String> = ["csrf"]
        var hidden: [Hidden] = []
        var lines: [Line] = []
        for value in values {
            let control = controls(value)
            replaced.insert(control.was)
            hidden.append(Hidden(name: control.was, value: value.theirs))
            let choice = hasChoices ? control.value : nil
            if let choice { replaced.insert(choice) }
            lines.append(
                Line(
                    label: value.label, author: value.author, base: words(value.base), theirs: words(value.theirs),
                    mine: words(value.mine), choice: choice))
        }
        hidden += request.form.fields.filter { !replaced.contains($0.name) }.map {
            Hidden(name: $0.name, value: $0.value)
        }
        return try request.page(
            "admin/stale",
            StalePage(
                heading: heading, action: request.request.path, back: back, hidden: hidden, lines: lines,
                hasChoices: hasChoices),
            title: "Error: " + heading, status: 409)
    }

    private static func words(_ text: String) -> String { text.isEmpty ? "none" : text }
}
