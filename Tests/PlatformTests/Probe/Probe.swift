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
        let code = Service.run(signals) { shutdown in
            shutdown.onImmediateExit { log.info("left at once") }
            if task != "stubborn" { shutdown.onHangUp { log.info("hung up") } }
            return await work.run(task, shutdown)
        }
        log.info("ended", ["code": .integer(Int(code.rawValue))])
        exit(code.rawValue)
    }
}
