// Lets callers that need the same value at the same time share one computation.
import Synchronization

final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Waiter = CheckedContinuation<Value?, Never>

    /// The callers that wait, for each key whose value is being computed.
    let waiters = Mutex<[Key: [Waiter]]>([:])

    /// The first caller computes; the others wait and get its value. Nil if it has none: they may compute it themselves.
    /// An error is thrown to the first caller only, because it may be its own, such as a client that has left.
    func value(_ key: Key, _ compute: () async throws -> Value?) async throws -> Value? {
        let isFirst = waiters.withLock { waiters in
            if waiters[key] != nil { return false }
            waiters[key] = []
            return true
        }
        guard isFirst else { return await wait(for: key) }
        do {
            let value = try await compute()
            finish(key, value)
            return value
        } catch {
            finish(key, nil)
            throw error
        }
    }

    private func wait(for key: Key) async -> Value? {
        await withCheckedContinuation { waiter in
            let isWaiting = waiters.withLock { waiters in
                guard waiters[key] != nil else { return false }
                waiters[key]?.append(waiter)
                return true
            }
            if !isWaiting { waiter.resume(returning: nil) }
        }
    }

    private func finish(_ key: Key, _ value: Value?) {
        let finished = waiters.withLock { $0.removeValue(forKey: key) ?? [] }
        for waiter in finished { waiter.resume(returning: value) }
    }
}
