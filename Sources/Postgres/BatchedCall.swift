// An input that waits for a batched statement, with its caller.

/// Only its statement knows the types of input and output. Code that moves calls around is not generic, which
/// saves looking up type metadata for each call.
class BatchedCall: @unchecked Sendable {
    /// Resumes the caller, once.
    func fail(_ error: any Error) {}
}
