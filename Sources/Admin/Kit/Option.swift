// An option of a menu or a group of choices.

package struct Option: Encodable, Sendable {
    package let value: String
    package let label: String
    package let isChosen: Bool
    package let note: String
    /// Nobody can change the choice.
    package let isFixed: Bool

    package init(value: String, label: String, isChosen: Bool, note: String = "", isFixed: Bool = false) {
        self.value = value
        self.label = label
        self.isChosen = isChosen
        self.note = note
        self.isFixed = isFixed
    }

    /// The options with these values and labels; a nil choice is the empty value.
    package static func list(_ pairs: [(String, String)], chosen: String?) -> [Option] {
        pairs.map { Option(value: $0.0, label: $0.1, isChosen: $0.0 == chosen ?? "") }
    }
}
