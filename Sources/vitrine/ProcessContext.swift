// Holds what a command gets from its process: the standard streams and the environment. Tests replace them.
import FoundationEssentials
import Glibc

struct ProcessContext: Sendable {
    @TaskLocal static var current = ProcessContext(
        input: STDIN_FILENO, output: STDOUT_FILENO, error: STDERR_FILENO,
        environment: ProcessInfo.processInfo.environment)

    /// Descriptors, because large files are read and written in chunks.
    let input: Int32
    let output: Int32
    let error: Int32
    let environment: [String: String]
}
