// A command line that cannot be understood: what is wrong, what may have been meant, where help is.

/// Shown on standard error; the program then ends with `ExitCode.usage`.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    package let message: String
    /// A whole name, such as `--note` or `queue accept`.
    package let suggestion: String?
    /// The command line that helps: `vitrine help queue`.
    package let help: String

    package var description: String {
        let guess = suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
        return "\(message)\(guess)\nRun \"\(help)\" to see what it takes."
    }
}
