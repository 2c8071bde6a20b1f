// The metrics of background tasks, as lines of Prometheus text.
import Domain
import Platform
import Store
import Tasks

struct BackgroundMetrics: Sendable {
    let database: Database
    let finished = FinishedTasks()
    let log: Logger

    /// How many are waiting and have failed, in the database, and how many this process finished. Without the database only
    /// the latter.
    func lines() async -> [String] {
        var lines: [String] = []
        do {
            let counts = try await database.backgroundTasks.counts()
            lines += Self.family("waiting", "gauge", counts.map { (Self.labels($0.kind), $0.waiting) })
            lines += Self.family("failed", "gauge", counts.map { (Self.labels($0.kind), $0.failed) })
            lines += Self.family(
                "oldest_seconds", "gauge", counts.map { (Self.labels($0.kind), Int($0.oldestSeconds ?? 0)) })
        } catch {
            log.warning("background tasks can't be counted", ["error": .text(String(describing: error))])
        }
        let states: [BackgroundTaskState] = [.done, .failed, .canceled]
        return lines
            + Self.family(
                "finished_total", "counter",
                BackgroundTaskKind.allCases.flatMap { kind in
                    states.map { ("\(Self.labels(kind)),result=\"\($0.rawValue)\"", finished[kind, $0]) }
                })
    }

    private static func labels(_ kind: BackgroundTaskKind) -> String { "kind=\"\(kind.rawValue)\"" }

    private static func family(_ name: String, _ type: String, _ values: [(labels: String, value: Int)]) -> [String] {
        ["# TYPE vitrine_background_\(name) \(type)"]
            + values.map { "vitrine_background_\(name){\($0.labels)} \($0.value)" }
    }
}
