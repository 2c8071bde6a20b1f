// Puts names that are data (a role, a channel, a database) into SQL text.

package enum SQLName {
    /// The name in double quotes, whatever it contains.
    package static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
