// Sends bytes to a child process and reads its response, with a deadline and a size limit.
import CSystem

/// The child inherits nothing: no environment, only its two streams, and its own session. When it has exited, whatever it
/// started is killed.
package struct ChildExchange: Sendable {
    package enum Outcome: Sendable {
        /// The response and the exit code (128 + signal number if a signal ended the child).
        case response([UInt8], exitCode: Int32)
        /// The child was killed at the deadline.
        case timedOut
        /// The child was killed because its response exceeded the limit.
        case tooLarge
    }

    private let program: String
    private let arguments: [String]
    private let input: [UInt8]
    private let responseLimit: Int
    private let deadline: Duration

    package init(program: String, arguments: [String], input: [UInt8], responseLimit: Int, deadline: Duration) {
        self.program = program
        self.arguments = arguments
        self.input = input
        self.responseLimit = responseLimit
        self.deadline = deadline
    }

    /// Blocks the calling thread until the child has exited.
    package func run() throws -> Outcome {
        let clock = Stopwatch()
        // A socket pair, because writing to a pipe without a reader would raise SIGPIPE.
        var ends: [Int32] = [-1, -1]
        guard csystem_socket_pair(&ends) == 0 else {
            throw ChildProcess.SpawnError(program: program, reason: "a socket pair can't be created")
        }
        defer { close(ends[0]) }
        let child = try start(over: ends[1])
        var response: [UInt8] = []
        switch exchange(with: child, over: ends[0], clock, &response) {
        case .some(let failure):
            child.send(SIGKILL, toGroup: true)
            child.stop(grace: .seconds(5))
            return failure
        case nil:
            guard let code = child.waitBlocking(timeout: deadline - clock.elapsed) else {
                child.stop(signal: SIGKILL, grace: .seconds(5))
                return .timedOut
            }
            return .response(response, exitCode: code)
        }
    }

    /// Closes our copy of the child's socket, so that the exit of the child ends the response.
    private func start(over end: Int32) throws -> ChildProcess {
        defer { close(end) }
        return try ChildProcess(
            program, arguments, environment: [:], directory: "/", input: .descriptor(end), output: .descriptor(end),
            error: .nothing, endsGroup: true)
    }

    /// Writes and reads alternately until the child closes its socket. Returns what went wrong, or nil.
    private func exchange(
        with child: ChildProcess, over end: Int32, _ clock: Stopwatch, _ response: inout [UInt8]
    ) -> Outcome? {
        var written = 0
        if input.isEmpty { shutdown(end, Int32(SHUT_WR)) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let left = deadline - clock.elapsed
            guard left > .zero else { return .timedOut }
            let isWriting = written < input.count
            var requests = [pollfd(fd: end, events: Int16(POLLIN | (isWriting ? POLLOUT : 0)), revents: 0)]
            // What the child left behind would keep the socket open; reaping the child kills it.
            if child.isRunning { requests.append(pollfd(fd: child.watch, events: Int16(POLLIN), revents: 0)) }
            poll(&requests, nfds_t(requests.count), Int32(clamping: left.wholeMilliseconds + 1))
            let request = requests[0]
            if isWriting, request.revents & Int16(POLLOUT) != 0 {
                let count = input.withUnsafeBytes { bytes in
                    csystem_write(end, 1, bytes.baseAddress?.advanced(by: written), input.count - written)
                }
                // A child that stops reading has its response ready, or has exited.
                if count < 0 {
                    written = csystem_last_error() == EAGAIN ? written : input.count
                } else {
                    written += count
                }
                if written == input.count { shutdown(end, Int32(SHUT_WR)) }
            }
            if request.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
                let count = read(end, &buffer, buffer.count)
                if count <= 0 { return nil }
                if response.count + count > responseLimit { return .tooLarge }
                response += buffer[..<count]
            }
        }
    }
}
