// What a handler found in the read tables.
import Domain
import Store

enum ReadResponse: Sendable {
    /// One stored document, as it is.
    case document([UInt8])
    /// `{"data":[…],"next":…}`
    case page(DocumentPage)
    /// The same, with more members at its end, such as `,"gone":[]`.
    case pageWith(DocumentPage, String)
    /// Something else than JSON, as it is.
    case bytes([UInt8], type: String)
    /// Another address, for ever.
    case moved(String)

    /// What to say of an address that nothing was found at: where it has moved to, that it is gone, or that it never
    /// was. `path` is where things of this kind are, with a slash at the end.
    static func elsewhere(
        _ kind: String, _ address: IDOrSlug, in reads: ReadStores, path: String, suffix: String = ""
    ) async throws -> ReadResponse {
        guard let finding = try await reads.addresses.find(kind, address), finding.kind == kind else {
            throw Failure.missing(kind)
        }
        switch finding.state {
        case .live: throw Failure.missing(kind)
        case .moved: return .moved(path + PathText.segment(finding.slug ?? "") + suffix)
        case .gone: throw Problem.gone(finding)
        }
    }

    /// A page of what belongs to something. Where it is empty, that something may not exist: then what `elsewhere`
    /// says.
    static func members(
        _ page: DocumentPage, of kind: String, _ address: IDOrSlug, in reads: ReadStores, path: String,
        suffix: String
    ) async throws -> ReadResponse {
        guard page.count == 0 else { return .page(page) }
        let finding = try await reads.addresses.find(kind, address)
        if let finding, finding.kind == kind, finding.state == .live { return .page(page) }
        return try await elsewhere(kind, address, in: reads, path: path, suffix: suffix)
    }
}
