// A type that templates see with its texts: a date with its age, a state with its label.

/// Its values are encoded as their `templateModel`, wherever they are in a view model. So rows need no view structs that only
/// repeat their values as texts: a template writes `{{state.label}}` for a `state`.
package protocol TemplateConvertible {
    var templateModel: any Encodable { get }
}
