// Runs one statement for many callers.
import EventLoop

/// Inputs that arrive while the connections are busy go together in the next statement. Nobody waits for a timer: a
/// free connection takes all that is queued, and a lone caller has a statement, and so a commit, of its own.
///
/// A caller is answered when the statement with its input has answered, and so has committed. When a statement for several
/// inputs is refused, each of them is tried by itself, so that one bad row fails its own caller only. After a lost connection
/// every caller of the statement gets an unavailable error and does not know whether its row was written.
package final class BatchedStatement<Input: Sendable, Output: Sendable>: Sendable {
    /// Where inputs gather.
    package enum Spread: Sendable {
        /// In one place for all loops: for writes, where a commit costs more than the way to another thread.
        case together
        /// On each loop by itself: for reads.
        case byLoop
    }

    private let lanes: [PipelinePool]

    /// - Parameters:
    ///   - connections: for each place where inputs gather; more than the first are used where many inputs wait.
    ///   - limit: inputs of one statement.
    ///   - statement: one statement for one or more inputs, best with the same text for any number (`unnest`).
    ///   - outputs: one result for each input, in their order; the rows come in no promised order.
    package init(
        client: PostgresClient, spread: Spread, connections: Int, limit: Int = 256,
        statement: @escaping @Sendable ([Input]) -> SQL,
        outputs: @escaping @Sendable ([Row], [Input]) throws -> [Result<Output, any Error>]
    ) {
        var settings = client.settings
        settings.keepsPlans = true
        let kept = settings
        let work = BatchedWork(limit: limit, statement: Self.asking(statement), answer: Self.answering(outputs))
        let loops = spread == .together ? [client.loops[0]] : client.loops
        lanes = loops.map { loop in
            let lane = PipelinePool(loop: loop, settings: kept, connections: connections, work: work)
            loop.execute { lane.start() }
            client.closeWithClient(loop) { lane.close() }
            return lane
        }
    }

    /// Runs the statement for one input and gives what became of it.
    package func callAsFunction(_ input: Input) async throws -> Output {
        let current = EventLoop.current
        let lane = lanes.first { $0.loop === current } ?? lanes[0]
        return try await withUnsafeThrowingContinuation { continuation in
            let call = TypedCall(input, continuation)
            lane.loop.perform { lane.add(call) }
        }
    }

    private static func asking(_ statement: @escaping @Sendable ([Input]) -> SQL) -> @Sendable ([BatchedCall]) -> SQL {
        { calls in statement(inputs(of: calls)) }
    }

    private static func answering(
        _ outputs: @escaping @Sendable ([Row], [Input]) throws -> [Result<Output, any Error>]
    ) -> @Sendable (Exchange.Outcome, [BatchedCall]) -> Void {
        { outcome, calls in
            do {
                let results = try outputs(outcome.get().flatMap(\.rows), inputs(of: calls))
                guard results.count == calls.count else {
                    let text = "\(results.count) results for \(calls.count) gathered inputs"
                    throw PostgresError(kind: .server, sqlState: "P0003", message: text)
                }
                for (index, call) in calls.enumerated() { typed(call).continuation.resume(with: results[index]) }
            } catch {
                for call in calls { call.fail(error) }
            }
        }
    }

    private static func inputs(of calls: [BatchedCall]) -> [Input] {
        // A closure, for a key path of a generic type would be made anew each time.
        calls.map { typed($0).input }
    }

    /// Only calls of this statement come to its lanes.
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
