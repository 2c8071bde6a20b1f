// Does the same for several values at once.

/// Returns what each gave, in the order in which they ended. The first error cancels the others.
@discardableResult
package func concurrently<Values: Sequence & Sendable, Result: Sendable>(
    _ values: Values, _ body: @escaping @Sendable (Values.Element) async throws -> Result
) async throws -> [Result] where Values.Element: Sendable {
    try await withThrowingTaskGroup(of: Result.self) { group in
        for value in values { group.addTask { try await body(value) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
