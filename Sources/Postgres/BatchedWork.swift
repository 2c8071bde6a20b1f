// Turns batched calls into one statement, and its rows into their results.

struct BatchedWork: Sendable {
    /// Calls of one statement.
    let limit: Int
    let statement: @Sendable ([BatchedCall]) -> SQL
    /// Resumes every call, on success and on failure.
    let resume: @Sendable (Exchange.Outcome, [BatchedCall]) -> Void
}
