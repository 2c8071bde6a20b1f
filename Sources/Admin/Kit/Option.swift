// An option of a menu or a group of choices.

struct Option: Encodable, Sendable {
    let value: String
    let label: String
    let isChosen: Bool

    /// The options with these values and labels; a nil choice is the empty value.
    static func list(_ pairs: [(String, String)], chosen: String?) -> [Option] {
        pairs.map { Option(value: $0.0, label: $0.1, isChosen: $0.0 == chosen ?? "") }
    }
}
