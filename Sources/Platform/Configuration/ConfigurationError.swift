// Everything that is wrong with the configuration, all at once, as sentences for the operator.

/// The program shows it and ends with `ExitCode.usage`.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    package let problems: [String]

    package init(problems: [String]) {
        self.problems = problems
    }

    package var description: String {
        problems.joined(separator: "\n")
    }
}
