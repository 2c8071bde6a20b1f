// Asks the server to cancel the statement of an abandoned connection.
import CPostgres
import Synchronization

enum CancelRequest {
    private static let running = Atomic<Int>(0)
    /// Concurrent cancel requests; beyond that the server ends statements by its own timeouts.
    private static let limit = 16

    /// Sends the request on its own thread, because libpq blocks until the server has received it.
    static func send(for connection: OpaquePointer) {
        guard let cancel = PQgetCancel(connection) else { return }
        guard running.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
            running.wrappingSubtract(1, ordering: .relaxed)
            PQfreeCancel(cancel)
            return
        }
        let request = UInt(bitPattern: cancel)
        let send: @Sendable () -> Void = {
            defer { running.wrappingSubtract(1, ordering: .relaxed) }
            guard let cancel = OpaquePointer(bitPattern: request) else { return }
            var message = [CChar](repeating: 0, count: 256)
            _ = PQcancel(cancel, &message, Int32(message.count))
            PQfreeCancel(cancel)
        }
        if !BackgroundThread.run(send) {
            running.wrappingSubtract(1, ordering: .relaxed)
            PQfreeCancel(cancel)
        }
    }
}
