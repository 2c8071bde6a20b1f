// The handler of a request while it runs.
import EventLoop

struct RunningHandler {
    private let task: Task<Void, Never>
    private let changes: CancelUntilCommit

    /// Runs the handler until it waits for the first time. `send` gets its response.
    init(of request: Request, _ loopServer: LoopServer, send: @escaping @Sendable (Response) -> Void) {
        let changes = CancelUntilCommit(isReading: request.method == "GET" || request.isHead)
        task = Task.immediate(executorPreference: loopServer.loop) {
            send(await CancelUntilCommit.$current.withValue(changes) { await loopServer.handler(request) })
        }
        self.changes = changes
    }

    /// The client has left. The response, if there is one, goes nowhere.
    func cancel() { changes.cancel(task) }
}

extension Request {
    /// From now on its handler ends although its client leaves.
    package func runToEnd() { CancelUntilCommit.keep() }
}
