// Collects every problem of the configuration as sentences for the operator.

/// The program prints it and exits with `ExitCode.usage`.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    package let problems: [String]

    package init(problems: [String]) {
        self.problems = problems
    }

    package var description: String {
        problems.joined(separator: "\n")
    }
}
