// Serves the files of one folder from memory, with validators.
import FoundationEssentials

/// Files that were read at start. What was not there then is not found, so a path cannot lead anywhere else.
package struct StaticFiles: Sendable {
    private struct File: Sendable {
        let bytes: [UInt8]
        let contentType: String
        let etag: ETag
        let lastModified: Int64
        let compressed: [ContentCoding: [UInt8]]
    }

    private var files: [String: File] = [:]
    private let cacheControl: String

    /// Reads the folder and its sub-folders; names that begin with a dot and symbolic links are left out.
    /// Throws the file system's error when the folder or a file cannot be read.
    package init(directory: String, cacheControl: String = "public, max-age=3600") throws {
        self.cacheControl = cacheControl
        try load(directory, prefix: "")
    }

    private mutating func load(_ directory: String, prefix: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) where !name.hasPrefix(".") {
            let path = directory + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            switch attributes[.type] as? FileAttributeType {
            case .typeDirectory: try load(path, prefix: prefix + name + "/")
            case .typeRegular:
                let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
                let modified = attributes[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0)
                let contentType = StaticFiles.contentType(name)
                let codings =
                    bytes.count >= ContentCoding.leastLength && ContentCoding.compresses(contentType)
                    ? ContentCoding.allCases : []
                files[prefix + name] = File(
                    bytes: bytes, contentType: contentType, etag: ETag(StaticFiles.fingerprint(bytes)),
                    lastModified: Int64(modified.timeIntervalSince1970),
                    compressed: Dictionary(
                        uniqueKeysWithValues: codings.compactMap { coding in
                            coding.compress(bytes).map { (coding, $0) }
                        }))
            default: break
            }
        }
    }

    /// The names that can be served, such as `icons/star.svg`, in order.
    package var names: [String] { files.keys.sorted() }

    /// Answers GET or HEAD for a name below the folder; nil when there is no such file.
    package func response(_ name: String, for request: Request) -> Response? {
        guard let file = files[name] else { return nil }
        let isFresh = ConditionalRequest(request.headers).isFresh(etag: file.etag, lastModified: file.lastModified)
        var response = isFresh ? Response(status: 304) : .bytes(file.bytes, type: file.contentType)
        let coding = ContentCoding.preferred(by: request.headers["Accept-Encoding"])
        let compressed = coding.flatMap { file.compressed[$0] }
        response.headers.append("ETag", (compressed == nil ? "" : "W/") + file.etag.text)
        if let coding, let compressed, !isFresh { response.setBody(compressed, coding) }
        if !file.compressed.isEmpty { response.headers.append("Vary", "Accept-Encoding") }
        response.headers.append("Last-Modified", HeaderDate.text(file.lastModified))
        response.headers.append("Cache-Control", cacheControl)
        response.headers.append("X-Content-Type-Options", "nosniff")
        return response
    }

    /// The tag changes with any byte: length and two 64-bit FNV-1a sums, one of them backwards.
    private static func fingerprint(_ bytes: [UInt8]) -> String {
        func sum(_ bytes: some Sequence<UInt8>) -> String {
            String(bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 36)
        }
        return String(bytes.count, radix: 36) + "-" + sum(bytes) + "-" + sum(bytes.reversed())
    }

    private static func contentType(_ name: String) -> String {
        switch name.split(separator: ".").last.map({ $0.lowercased() }) {
        case "css": "text/css; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "html": "text/html; charset=utf-8"
        case "txt": "text/plain; charset=utf-8"
        case "json", "map": "application/json"
        case "webmanifest": "application/manifest+json"
        case "xml": "application/xml"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        case "gif": "image/gif"
        case "webp": "image/webp"
        case "avif": "image/avif"
        case "ico": "image/x-icon"
        case "woff2": "font/woff2"
        case "pdf": "application/pdf"
        default: "application/octet-stream"
        }
    }
}
