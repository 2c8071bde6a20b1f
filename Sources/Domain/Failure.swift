// The errors that are reported to the caller; any other error is an internal fault.
import Localization

package enum Failure: Error, Sendable, Equatable {
    /// The input breaks rules: all messages at once, each at its field.
    case invalid(FieldErrors)
    /// The requested object does not exist; the associated text names its kind.
    case missing(String)
    /// Someone else was first, or the object is not in the expected state.
    case conflict(code: String, message: String)
    /// Someone else changed the same values in the meantime; nothing was written.
    case stale([StaleValue])
    /// The caller lacks the permission; the text names the action.
    case forbidden(String)
    /// The caller has the permission, but a business rule forbids the action.
    case refused(code: String, message: String)
    /// It cannot be done now but may succeed later; the text gives the reason. The cause, such as the path of a file, is for
    /// the log and the command line, never for a response.
    case unavailable(String, cause: String? = nil)

    /// One line for people.
    package var sentence: String {
        switch self {
        case .invalid(let errors): errors.items.map { "\($0.pointer): \($0.message)" }.joined(separator: " ")
        case .missing(let what): tr("There is no such \(what).")
        case .conflict(_, let message), .refused(_, let message): message
        case .stale(let values): values.map(\.sentence).joined(separator: " ")
        case .forbidden(let message), .unavailable(let message, _): message
        }
    }

    /// What an operator needs to know and a caller must not see.
    package var cause: String? {
        if case .unavailable(_, let cause) = self { cause } else { nil }
    }
}

extension Optional {
    /// The value, or the failure `missing`.
    package func orMissing(_ what: @autoclosure () -> String) throws(Failure) -> Wrapped {
        guard let self else { throw .missing(what()) }
        return self
    }
}
