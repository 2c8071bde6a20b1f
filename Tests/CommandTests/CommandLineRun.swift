// Runs a command line in this process and returns what it printed.
import CommandKit
import Glibc
import Platform

@testable import vitrine

struct CommandLineRun: Sendable {
    let code: ExitCode
    let output: String
    let error: String

    init(_ arguments: [String], input: String = "", environment: [String: String]) async throws {
        let (given, output, error) = (try Stream(input), try Stream(), try Stream())
        let context = ProcessContext(
            input: given.descriptor, output: output.descriptor, error: error.descriptor, environment: environment)
        code = await ProcessContext.$current.withValue(context) { await Program.run(arguments, Shutdown()) }
        self.output = output.text
        self.error = error.text
    }

    /// A file without a name, in the place of a standard stream.
    final class Stream: Sendable {
        let descriptor: Int32

        init(_ text: String = "") throws {
            var path = Array("/tmp/vitrine-stream-XXXXXX".utf8CString)
            descriptor = mkstemp(&path)
            guard descriptor >= 0 else { throw Unusable() }
            unlink(path)
            let bytes = Array(text.utf8)
            guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Unusable() }
            lseek(descriptor, 0, SEEK_SET)
        }

        deinit { close(descriptor) }

        struct Unusable: Error {}

        var text: String {
            var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
            let count = pread(descriptor, &bytes, bytes.count, 0)
            return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        }
    }
}
