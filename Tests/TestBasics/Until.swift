// Waits in tests for a condition instead of for a time.
import FoundationEssentials
import Testing

/// How much longer than on an idle machine tests wait: `TEST_PATIENCE` multiplies every limit.
package enum Patience {
    package static let factor = max(1, ProcessInfo.processInfo.environment["TEST_PATIENCE"].flatMap { Int($0) } ?? 1)

    package static func seconds(_ count: Int) -> Duration { .seconds(count * factor) }
}

/// Waits until the condition holds. After the limit, the test fails and says for what it waited.
package func until(
    _ what: String, within seconds: Int = 30, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column, _ condition: () async throws -> Bool
) async rethrows {
    let limit = Patience.seconds(seconds)
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end else {
            Issue.record(
                "Waited \(limit) in vain until \(what).",
                sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
            return
        }
        try? await Task.sleep(for: .milliseconds(5))
    }
}
