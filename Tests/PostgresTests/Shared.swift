// A value that several tasks of a test read and change.
import Synchronization

final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in
            // The mutex needs its value back before the result is returned.
            nonisolated(unsafe) let result = body(&value)
            return result
        }
    }
}
