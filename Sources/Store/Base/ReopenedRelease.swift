// A scheduled release that a change has opened again, and those of one request or command.
import Domain
import Localization
import Postgres
import Synchronization

package struct ReopenedRelease: Sendable {
    package let number: Int64
    /// `2026-11-20 18:00`
    package let local: String
    package let zone: String

    init(row: Row) throws {
        number = try row("number")
        local = try row("local")
        zone = try row("zone")
    }

    package var message: String {
        tr("Release \(number) was scheduled for \(local) \(zone). It is open again: check and schedule it.")
    }
}

/// Any action on content can change a release, so its request or command collects them, whatever the action was,
/// and says it.
package final class ReopenedReleases: Sendable {
    @TaskLocal package static var current: ReopenedReleases?

    /// More are not named.
    private static let shown = 3

    private let found = Mutex<[ReopenedRelease]>([])

    package init() {}

    package var messages: [String] { found.withLock { $0.prefix(Self.shown).map(\.message) } }

    /// A transaction that is repeated opens the same ones again.
    func add(_ release: ReopenedRelease) {
        found.withLock { found in
            if !found.contains(where: { $0.number == release.number }) { found.append(release) }
        }
    }

    /// Runs `body`, a transaction or a part of one; if it throws, what it has opened was rolled back and is forgotten.
    static func collecting<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard let reopened = current else { return try await body() }
        let before = reopened.found.withLock { $0.count }
        do {
            return try await body()
        } catch {
            reopened.found.withLock { $0.removeLast(max(0, $0.count - before)) }
            throw error
        }
    }
}
