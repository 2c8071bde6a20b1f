// Tests that work is canceled before it commits something, or not at all.
import EventLoop
import Synchronization
import Testing

@Suite("Cancellation until the first commit")
struct CancelUntilCommitTests {
    /// Commits `commits` times, once `gate` is finished for each.
    private func start(
        _ changes: CancelUntilCommit?, _ gates: [AsyncStream<Void>], _ commits: CommitCount
    ) -> Task<Void, Never> {
        Task {
            await CancelUntilCommit.$current.withValue(changes) {
                for gate in gates {
                    for await _ in gate {}
                    guard (try? CancelUntilCommit.willCommit()) != nil else { return }
                    commits.add()
                }
            }
        }
    }

    @Test("A task that is canceled before its first commit commits nothing")
    func before() async {
        let gate = AsyncStream.makeStream(of: Void.self)
        let (changes, commits) = (CancelUntilCommit(), CommitCount())
        let task = start(changes, [gate.stream], commits)
        changes.cancel(task)
        await task.value
        #expect(task.isCancelled && commits.count == 0)
    }

    @Test("A task that has committed once is not canceled any more, except what only reads", arguments: [false, true])
    func after(isReading: Bool) async {
        let gates = (0..<2).map { _ in AsyncStream.makeStream(of: Void.self) }
        let (changes, commits) = (CancelUntilCommit(isReading: isReading), CommitCount())
        let task = start(changes, gates.map(\.stream), commits)
        gates[0].continuation.finish()
        while commits.count == 0 { await Task.yield() }
        changes.cancel(task)
        gates[1].continuation.finish()
        await task.value
        #expect(task.isCancelled == isReading && commits.count == (isReading ? 1 : 2))
    }

    @Test("Tasks of no request commit by their own rules")
    func others() async {
        let gate = AsyncStream.makeStream(of: Void.self)
        let commits = CommitCount()
        let task = start(nil, [gate.stream], commits)
        task.cancel()
        await task.value
        #expect(commits.count == 1)
    }
}

private final class CommitCount: Sendable {
    private let number = Atomic(0)
    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}
