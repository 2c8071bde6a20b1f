// The names of form fields whose values are never stored or shown again.

package enum FormSecrets {
    /// Whether a field may contain a password, a code or a token. Fields of content have a prefix of their own.
    package static func contains(_ name: String) -> Bool {
        if name.hasPrefix("field.") { return false }
        return exact.contains(name) || parts.contains { name.contains($0) }
    }

    /// The tokens of the page, the current password and the code of the second factor.
    private static let exact: Set = ["csrf", "once", "current", "code"]
    private static let parts = ["password", "secret", "token"]
}
