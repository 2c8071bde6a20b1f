// Gives another program bytes and takes its answer, within a deadline and a limit of size.
import CSystem

/// The child gets nothing of ours: no environment, no descriptor but its two streams, and a session of its own.
package struct ChildExchange: Sendable {
    package enum Outcome: Sendable {
        /// What it wrote, and its exit code (128 + the signal that ended it).
        case answer([UInt8], exitCode: Int32)
        /// It was ended after the deadline.
        case late
        /// It was ended because it wrote more than was allowed.
        case tooLong
    }

    private let program: String
    private let arguments: [String]
    private let input: [UInt8]
    private let answerLimit: Int
    private let deadline: Duration

    package init(program: String, arguments: [String], input: [UInt8], answerLimit: Int, deadline: Duration) {
        self.program = program
        self.arguments = arguments
        self.input = input
        self.answerLimit = answerLimit
        self.deadline = deadline
    }

    /// Holds the calling thread until the child has ended.
    package func run() throws -> Outcome {
        let clock = Stopwatch()
        // A pair of sockets, because writing to a pipe whose reader has ended would end us too.
        var ends: [Int32] = [-1, -1]
        guard csystem_socket_pair(&ends) == 0 else {
            throw ChildProcess.SpawnError(program: program, reason: "no sockets can be made")
        }
        defer { close(ends[0]) }
        let child = try start(over: ends[1])
        var answer: [UInt8] = []
        switch exchange(over: ends[0], clock, &answer) {
        case .some(let broken):
            child.send(SIGKILL, toGroup: true)
            child.stop(grace: .seconds(5))
            return broken
        case nil:
            guard let code = child.waitBlocking(timeout: deadline - clock.elapsed) else {
                child.stop(signal: SIGKILL, grace: .seconds(5))
                return .late
            }
            return .answer(answer, exitCode: code)
        }
    }

    /// Our copy of the child's end is closed, so that its end shows as the end of its answer.
    private func start(over end: Int32) throws -> ChildProcess {
        defer { close(end) }
        return try ChildProcess(
            program, arguments, environment: [:], directory: "/", input: .descriptor(end), output: .descriptor(end),
            error: .nothing)
    }

    /// Writes and reads in turns until the child has closed its end; answers what went wrong, if anything did.
    private func exchange(over end: Int32, _ clock: Stopwatch, _ answer: inout [UInt8]) -> Outcome? {
        var written = 0
        if input.isEmpty { shutdown(end, Int32(SHUT_WR)) }
        var room = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let left = deadline - clock.elapsed
            guard left > .zero else { return .late }
            let isWriting = written < input.count
            var question = pollfd(fd: end, events: Int16(POLLIN | (isWriting ? POLLOUT : 0)), revents: 0)
            poll(&question, 1, Int32(clamping: left.wholeMilliseconds + 1))
            if isWriting, question.revents & Int16(POLLOUT) != 0 {
                let count = input.withUnsafeBytes { bytes in
                    csystem_write(end, 1, bytes.baseAddress?.advanced(by: written), input.count - written)
                }
                // Whoever does not read on has its answer ready, or has ended.
                if count < 0 {
                    written = csystem_last_error() == EAGAIN ? written : input.count
                } else {
                    written += count
                }
                if written == input.count { shutdown(end, Int32(SHUT_WR)) }
            }
            if question.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
                let count = read(end, &room, room.count)
                if count <= 0 { return nil }
                if answer.count + count > answerLimit { return .tooLong }
                answer += room[..<count]
            }
        }
    }
}
