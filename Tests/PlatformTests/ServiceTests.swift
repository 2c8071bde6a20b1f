// Tests the life cycle of a process with real children, signals and pipes.
import CSystem
import FoundationEssentials
import TestBasics
import Testing

@testable import Platform

@Suite(.serialized) struct ServiceTests {
    private let folder: PlatformTestFolder

    init() throws {
        folder = try PlatformTestFolder()
    }

    /// The probe is built beside the tests.
    private var probe: String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return tests.components(separatedBy: "/").dropLast().joined(separator: "/") + "/platform-probe"
    }

    private func start(
        _ task: String, environment: [String: String] = [:], error: ChildStream? = nil
    ) throws -> ChildProcess {
        try ChildProcess(
            probe, [task], environment: environment, output: .nothing, error: error ?? .file("\(folder.path)/err"))
    }

    private func sh(
        _ script: String, environment: [String: String] = [:], directory: String? = nil, input: ChildStream = .nothing
    ) throws -> ChildProcess {
        try ChildProcess(
            "/bin/sh", ["-c", script], environment: environment, directory: directory, input: input,
            output: .file("\(folder.path)/out"), error: .file("\(folder.path)/err"))
    }

    /// Waits until the file contains `text`.
    private func waitFor(_ text: String, in name: String) async throws {
        await until("\(name) contains \"\(text)\"") { folder.read(name)?.contains(text) ?? false }
    }

    @Test("R7: SIGTERM lets the service return, with its own exit code", arguments: [SIGTERM, SIGINT])
    func graceful(signal: Int32) async throws {
        let child = try start("graceful")
        try await waitFor("ready", in: "err")
        child.send(signal)
        #expect(await child.wait() == 0)
        #expect(folder.read("err")?.contains("ended code=0") == true)
    }

    @Test(
        "R7: a second SIGTERM calls the handler and exits at once, without waiting for the work",
        arguments: [(SIGTERM, ExitCode.terminated), (SIGINT, .interrupted)])
    func secondSignal(signal: Int32, code: ExitCode) async throws {
        let child = try start("stubborn")
        try await waitFor("ready", in: "err")
        child.send(signal)
        try await waitFor("stopping", in: "err")
        child.send(signal)
        #expect(await child.wait() == code.rawValue)
        try await waitFor("left at once", in: "err")
    }

    @Test("S44: a crash leaves no core dump, and other processes of the user can't read memory")
    func noDump() async throws {
        // Only visible as non-root: the kernel assigns the proc files of a non-dumpable process to root.
        let child = try sh(
            "\(getuid() == 0 ? "exec setpriv --reuid=65534 --clear-groups" : "exec") \"$PROBE\" graceful",
            environment: ["PROBE": probe])
        try await waitFor("ready", in: "err")
        let limits = try String(contentsOfFile: "/proc/\(child.processID)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        let files = try FileManager.default.attributesOfItem(atPath: "/proc/\(child.processID)/environ")
        #expect(files[.ownerAccountID] as? UInt32 == 0)
        child.send(SIGTERM)
        #expect(await child.wait() == 0)
    }

    @Test(
        "S46: systemd-analyze rates the exposure of the unit at 1.5 or better",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
    func unitReach() async throws {
        let unit = #filePath.components(separatedBy: "/").dropLast(3).joined(separator: "/") + "/deploy/vitrine.service"
        let child = try sh(
            "systemd-analyze security --offline=true --threshold=15 --no-pager \"$UNIT\"", environment: ["UNIT": unit])
        #expect(await child.wait() == 0, "\(folder.read("out") ?? "")")
    }

    @Test("SIGHUP calls the handler if there is one, and stops otherwise")
    func hangUp() async throws {
        let child = try start("graceful")
        try await waitFor("ready", in: "err")
        child.send(SIGHUP)
        try await waitFor("hung up", in: "err")
        child.send(SIGTERM)
        #expect(await child.wait() == 0)
        let other = try start("stubborn", error: .file("\(folder.path)/err2"))
        try await waitFor("ready", in: "err2")
        other.send(SIGHUP)
        try await waitFor("stopping", in: "err2")
        other.send(SIGKILL)
        #expect(await other.wait() == 128 + SIGKILL)
    }

    @Test("A service that returns by itself gives its exit code")
    func finishes() async throws {
        #expect(await (try start("finish")).wait() == ExitCode.partial.rawValue)
    }

    @Test("R28: a standard error that is blocked or has no reader does not stop the process", arguments: [true, false])
    func unreadStandardError(hasReader: Bool) async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        if !hasReader { close(ends[0]) }
        let child = try start(
            "chatter", environment: ["PROBE_FILE": "\(folder.path)/status"], error: .descriptor(ends[1]))
        close(ends[1])
        // Nothing reads the pipe.
        try await waitFor("done", in: "status")
        child.send(SIGTERM)
        #expect(await child.wait() == 0)
        if hasReader { close(ends[0]) }
    }

    @Test("R28: closed standard streams become /dev/null, so that no socket reuses them")
    func closedStandardStreams() async throws {
        let child = try sh("exec \(probe) streams 0<&- 1>&- 2>&-", environment: ["PROBE_FILE": "\(folder.path)/status"])
        #expect(await child.wait() == 0)
        #expect(folder.read("status") == "/dev/null /dev/null /dev/null")
    }

    @Test("systemd is notified of READY and STOPPING, by path and by abstract name", arguments: [false, true])
    func notifications(isAbstract: Bool) async throws {
        let name = isAbstract ? "@platform-\(UUID().uuidString)" : "\(folder.path)/s"
        let listener = try #require(NotifySocket(name))
        let child = try start("graceful", environment: ["NOTIFY_SOCKET": name])
        try await waitFor("ready", in: "err")
        #expect(listener.receive() == "READY=1")
        child.send(SIGTERM)
        #expect(await child.wait() == 0)
        #expect(listener.receive() == "STOPPING=1")
    }

    @Test("A socket that systemd does not read is passed over")
    func unreadNotifications() {
        ServiceNotifier(environment: ["NOTIFY_SOCKET": "/nowhere/at/all"]).ready()
        ServiceNotifier(environment: ["NOTIFY_SOCKET": String(repeating: "x", count: 200)]).ready()
    }

    @Test("A child gets its own session, directory and environment, and no descriptor of ours")
    func child() async throws {
        let inheritable = dup(STDIN_FILENO)
        defer { close(inheritable) }
        let script = "pwd; echo \"$NAME\"; ls /proc/self/fd | wc -l; cat; cut -d' ' -f1,6 /proc/$$/stat; echo e >&2"
        let child = try sh(script, environment: ["NAME": "a b", "PATH": "/usr/bin:/bin"], directory: folder.path)
        #expect(await child.wait() == 0)
        let lines = try #require(folder.read("out")).split(separator: "\n").map(String.init)
        #expect(lines[0] == folder.path)
        #expect(lines[1] == "a b")
        // Standard input, output, error, and the descriptor with which ls reads the list.
        #expect(Int(lines[2].filter { $0 != " " }) == 4)
        #expect(lines[3] == "\(child.processID) \(child.processID)")
        #expect(folder.read("err") == "e\n")
    }

    @Test("A child has default signal handling, though ours are blocked and SIGPIPE is ignored")
    func childSignals() async throws {
        csystem_ignore_broken_pipes()
        let child = try sh("kill -PIPE $$; echo survived")
        #expect(await child.wait() == 128 + SIGPIPE)
        #expect(folder.read("out") == "")
    }

    @Test("Exit codes follow the shell: its own, or 128 plus the signal")
    func exitCodes() async throws {
        #expect(await (try sh("exit 7")).wait() == 7)
        let child = try sh("kill -KILL $$")
        #expect(await child.wait() == 137)
        #expect(!child.isRunning)
        #expect(await child.wait() == 137)
        child.send(SIGTERM)
    }

    @Test("A child that ignores SIGTERM is killed, with its own children")
    func stop() async throws {
        let child = try sh("trap '' TERM; sleep 1000 & echo $!; wait; while :; do sleep 1; done")
        try await waitFor("\n", in: "out")
        #expect(child.isRunning)
        #expect(child.stop(grace: .milliseconds(50)) == 137)
        let grandchild = try #require(pid_t((folder.read("out") ?? "").filter(\.isNumber)))
        await until("the grandchild has ended") { isGone(grandchild) }
    }

    /// Gone, or a zombie that was not reaped yet.
    private func isGone(_ process: pid_t) -> Bool {
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return true }
        return data.isEmpty || String(decoding: data, as: UTF8.self).contains(") Z ")
    }

    @Test("A program that can't be started is an error with the reason")
    func cannotStart() {
        #expect(throws: ChildProcess.SpawnError.self) {
            _ = try ChildProcess("/nowhere/program", environment: [:])
        }
        #expect(throws: ChildProcess.SpawnError.self) {
            _ = try ChildProcess("/bin/true", environment: [:], output: .file("/nowhere/file"))
        }
        #expect(throws: ChildProcess.SpawnError.self) {
            _ = try ChildProcess("/bin/true", environment: [:], directory: "/nowhere")
        }
        do {
            _ = try ChildProcess("/nowhere/program", environment: [:])
        } catch {
            #expect("\(error)" == "/nowhere/program can't be started: No such file or directory.")
        }
    }

    @Test("A child reads from the given descriptor, and only we may read the file it writes")
    func childInput() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let child = try sh(
            "cat; stat -c %a \"$F\"", environment: ["F": "\(folder.path)/out", "PATH": "/usr/bin:/bin"],
            input: .descriptor(ends[0]))
        close(ends[0])
        #expect(write(ends[1], "hello\n", 6) == 6)
        close(ends[1])
        #expect(await child.wait() == 0)
        #expect(folder.read("out") == "hello\n600\n")
    }

    @Test("Every listener is notified of a shutdown once, also if it registers later")
    func shutdown() async {
        let shutdown = Shutdown()
        let early = Task { await shutdown.wait() }
        #expect(!shutdown.isRequested)
        shutdown.request()
        shutdown.request()
        await early.value
        await shutdown.wait()
        #expect(shutdown.isRequested)
    }

    @Test("The limit of open files is raised to what the system allows")
    func descriptorLimit() async throws {
        let allowed = try sh("ulimit -H -n")
        #expect(await allowed.wait() == 0)
        let hard = Int((folder.read("out") ?? "").filter(\.isNumber))
        #expect(DescriptorLimit.raise() == hard ?? DescriptorLimit.raise())
    }
}
