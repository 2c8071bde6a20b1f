// Compresses responses, and keeps the compressed bodies of the current publication: most requests repeat one.
import Synchronization

package final class CompressedBodies: Sendable {
    private struct Key: Hashable {
        let target: String
        let tag: String
        let coding: ContentCoding
    }

    /// In bytes; all are dropped when there are more, and most become useless with the next publication anyway.
    private static let capacity = 8 << 20
    private static let maxKept = 256 << 10
    /// Larger bodies are compressed away from the event loop, in bytes.
    package static let maxOnLoop = 64 << 10

    /// Runs work for a request away from the event loop; nil if too much waits.
    package typealias Runner =
        @Sendable (_ request: Request, _ work: @escaping @Sendable () -> [UInt8]?) async -> [UInt8]?

    private struct Kept {
        var bodies: [Key: [UInt8]] = [:]
        var size = 0
    }

    private let kept = Mutex(Kept())
    private let run: Runner

    package init(_ run: @escaping Runner) {
        self.run = run
    }

    /// Compresses the body if the client accepts it, the media type allows it, and it is long enough (>= 1,024 bytes). A
    /// long one stays as it is when too many are being compressed.
    package func apply(to response: inout Response, for request: Request) async {
        guard case .bytes(let bytes) = response.body, bytes.count >= ContentCoding.leastLength,
            let coding = ContentCoding.preferred(by: request.headers["Accept-Encoding"]),
            !response.headers.contains("Content-Encoding"), ContentCoding.compresses(response.headers["Content-Type"])
        else { return }
        let key = key(of: response, bytes.count, request, coding)
        if let key, let body = kept.withLock({ $0.bodies[key] }) { return response.setBody(body, coding) }
        guard let compressed = await compress(bytes, coding, for: request) else { return }
        if let key { keep(compressed, key) }
        response.setBody(compressed, coding)
    }

    /// The compressed bytes; nil if they are not fewer, and for more than `maxOnLoop` if too much waits.
    package func compress(_ bytes: [UInt8], _ coding: ContentCoding, for request: Request) async -> [UInt8]? {
        bytes.count > Self.maxOnLoop
            ? await run(request) { coding.compress(bytes) } : coding.compress(bytes)
    }

    /// Nil if the body is not kept. Equal strong tags of one target mean equal bytes, and those for guests depend on nothing else.
    private func key(of response: Response, _ length: Int, _ request: Request, _ coding: ContentCoding) -> Key? {
        guard response.status == 200, length <= Self.maxKept, let tag = response.headers["ETag"], !tag.hasPrefix("W/"),
            response.headers["Cache-Control"]?.hasPrefix("public") == true
        else { return nil }
        return Key(target: request.rawTarget, tag: tag, coding: coding)
    }

    private func keep(_ body: [UInt8], _ key: Key) {
        kept.withLock { kept in
            if kept.size + body.count > Self.capacity { kept = Kept() }
            if kept.bodies.updateValue(body, forKey: key) == nil { kept.size += body.count }
        }
    }
}
