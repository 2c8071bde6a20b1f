// Writes structured log lines, one per event, to standard error.
import FoundationEssentials

/// `log.info("server started", ["port": 8080, "host": "\(host)"])`. An event is a short constant phrase; variable
/// data goes into fields. Logging never blocks, fails or terminates the process.
package struct Logger: Sendable {
    package typealias Fields = KeyValuePairs<String, LogValue>

    package let level: LogLevel
    package let format: LogFormat
    private let sink: LogSink
    private var context: [(name: String, value: LogValue)] = []

    package init(level: LogLevel = .info, format: LogFormat = .text, sink: LogSink = .standardError) {
        self.level = level
        self.format = format
        self.sink = sink
    }

    /// A logger that adds these fields to each line, before the fields of the event.
    package func with(_ fields: Fields) -> Logger {
        var logger = self
        logger.context += fields.map { (name: $0.key, value: $0.value) }
        return logger
    }

    package func with(requestID: String) -> Logger {
        with(["request_id": .text(requestID)])
    }

    package func debug(_ event: String, _ fields: @autoclosure () -> Fields = [:]) {
        log(.debug, event, fields())
    }

    package func info(_ event: String, _ fields: @autoclosure () -> Fields = [:]) {
        log(.info, event, fields())
    }

    package func warning(_ event: String, _ fields: @autoclosure () -> Fields = [:]) {
        log(.warning, event, fields())
    }

    package func error(_ event: String, _ fields: @autoclosure () -> Fields = [:]) {
        log(.error, event, fields())
    }

    package func log(_ level: LogLevel, _ event: String, _ fields: @autoclosure () -> Fields = [:]) {
        guard level >= self.level else { return }
        let line = LogLine(
            format, level: level, event: event, fields: context + fields().map { ($0.key, $0.value) }, date: Date())
        sink.write(line.bytes, notice: droppedNotice)
    }

    private func droppedNotice(count: Int) -> [UInt8] {
        LogLine(format, level: .warning, event: "log lines dropped", fields: [("count", .integer(count))], date: Date())
            .bytes
    }
}
