// Runs one statement for many callers.
import EventLoop

/// Inputs that arrive while the connections are busy share the next statement. No timer is involved: a
/// free connection takes everything that is queued, and a single caller gets its own statement and commit.
///
/// A caller is resumed when the statement with its input has completed, and so has committed. When a statement for
/// several
/// inputs is refused, each is retried alone, so that a bad row fails only its own caller. After a lost connection
/// every caller of the statement gets an unavailable error and does not know whether its row was written.
package final class BatchedStatement<Input: Sendable, Output: Sendable>: Sendable {
    /// Where inputs are collected.
    package enum Spread: Sendable {
        /// Once for all loops: for writes, where a commit costs more than a thread hop.
        case together
        /// Per loop: for reads.
        case byLoop
    }

    private let lanes: [PipelinePool]
    private let isWrite: Bool

    /// - Parameters:
    ///   - connections: per collection point; more than the first are used only while many inputs wait.
    ///   - limit: the most inputs of one statement.
    ///   - statement: one statement for one or more inputs, best with the same text for any number (`unnest`).
    ///   - outputs: one result per input, in their order; the order of the rows is undefined.
    package init(
        client: PostgresClient, spread: Spread, connections: Int, limit: Int = 256,
        statement: @escaping @Sendable ([Input]) -> SQL,
        outputs: @escaping @Sendable ([Row], [Input]) throws -> [Result<Output, any Error>]
    ) {
        isWrite = spread == .together
        var settings = client.settings
        settings.keepsPlans = true
        let kept = settings
        let work = BatchedWork(limit: limit, statement: Self.batching(statement), resume: Self.resuming(outputs))
        let loops = spread == .together ? [client.loops[0]] : client.loops
        lanes = loops.map { loop in
            let lane = PipelinePool(loop: loop, settings: kept, connections: connections, work: work)
            loop.execute { lane.start() }
            client.closeWithClient(loop) { lane.close() }
            return lane
        }
    }

    /// Runs the statement for one input and returns its result.
    package func callAsFunction(_ input: Input) async throws -> Output {
        if isWrite { try CancelUntilCommit.willCommit() } else { try CancelUntilCommit.checkCancellation() }
        let current = EventLoop.current
        let lane = lanes.first { $0.loop === current } ?? lanes[0]
        return try await withUnsafeThrowingContinuation { continuation in
            let call = TypedCall(input, continuation)
            lane.loop.perform { lane.add(call) }
        }
    }

    private static func batching(_ statement: @escaping @Sendable ([Input]) -> SQL) -> @Sendable ([BatchedCall]) -> SQL
    {
        { calls in statement(inputs(of: calls)) }
    }

    private static func resuming(
        _ outputs: @escaping @Sendable ([Row], [Input]) throws -> [Result<Output, any Error>]
    ) -> @Sendable (Exchange.Outcome, [BatchedCall]) -> Void {
        { outcome, calls in
            do {
                let results = try outputs(outcome.get().flatMap(\.rows), inputs(of: calls))
                guard results.count == calls.count else {
                    let text = "\(results.count) results for \(calls.count) batched inputs"
                    throw PostgresError(kind: .server, sqlState: "P0003", message: text)
                }
                for (index, call) in calls.enumerated() { typed(call).continuation.resume(with: results[index]) }
            } catch {
                for call in calls { call.fail(error) }
            }
        }
    }

    private static func inputs(of calls: [BatchedCall]) -> [Input] {
        // A closure, because a key path of a generic type would be instantiated each time.
        calls.map { typed($0).input }
    }

    /// Its pools receive only calls of this statement.
    private static func typed(_ call: BatchedCall) -> TypedCall<Input, Output> {
        unsafeDowncast(call, to: TypedCall<Input, Output>.self)
    }
}

private final class TypedCall<Input: Sendable, Output: Sendable>: BatchedCall, @unchecked Sendable {
    let input: Input
    let continuation: UnsafeContinuation<Output, any Error>

    init(_ input: Input, _ continuation: UnsafeContinuation<Output, any Error>) {
        self.input = input
        self.continuation = continuation
    }

    override func fail(_ error: any Error) { continuation.resume(throwing: error) }
}
