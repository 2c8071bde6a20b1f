// Tests log lines: format, escaping, and slow or missing readers.
import CSystem
import FoundationEssentials
import Testing

@testable import Platform

@Suite struct LogTests {
    private let folder: PlatformTestFolder

    init() throws {
        folder = try PlatformTestFolder()
    }

    /// All bytes that `body` logs, written to a real file.
    private func logged(_ format: LogFormat, level: LogLevel = .debug, _ body: (Logger) -> Void) throws -> String {
        let descriptor = csystem_open_for_appending("\(folder.path)/log")
        defer { close(descriptor) }
        body(Logger(level: level, format: format, sink: LogSink(descriptor: descriptor)))
        return try #require(folder.read("log"))
    }

    private func line(_ format: LogFormat, _ event: String, _ fields: LogLine.Fields) -> String {
        let line = LogLine(format, level: .info, event: event, fields: fields, date: Date(timeIntervalSince1970: 0))
        return String(decoding: line.bytes, as: UTF8.self)
    }

    @Test("A text line is time, level, event and name=value pairs, quoted where necessary")
    func text() {
        let fields: LogLine.Fields = [
            ("port", 8080), ("host", "localhost"), ("path", "a b"), ("empty", ""), ("pair", "a=b"), ("ok", true),
            ("ratio", 0.5), ("none", nil), ("quote", "\""),
        ]
        #expect(
            line(.text, "server started", fields)
                == "1970-01-01T00:00:00.000Z info server started port=8080 host=localhost path=\"a b\" empty=\"\" "
                + "pair=\"a=b\" ok=true ratio=0.5 none=null quote=\"\\\"\"\n")
    }

    private struct Parsed: Decodable, Equatable {
        let time: String
        let level: String
        let event: String
        let value: String
        let count: Int
    }

    @Test(
        "S7: no text breaks a line or disguises it, and JSON gives it back unchanged",
        arguments: [
            "a\nb", "a\r\nb", "\u{1b}[31mred", "\u{202e}evil", "\u{2066}x\u{2069}", "\u{2028}\u{2029}\u{85}\u{9b}",
            "\0\u{7f}",
            "\\n\"", "\u{200b}\u{feff}\u{e0041}", "ünï 日本 🙂", "\t",
        ])
    func treacherous(text: String) throws {
        for format in LogFormat.allCases {
            let line = line(format, "event \(text)", [("name\(text)", "1"), ("value", .text(text)), ("count", 1)])
            #expect(line.utf8.filter { $0 == 0x0a }.count == 1)
            #expect(line.last == "\n")
            let isClean = line.dropLast().unicodeScalars.allSatisfy { scalar in
                ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            }
            #expect(isClean, "\(line)")
        }
        let json = line(.json, text, [("value", .text(text)), ("count", 1)])
        let parsed = try JSONDecoder().decode(Parsed.self, from: Data(json.utf8))
        #expect(parsed == Parsed(time: "1970-01-01T00:00:00.000Z", level: "info", event: text, value: text, count: 1))
    }

    @Test("S7: hostile texts never add or remove lines")
    func countLines() throws {
        let naughty = ["\n", "\r", "\u{2028}", "x\ny\nz", "\u{1b}\n", ""]
        let text = try logged(.text) { log in
            for value in naughty { log.info("received", ["value": .text(value)]) }
        }
        #expect(text.utf8.filter { $0 == 0x0a }.count == naughty.count)
    }

    @Test("Events at the level are logged, those below are not")
    func levels() throws {
        let text = try logged(.text, level: .warning) { log in
            log.debug("one")
            log.info("two")
            log.warning("three")
            log.error("four")
        }
        #expect(text.split(separator: "\n").map { $0.split(separator: " ")[1] } == ["warning", "error"])
    }

    @Test("A logger with a request id adds it to each line, before the fields of the event")
    func requestID() throws {
        let text = try logged(.text) { log in
            let log = log.with(requestID: "r1").with(["client": "app"])
            log.info("one", ["n": 1])
        }
        #expect(text.hasSuffix("info one request_id=r1 client=app n=1\n"))
    }

    @Test("S44: secrets are not logged, by type or by field name")
    func secrets() throws {
        let text = try logged(.json) { log in
            log.info(
                "x",
                [
                    "a": .value(Secret("hunter2")), "b": "\(Secret("hunter2"))", "Authorization": "hunter2",
                    "password": "hunter2", "token": .text("hunter2"),
                ])
        }
        #expect(!text.contains("hunter2"))
        #expect(text.components(separatedBy: "[secret]").count == 6)
    }

    @Test("A text longer than the limit is truncated visibly")
    func cut() {
        let exact = String(repeating: "x", count: LogLine.maximumText)
        #expect(!line(.text, "e", [("v", .text(exact))]).contains("..."))
        let cut = line(.text, "e", [("v", .text(exact + "y"))])
        #expect(cut.contains("x..."))
        #expect(!cut.contains("y"))
    }

    @Test("A number that JSON can't represent is a string")
    func infinite() {
        #expect(line(.json, "e", [("v", .number(.infinity))]).contains("\"v\":\"inf\""))
    }

    @Test("R28: a full pipe drops and counts lines, and the next line that fits reports the count")
    func fullPipe() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let sink = LogSink(descriptor: ends[1])
        let log = Logger(format: .json, sink: sink)
        // Longer than the capacity of a pipe: the last line is written in part and must be completed later.
        let event = String(repeating: "x", count: 10_000)
        for _ in 0..<200 { log.info(event) }
        let dropped = sink.dropped
        #expect(dropped > 0)
        let before = drain(ends[0])
        log.info("last")
        #expect(sink.dropped == 0)
        let after = drain(ends[0])
        close(ends[1])
        let lines = (before + after).split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 200 - dropped + 2)
        for line in lines { _ = try JSONDecoder().decode(Told.self, from: Data(line)) }
        #expect(try JSONDecoder().decode(Told.self, from: Data(lines[lines.count - 2])).count == dropped)
        #expect(try JSONDecoder().decode(Told.self, from: Data(lines[lines.count - 1])).event == "last")
    }

    private struct Told: Decodable {
        let event: String
        let count: Int?
    }

    /// The current content of the pipe.
    private func drain(_ descriptor: Int32) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&question, 1, 0) == 1, question.revents & Int16(POLLIN) != 0 {
            let count = read(descriptor, &buffer, buffer.count)
            all += buffer.prefix(max(0, count))
            if count <= 0 { break }
        }
        return all
    }

    @Test("R28: a socket with a slow reader drops lines instead of blocking")
    func fullSocket() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let sink = LogSink(descriptor: ends[1])
        let log = Logger(sink: sink)
        for _ in 0..<5000 { log.info(String(repeating: "x", count: 1000)) }
        #expect(sink.dropped > 0)
    }

    @Test("R28: a closed descriptor only loses lines")
    func closed() throws {
        let sink = LogSink(descriptor: 987)
        Logger(sink: sink).info("nobody hears this")
        #expect(sink.dropped == 1)
    }
}
