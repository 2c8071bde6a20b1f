// Renders what takes long in a page away from the event loop.
import Domain

extension AdminRequest {
    /// Runs work that grows with the texts of these contents, such as sanitizing and comparing them: among workers, in turns with
    /// other callers, if they are long. Throws `Failure.unavailable` if too much of it waits.
    func rendering<Result: Sendable>(
        _ contents: [Content], _ work: @escaping @Sendable () -> Result
    ) async throws -> Result {
        try await context.rules.rendering(contents, work)
    }
}
