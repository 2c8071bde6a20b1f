// Compares the failure of a publication that a rule of one entry blocks.
import Domain

extension Failure {
    /// Whether this is a refusal with the code and the message, after the type, title and id of the entry.
    package func isBlocked(_ code: String, _ message: String) -> Bool {
        guard case .refused(code, let text) = self else { return false }
        return text.hasSuffix("): " + message)
    }
}
