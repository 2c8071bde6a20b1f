// Starts a child process and supervises it until it exits.
import CSystem
import Synchronization

/// The child has its own session, so Ctrl-C in the terminal does not reach it. It inherits neither the signal mask nor any
/// descriptor except the standard streams. The caller must wait for it.
package final class ChildProcess: Sendable {
    package struct SpawnError: Error, CustomStringConvertible {
        package let program: String
        package let reason: String

        package var description: String { "\(program) can't be started: \(reason)." }
    }

    package let processID: Int32
    /// Becomes readable when the child exits.
    let watch: Int32
    private let exitCode = Mutex<Int32?>(nil)
    private let endsGroup: Bool

    /// A `program` without a slash is looked up in PATH; a relative path is resolved against `directory`. `environment` is
    /// the whole environment of the child. Standard input is empty by default. `endsGroup`: when the child has exited, what it
    /// started and left behind is killed.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String], directory: String? = nil,
        input: ChildStream = .nothing, output: ChildStream = .inherit, error: ChildStream = .inherit,
        endsGroup: Bool = false
    ) throws(SpawnError) {
        self.endsGroup = endsGroup
        let streams = [
            input.open(inherited: STDIN_FILENO), output.open(inherited: STDOUT_FILENO),
            error.open(inherited: STDERR_FILENO),
        ]
        defer { for stream in streams { stream.closeIfOwned() } }
        if let failed = streams.first(where: { $0.descriptor < 0 }) {
            throw SpawnError(program: program, reason: ChildProcess.text(ofError: failed.error))
        }
        var process: pid_t = 0
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let failed = ChildProcess.withCStrings([program] + arguments) { arguments in
            ChildProcess.withCStrings(variables) { variables in
                csystem_spawn(
                    &process, program, arguments, variables, directory, streams[0].descriptor, streams[1].descriptor,
                    streams[2].descriptor)
            }
        }
        guard failed == 0 else {
            throw SpawnError(program: program, reason: ChildProcess.text(ofError: failed))
        }
        processID = process
        watch = csystem_watch_process(process)
        guard watch >= 0 else {
            let reason = ChildProcess.text(ofError: csystem_last_error())
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
            throw SpawnError(program: program, reason: "it can't be watched: \(reason)")
        }
    }

    deinit {
        if watch >= 0 { close(watch) }
    }

    package var isRunning: Bool {
        reap() == nil
    }

    /// Blocks the calling thread until the child exits. Nil after `timeout`.
    package func waitBlocking(timeout: Duration) -> Int32? {
        let stopwatch = Stopwatch()
        while true {
            if let code = reap() { return code }
            let left = timeout - stopwatch.elapsed
            guard left > .zero else { return nil }
            var request = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
            poll(&request, 1, Int32(clamping: left.wholeMilliseconds + 1))
        }
    }

    /// Sends `signal`, waits at most `grace`, then kills. Blocks the calling thread.
    @discardableResult
    package func stop(signal: Int32 = SIGTERM, grace: Duration) -> Int32 {
        send(signal)
        if let code = waitBlocking(timeout: grace) { return code }
        send(SIGKILL, toGroup: true)
        while true {
            if let code = waitBlocking(timeout: .seconds(60)) { return code }
        }
    }

    /// Does nothing after the child has exited. `toGroup` also signals its own children.
    package func send(_ signal: Int32, toGroup: Bool = false) {
        exitCode.withLock { code in
            // Until the child is reaped, its process id can't be reused.
            guard code == nil else { return }
            kill(toGroup ? -processID : processID, signal)
        }
    }

    private func reap() -> Int32? {
        exitCode.withLock { code in
            var status: Int32 = 0
            // Until the child is reaped, its process id can't be reused, and neither can that of its group.
            if code == nil, endsGroup, csystem_has_exited(processID) != 0 { kill(-processID, SIGKILL) }
            if code == nil, waitpid(processID, &status, WNOHANG) == processID {
                code = csystem_exit_code(status)
            }
            return code
        }
    }

    private static func text(ofError number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
