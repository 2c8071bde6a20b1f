// An HTTP receiver on this machine: records deliveries and responds as the test says.
import HTTP
import Platform
import Synchronization
import TestSupport

final class Receiver: Sendable {
    struct Delivery: Sendable {
        let id: String
        let timestamp: String
        let signatures: [String]
        let body: String

        /// Whether some signature is that of this secret (`whsec_…`).
        func isSigned(with secret: String) -> Bool {
            guard let key = Base64.decode(String(secret.dropFirst("whsec_".count))) else { return false }
            let message = Array("\(id).\(timestamp).\(body)".utf8)
            return signatures.contains { signature in
                guard signature.hasPrefix("v1,"), let code = Base64.decode(String(signature.dropFirst(3))) else {
                    return false
                }
                return HMAC.isValid(code, key: key, message: message)
            }
        }
    }

    private struct State {
        var taken: [Delivery] = []
        var refused: [Delivery] = []
        var answer: @Sendable (Delivery) -> Response = { _ in Response.text("thanks") }
    }

    private let state = Mutex(State())
    private let server = LocalServer("receiver")

    /// What was answered with 2xx, in the order of arrival.
    var taken: [Delivery] { state.withLock { $0.taken } }
    var refused: [Delivery] { state.withLock { $0.refused } }

    func answer(_ answer: @escaping @Sendable (Delivery) -> Response) {
        state.withLock { $0.answer = answer }
    }

    /// The port it listens on.
    func start() throws -> Int {
        try server.start { [self] request in
            let delivery = Delivery(
                id: request.headers["webhook-id"] ?? "", timestamp: request.headers["webhook-timestamp"] ?? "",
                signatures: (request.headers["webhook-signature"] ?? "").split(separator: " ").map(String.init),
                body: String(decoding: request.body.bytes, as: UTF8.self))
            return state.withLock { state in
                let response = state.answer(delivery)
                if (200...299).contains(response.status) {
                    state.taken.append(delivery)
                } else {
                    state.refused.append(delivery)
                }
                return response
            }
        }
    }

    func stop() async {
        await server.stop()
    }
}
