// The tasks of the probe until it is stopped.
import FoundationEssentials
import Glibc
import Platform

struct ProbeTask {
    let log: Logger
    let environment: [String: String]

    func run(_ task: String, _ shutdown: Shutdown) async -> ExitCode {
        switch task {
        case "graceful":
            let notifier = ServiceNotifier(environment: environment)
            notifier.ready()
            log.info("ready")
            await shutdown.wait()
            notifier.stopping()
            return .ok
        case "stubborn":
            log.info("ready")
            await shutdown.wait()
            log.info("stopping")
            // Longer than a test waits.
            try? await Task.sleep(for: .seconds(60))
            return .ok
        case "files":
            // Writes durable files, each named after its content, until it is killed, or the test that would do so.
            let parent = getppid()
            let folder = environment["FOLDER"] ?? ""
            notifyOutside("writing")
            var number = 0
            while getppid() == parent {
                let bytes = [UInt8](repeating: UInt8(number % 251), count: 200_000 + number)
                number += 1
                try? DurableFile.write(bytes, folder: folder, name: SHA256.hex(bytes))
            }
            return .ok
        case "finish":
            return .partial
        case "chatter":
            // Far more than the capacity of a pipe.
            for number in 0..<5000 {
                log.info("chatter", ["number": .integer(number), "text": "\(String(repeating: "x", count: 100))"])
            }
            notifyOutside("done")
            await shutdown.wait()
            return .ok
        case "streams":
            log.info("nobody reads this")
            let streams = (0...2).map {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            notifyOutside(streams.map { $0 ?? "closed" }.joined(separator: " "))
            return .ok
        default:
            return .usage
        }
    }

    /// Writes to a file, because standard error may be closed.
    private func notifyOutside(_ text: String) {
        guard let path = environment["PROBE_FILE"] else { return }
        try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
