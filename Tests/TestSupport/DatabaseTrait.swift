// Limits how many tests with databases run at once, and drops their databases when they end.
import Synchronization
import Testing

/// Required for every suite that uses `TestDatabase`.
package struct DatabaseTrait: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // The scope of a suite contains its tests; the limit applies to each test.
        guard testCase != nil else { return try await function() }
        await Turnstile.shared.enter()
        let shelf = DatabaseShelf()
        let result: Result<Void, any Error>
        do {
            try await DatabaseShelf.$current.withValue(shelf) { try await function() }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await shelf.clear()
        Turnstile.shared.leave()
        try result.get()
    }
}

extension Trait where Self == DatabaseTrait {
    package static var databases: DatabaseTrait { DatabaseTrait() }
}

/// The databases created by the running test.
final class DatabaseShelf: Sendable {
    @TaskLocal static var current: DatabaseShelf?
    private let databases = Mutex<[TestDatabase]>([])

    func add(_ database: TestDatabase) { databases.withLock { $0.append(database) } }

    func clear() async {
        for database in databases.withLock({ $0 }) { await database.remove() }
    }
}

/// A counting semaphore: tests beyond the limit wait.
final class Turnstile: Sendable {
    static let shared = Turnstile(places: 4)

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(places: Int) { state = Mutex(State(free: places)) }

    func enter() async {
        await withCheckedContinuation { continuation in
            let mayEnter = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if mayEnter { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
