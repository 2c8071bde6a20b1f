// Waits in tests for a condition instead of for a time.

/// Whether the condition holds within the limit; expectations report when it doesn't.
@discardableResult
package func until(
    within limit: Duration = .seconds(30), _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < end else { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}
