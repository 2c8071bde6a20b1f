// The conflict page of a small form: shows both versions side by side, to keep either with one click.
import Domain
import HTTP

struct StalePage: Encodable, Sendable {
    /// The form controls of a value and of its original value.
    struct Controls {
        /// Nil if several controls make up the value, which then can't be chosen on its own.
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
        /// The values as they are sent; an empty one is shown as "none".
        let theirValue: String
        let myValue: String
        /// The control for choosing a side; nil if this line can't be chosen on its own.
        let choice: String?
    }

    let heading: String
    /// The names of the people who changed the values, each once.
    let authors: String
    let action: String
    let back: String
    let hidden: [Hidden]
    let lines: [Line]
    /// False for a single line of a form that saves nothing else: it is saved or discarded as a whole.
    let hasChoices: Bool

    /// The form has one value, which is saved or discarded as a whole.
    static func wholeForm(_ value: StaleValue) -> Controls { Controls(value: nil, was: "was") }

    /// The page's form resubmits the same input on top of their change. `savesMore`: the form also saves other values,
    /// which stay whatever is chosen for these.
    static func response(
        _ values: [StaleValue], _ request: AdminRequest, heading: String, back: String, savesMore: Bool = false,
        controls: (StaleValue) -> Controls = wholeForm
    ) throws -> Response {
        let hasChoices = values.count > 1 || savesMore
        var replaced: Set<String> = ["csrf", "once"]
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
                    label: value.label, author: ActorName.shown(value.author), base: text(value.base),
                    theirs: text(value.theirs),
                    mine: text(value.mine), theirValue: value.theirs, myValue: value.mine, choice: choice))
        }
        hidden += request.form.fields.filter { !replaced.contains($0.name) }.map {
            Hidden(name: $0.name, value: $0.value)
        }
        return try request.page(
            "admin/stale",
            StalePage(
                heading: heading, authors: authors(values), action: request.request.path, back: back, hidden: hidden,
                lines: lines,
                hasChoices: hasChoices),
            title: heading, status: 409)
    }

    private static func authors(_ values: [StaleValue]) -> String {
        var names: [String] = []
        for value in values where !names.contains(value.author) { names.append(value.author) }
        return names.map(ActorName.shown).joined(separator: ", ")
    }

    private static func text(_ value: String) -> String { value.isEmpty ? "none" : value }
}
