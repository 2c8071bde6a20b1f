// Renders what takes long in a page away from the event loop.
import Domain
import HTTP

extension AdminRequest {
    /// Runs work that grows with the texts of these contents, such as sanitizing and comparing them: among workers, in turns with
    /// other callers, if they are long. Throws `Failure.unavailable` if too much of it waits.
    func rendering<Result: Sendable>(
        _ contents: [Content], typed: [FormFields] = [], _ work: @escaping @Sendable () -> Result
    ) async throws -> Result {
        // All that was typed counts, also what is not sent.
        let texts = typed.flatMap(\.fields).map { JSONValue.string($0.value) }
        return try await context.rules.rendering(contents + [Content(fields: ["typed": .array(texts)])], work)
    }
}
