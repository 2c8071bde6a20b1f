// Reports an invalid command line, with a suggestion and the help command.
import Localization

/// Printed on standard error; the program then exits with `ExitCode.usage`.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    package let message: String
    /// A whole name, such as `--note` or `queue approve`.
    package let suggestion: String?
    /// The help command: `vitrine help queue`.
    package let help: String

    package var description: String {
        let guess = suggestion.map { tr(" Did you mean \"\($0)\"?") } ?? ""
        return tr("\(message)\(guess)\nRun \"\(help)\" for usage.")
    }
}
