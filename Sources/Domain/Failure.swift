// What can go wrong in a way that the asker can understand; anything else is a fault of ours.

package enum Failure: Error, Sendable, Equatable {
    /// What was sent breaks rules: every message at once, each at its field.
    case invalid(FieldErrors)
    /// There is no such thing; the text says what was looked for.
    case missing(String)
    /// Someone else was faster, or the thing is in another state than the asker believed.
    case conflict(code: String, message: String)
    /// Someone else has changed the same values meanwhile; nothing of this was written.
    case stale([StaleValue])
    /// The asker may not do this; the text says what.
    case forbidden(String)
    /// The asker may do this, but a rule of the product says no.
    case refused(code: String, message: String)
    /// It cannot be done now, but may be later; the text says why.
    case unavailable(String)

    /// In words, for where a person reads one line.
    package var sentence: String {
        switch self {
        case .invalid(let errors): errors.items.map { "\($0.pointer): \($0.message)" }.joined(separator: " ")
        case .missing(let what): "There is no such \(what)."
        case .conflict(_, let message), .refused(_, let message): message
        case .stale(let values): values.map(\.sentence).joined(separator: " ")
        case .forbidden(let message), .unavailable(let message): message
        }
    }
}
