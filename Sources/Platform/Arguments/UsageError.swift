// Reports an invalid command line, with a suggestion and the help command.

/// Printed on standard error; the program then exits with `ExitCode.usage`.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    package let message: String
    /// A whole name, such as `--note` or `queue approve`.
    package let suggestion: String?
    /// The help command: `vitrine help queue`.
    package let help: String

    package var description: String {
        let guess = suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
        return "\(message)\(guess)\nRun \"\(help)\" for usage."
    }
}
