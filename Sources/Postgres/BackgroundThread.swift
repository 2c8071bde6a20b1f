// Runs one blocking call (a name lookup, a cancel request) off the event loops.
import Glibc

enum BackgroundThread {
    /// Runs `body` on a thread of its own; false when the system has no thread left.
    static func run(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(BlockingWork(body: body))
        let result = pthread_create(
            &thread, nil,
            { pointer in
                if let pointer { Unmanaged<BlockingWork>.fromOpaque(pointer).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}

private final class BlockingWork: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) { self.body = body }
}
