// A local server of images, for external images.
import EventLoop
import Fetch
import HTTP
import Synchronization
import TestSupport

final class ImageServer: Sendable {
    private let state = Mutex<[String: @Sendable () -> Response]>([:])
    private let asked = Mutex<[String]>([])
    private let loop = EventLoop(name: "images")
    private let server = Mutex<Server?>(nil)

    /// The paths of all requests.
    var requests: [String] { asked.withLock { $0 } }

    func serve(_ path: String, _ response: @escaping @Sendable () -> Response) {
        state.withLock { $0[path] = response }
    }

    func serve(_ path: String, _ bytes: [UInt8], type: String = "image/png") {
        serve(path) { Response.bytes(bytes, type: type) }
    }

    /// Starts the server and returns its port.
    func start() throws -> Int {
        loop.start()
        let server = Server(configuration: ServerConfiguration(), loops: [loop]) { [self] request in
            asked.withLock { $0.append(request.path) }
            return state.withLock { $0[request.path] }?() ?? Response.status(404)
        }
        try server.start()
        self.server.withLock { $0 = server }
        return server.port
    }

    func stop() async {
        await server.withLock { $0 }?.drain(grace: .zero)
        loop.stop()
    }
}
