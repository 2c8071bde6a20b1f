// An external classifier on this machine: records questions and answers as the test says.
import Domain
import HTTP
import Platform
import Synchronization
import TestSupport

final class ClassifierService: Sendable {
    struct Question: Sendable {
        let path: String
        let id: String
        let timestamp: String
        let signature: String
        let body: [UInt8]

        var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
        var data: [String: JSONValue] { json["data"]?.objectValue ?? [:] }

        func isSigned(with secret: SigningSecret) -> Bool {
            guard signature.hasPrefix("v1,"), let code = Base64.decode(String(signature.dropFirst(3))) else {
                return false
            }
            return HMAC.isValid(code, key: secret.key, message: Array("\(id).\(timestamp).".utf8) + body)
        }
    }

    private struct State {
        var questions: [Question] = []
        var answer: @Sendable (Question) async -> Response = { _ in json(#"{"score": 0}"#) }
    }

    private let state = Mutex(State())
    private let server = LocalServer("classifier")

    var questions: [Question] { state.withLock { $0.questions } }
    var titles: [String] { questions.map { $0.data["title"]?.stringValue ?? "" } }

    func answer(_ answer: @escaping @Sendable (Question) async -> Response) {
        state.withLock { $0.answer = answer }
    }

    func answer(_ body: String, status: Int = 200) { answer { _ in Self.json(body, status) } }

    static func json(_ body: String, _ status: Int = 200) -> Response { .json(Array(body.utf8), status: status) }

    /// Returns when somebody releases it; requests wait for it as for a service that hangs.
    final class Gate: Sendable {
        private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

        var waiting: Int { state.withLock { $0.waiting.count } }

        func wait() async {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    /// The port it listens on.
    func start() throws -> Int {
        try server.start { [self] request in
            let question = Question(
                path: request.path, id: request.headers["webhook-id"] ?? "",
                timestamp: request.headers["webhook-timestamp"] ?? "",
                signature: request.headers["webhook-signature"] ?? "", body: Array(request.body.bytes))
            let answer = state.withLock { state in
                state.questions.append(question)
                return state.answer
            }
            return await answer(question)
        }
    }

    func stop() async {
        await server.stop()
    }
}
