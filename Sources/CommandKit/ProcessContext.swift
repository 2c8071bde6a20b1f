// Holds what a command gets from its process: the standard streams and the environment. Tests replace them.
import FoundationEssentials
import Glibc

package struct ProcessContext: Sendable {
    @TaskLocal package static var current = ProcessContext(
        input: STDIN_FILENO, output: STDOUT_FILENO, error: STDERR_FILENO,
        environment: ProcessInfo.processInfo.environment)

    /// Descriptors, because large files are read and written in chunks.
    package let input: Int32
    package let output: Int32
    package let error: Int32
    package let environment: [String: String]

    package init(input: Int32, output: Int32, error: Int32, environment: [String: String]) {
        self.input = input
        self.output = output
        self.error = error
        self.environment = environment
    }
}
