// How calls that were gathered become a statement, and its rows their answers.

struct BatchedWork: Sendable {
    /// Calls of one statement.
    let limit: Int
    let statement: @Sendable ([BatchedCall]) -> SQL
    /// Answers each of the calls, whatever happened.
    let answer: @Sendable (Exchange.Outcome, [BatchedCall]) -> Void
}
