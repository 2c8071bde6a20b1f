// A response of a read that is kept in memory, with its compressed forms.
import Domain
import HTTP
import Synchronization

final class KeptResponse: Sendable {
    private struct State: Sendable {
        var publication: TaggedNumber
        /// Empty if compression saves nothing.
        var encoded: [ContentCoding: [UInt8]] = [:]
    }

    /// Larger bodies are not kept, in bytes.
    static let maxLength = 256 << 10
    /// What the objects and dictionaries of one response take besides its body, in bytes.
    private static let overhead = 640

    let keeping: APIEndpoint.Keeping
    /// The key of the row that it depends on, if it depends on one.
    let rowKey: String?
    let epoch: Int
    private let target: String
    private let body: [UInt8]
    private let type: String
    private let link: String?
    private let isCompressible: Bool
    private let state: Mutex<State>

    /// Nil for a response that is not kept.
    init?(
        _ response: Response, to target: String, _ keeping: APIEndpoint.Keeping, rowKey: String?,
        at position: ResponseCache.Position
    ) {
        guard response.status == 200, case .bytes(let body) = response.body, body.count <= Self.maxLength,
            let type = response.headers["Content-Type"]
        else { return nil }
        self.keeping = keeping
        self.rowKey = rowKey
        self.target = target
        self.body = body
        self.type = type
        epoch = position.epoch
        link = response.headers["Link"]
        isCompressible = body.count >= ContentCoding.leastLength && ContentCoding.compresses(type)
        state = Mutex(State(publication: position.publication))
    }

    /// In bytes, without compressed forms.
    var cost: Int { body.count + 2 * target.utf8.count + Self.overhead }

    /// The publication up to which it is known to be current.
    var publication: TaggedNumber {
        get { state.withLock { $0.publication } }
        set { state.withLock { $0.publication = newValue } }
    }

    /// The response in the coding that the client prefers, or as it is while that form is not kept.
    func response(to request: Request, _ headers: Headers, _ tag: String) -> Response {
        var response = Response(request, headers, type: type, body: body)
        if let link { response.headers.append("Link", link) }
        response.headers.append("ETag", tag)
        if let coding = coding(for: request), let encoded = encoded(coding), !encoded.isEmpty {
            response.setBody(encoded, coding)
        }
        return response
    }

    /// Whether the form that the client prefers is kept.
    func isReady(for request: Request) -> Bool { coding(for: request).map { encoded($0) != nil } ?? true }

    private func encoded(_ coding: ContentCoding) -> [UInt8]? { state.withLock { $0.encoded[coding] } }

    /// Compresses the body as the client prefers, and returns the additional bytes.
    func compress(for request: Request, _ bodies: CompressedBodies) async -> Int {
        guard let coding = coding(for: request), encoded(coding) == nil else { return 0 }
        var compressed = await bodies.compress(body, coding, for: request)
        // Only short ones are surely no fewer bytes; others may be compressed later.
        if compressed == nil, body.count <= CompressedBodies.maxOnLoop { compressed = [] }
        guard let compressed else { return 0 }
        return state.withLock { state in
            guard state.encoded[coding] == nil else { return 0 }
            state.encoded[coding] = compressed
            return compressed.count
        }
    }

    private func coding(for request: Request) -> ContentCoding? {
        isCompressible ? ContentCoding.preferred(by: request.headers["Accept-Encoding"]) : nil
    }
}
