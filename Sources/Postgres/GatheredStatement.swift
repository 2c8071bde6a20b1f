// Runs one statement for many callers.
import EventLoop

/// Inputs that arrive while the connections are busy go together in the next statement. Nobody waits for a timer: a
/// free connection takes all that is queued, and a lone caller has a statement, and so a commit, of its own.
///
/// A caller is answered when the statement with its input has answered, and so has committed. When a statement for several
/// inputs is refused, each of them is tried by itself, so that one bad row fails its own caller only. After a lost connection
/// every caller of the statement gets an unavailable error and does not know whether its row was written.
package final class GatheredStatement<Input: Sendable, Output: Sendable>: Sendable {
    /// Where inputs gather.
    package enum Spread: Sendable {
        /// In one place for all loops: for writes, where a commit costs more than the way to another thread.
        case together
        /// On each loop by itself: for reads.
        case byLoop
    }

    private let lanes: [StatementLane<Input, Output>]

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
        let work = GatheredWork(limit: limit, statement: statement, outputs: outputs)
        let loops = spread == .together ? [client.loops[0]] : client.loops
        lanes = loops.map { loop in
            let lane = StatementLane(loop: loop, settings: kept, connections: connections, work: work)
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
            lane.loop.perform { lane.add(input, continuation) }
        }
    }
}

/// How inputs become a statement, and its rows the outputs.
struct GatheredWork<Input: Sendable, Output: Sendable>: Sendable {
    let limit: Int
    let statement: @Sendable ([Input]) -> SQL
    let outputs: @Sendable ([Row], [Input]) throws -> [Result<Output, any Error>]

    /// One result for each input, whatever happened.
    func results(_ outcome: Exchange.Outcome, _ inputs: [Input]) -> [Result<Output, any Error>] {
        do {
            let results = try outputs(outcome.get().flatMap(\.rows), inputs)
            if results.count == inputs.count { return results }
            let text = "\(results.count) results for \(inputs.count) gathered inputs"
            throw PostgresError(kind: .server, sqlState: "P0003", message: text)
        } catch {
            return inputs.map { _ in .failure(error) }
        }
    }
}
