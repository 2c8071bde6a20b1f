// A log whose lines a test reads.
import FoundationEssentials
import Glibc
import Platform

package final class LogFile: Sendable {
    package let logger: Logger
    private let path: String
    private let descriptor: Int32

    package init() throws {
        path = "/tmp/vitrine-log-\(UUIDv7.make().uuidString)"
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DurableFile.WriteError(description: "\(path) can't be written") }
        logger = Logger(level: .debug, sink: LogSink(descriptor: descriptor))
    }

    package var lines: [String] {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    package func remove() {
        close(descriptor)
        unlink(path)
    }
}
