// An HTTP server on this machine that stands in for another service.
import EventLoop
import HTTP
import Synchronization

package final class LocalServer: Sendable {
    private let loop: EventLoop
    private let server = Mutex<Server?>(nil)

    package init(_ name: String) { loop = EventLoop(name: name) }

    /// Call once. Returns the port.
    package func start(
        _ configuration: ServerConfiguration = ServerConfiguration(), _ handler: @escaping Handler
    ) throws -> Int {
        loop.start()
        let server = Server(configuration: configuration, loops: [loop], handler: handler)
        try server.start()
        self.server.withLock { $0 = server }
        return server.port
    }

    package func stop() async {
        await server.withLock { $0 }?.drain(grace: .zero)
        loop.stop()
    }
}
