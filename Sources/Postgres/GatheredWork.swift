// How calls that were gathered become a statement, and its rows their answers.

/// An input that waits, with its caller. Of which types they are, its statement knows; what moves calls about needs no types, which
/// would be looked up anew for each of them.
class GatheredCall: @unchecked Sendable {
    /// Monotonic milliseconds until which the call waits for a connection.
    final var limit: Int64 = .max

    /// Answers the caller, once.
    func fail(_ error: any Error) {}
}

struct GatheredWork: Sendable {
    typealias Asking = @Sendable ([GatheredCall]) -> SQL
    typealias Answering = @Sendable (Exchange.Outcome, [GatheredCall]) -> Void

    /// Calls of one statement.
    let limit: Int
    let statement: Asking
    /// Answers each of the calls, whatever happened.
    let answer: Answering

    init(limit: Int, _ statement: @escaping Asking, _ answer: @escaping Answering) {
        self.limit = limit
        self.statement = statement
        self.answer = answer
    }
}
