// A small service for tests that send signals, close pipes and observe it from outside.
import CSystem
import FoundationEssentials
import Platform

@main
enum Probe {
    static func main() {
        let signals = Service.begin()
        let log = Logger()
        let task = CommandLine.arguments.dropFirst().first ?? ""
        let work = ProbeTask(log: log, environment: ProcessInfo.processInfo.environment)
        let reload: @Sendable () -> Void = { log.info("reloaded") }
        let code = Service.run(signals, reload: task == "stubborn" ? nil : reload) { shutdown in
            await work.run(task, shutdown)
        }
        log.info("ended", ["code": .integer(Int(code.rawValue))])
        exit(code.rawValue)
    }
}
