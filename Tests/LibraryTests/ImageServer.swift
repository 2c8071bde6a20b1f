// A local server of images, for external images.
import Fetch
import HTTP
import Synchronization
import TestSupport

final class ImageServer: Sendable {
    private let state = Mutex<[String: @Sendable () -> Response]>([:])
    private let asked = Mutex<[String]>([])
    private let server = LocalServer("images")

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
        try server.start { [self] request in
            asked.withLock { $0.append(request.path) }
            return state.withLock { $0[request.path] }?() ?? Response.status(404)
        }
    }

    func stop() async {
        await server.stop()
    }
}
