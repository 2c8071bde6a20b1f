// Finds which of many changes can't be written together with the others, so that one that fails blocks no other.
import Domain
import Store

extension AuditedTransaction {
    /// Thrown to undo an attempt that could be written.
    private struct Written: Error {}

    /// Why items can't be written, found by halves, so that a few among many take few attempts. Nothing stays written.
    /// `reasons` reads an error of some items; nil when it doesn't say which of them it is about.
    package func findRefused<Item: Sendable, Key: Hashable & Sendable, Reason: Sendable>(
        among items: [Item], reasons: (any Error, [Item]) -> [Key: Reason]?, write: ([Item]) async throws -> Void
    ) async throws -> [Key: Reason] {
        do {
            try await attempt {
                try await write(items)
                throw Written()
            }
            return [:]
        } catch is Written {
            return [:]
        } catch {
            if let found = reasons(error, items) { return found }
            guard items.count > 1, let failure = error as? Failure, failure.isAboutOne else { throw error }
            let half = items.count / 2
            let first = try await findRefused(among: Array(items[..<half]), reasons: reasons, write: write)
            let rest = try await findRefused(among: Array(items[half...]), reasons: reasons, write: write)
            return first.merging(rest) { one, _ in one }
        }
    }
}

extension Failure {
    /// Whether it can be about one of several changes, so that the others may go on without it.
    package var isAboutOne: Bool {
        switch self {
        case .invalid, .missing, .forbidden, .refused, .stale: true
        case .conflict(let code, _): code != "busy"
        case .unavailable: false
        }
    }
}
