// Serves image files. They never change, so clients may cache them forever.
import Domain
import HTTP
import Operations
import Platform

struct MediaResponses: Sendable {
    let files: any MediaFiles
    let log: Logger

    /// The file of a request path; nil for other paths.
    static func path(_ path: String) -> MediaPath? {
        path.hasPrefix(AdminURL.mediaFiles) ? MediaPath(path.dropFirst(AdminURL.mediaFiles.count)) : nil
    }

    func respond(_ request: Request, _ path: MediaPath) async -> Response {
        guard request.method == "GET" || request.method == "HEAD" else {
            return secured(.status(405)).with("Allow", "GET, HEAD")
        }
        do {
            let tag = ETag(String(path.sha256.prefix(32)))
            guard let content = try await files.content(path) else { return secured(.status(404)) }
            if ConditionalRequest(request.headers).isFresh(etag: tag) { return cacheable(.status(304), path, tag) }
            switch content {
            case .file(let location, let size):
                return cacheable(Response(status: 200, body: .file(path: location, size: size)), path, tag)
            case .bytes(let bytes): return cacheable(Response(status: 200, body: .bytes(bytes)), path, tag)
            }
        } catch {
            log.with(requestID: request.id).warning("image file could not be read", ["error": .text("\(error)")])
            return secured(.status(503)).with("Retry-After", "5")
        }
    }

    private func cacheable(_ response: Response, _ path: MediaPath, _ tag: ETag) -> Response {
        secured(response).with("Content-Type", path.type).with("ETag", tag.text)
            .with("Cache-Control", "public, max-age=31536000, immutable")
    }

    /// Browsers never run a file as a page (S24, S37); pages of other origins may embed it.
    private func secured(_ response: Response) -> Response {
        response.with("X-Content-Type-Options", "nosniff")
            .with("Content-Security-Policy", "default-src 'none'; sandbox")
            .with("Content-Disposition", "inline").with("Referrer-Policy", "no-referrer")
            .with("Cross-Origin-Resource-Policy", "cross-origin")
    }
}
