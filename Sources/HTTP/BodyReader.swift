// Collects the body of one request within its limits.

/// Takes a body as it arrives, and gives it back whole.
struct BodyReader {
    private enum Kind {
        case bytes
        case urlEncoded
        case multipart(MultipartReader)
    }

    private let maxFormFields: Int
    private let kind: Kind
    private var bytes: [UInt8] = []
    private(set) var received = 0

    /// Refuses a body whose announced length is beyond the limit, before any of it is read.
    init(_ head: RequestHead, limits: ServerConfiguration) throws(Refusal) {
        let limit = limits.bodyLimit(head.method, head.path)
        maxFormFields = limits.maxFormFields
        if head.contentLength > limit { throw .bodyTooLarge(limit: limit) }
        let formLimit = min(limit, limits.formLimit?(head.method, head.path) ?? limit)
        let type = head.headers["Content-Type"].flatMap { MediaType($0) }
        switch type?.essence {
        case "application/x-www-form-urlencoded":
            if head.contentLength > formLimit { throw .bodyTooLarge(limit: formLimit) }
            kind = .urlEncoded
        case "multipart/form-data":
            kind = .multipart(
                try MultipartReader(boundary: type?[parameter: "boundary"], limits: limits, maxBytes: formLimit))
        default: kind = .bytes
        }
        // An announced length is no promise: room beyond a little is made when the bytes come.
        if case .bytes = kind { bytes.reserveCapacity(min(head.contentLength, 64 * 1024)) }
    }

    mutating func take(_ piece: UnsafeBufferPointer<UInt8>) throws(Refusal) {
        received += piece.count
        if case .multipart(let reader) = kind {
            try reader.take(piece)
        } else {
            bytes.append(contentsOf: piece)
        }
    }

    /// The body, of which nothing more will come.
    func finish() throws(Refusal) -> Body {
        switch kind {
        case .bytes: return bytes.isEmpty ? .none : .bytes(bytes)
        case .multipart(let reader): return .form(try reader.finish())
        case .urlEncoded:
            do {
                return .form(try FormFields(urlEncoded: bytes, limit: maxFormFields))
            } catch {
                throw .form(error, status: 413)
            }
        }
    }
}
