// An input that waits for a gathered statement, with its caller.

/// Of which types they are, its statement knows; what moves calls about needs no types, which would be looked up anew for each of them.
class BatchedCall: @unchecked Sendable {
    /// Monotonic milliseconds until which the call waits for a connection.
    final var limit: Int64 = .max

    /// Answers the caller, once.
    func fail(_ error: any Error) {}
}
