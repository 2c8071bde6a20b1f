// The result of a read handler.
import Domain
import Store

package enum ReadResponse: Sendable {
    /// One stored document, unchanged.
    case document([UInt8])
    /// `{"data":[…],"next":…}`
    case page(DocumentPage)
    /// The same, with additional members, such as `,"gone":[]`.
    case pageWith(DocumentPage, String)
    /// A document with the URL that continues it.
    case following([UInt8], next: String)
    /// Other media types, unchanged.
    case bytes([UInt8], type: String)
    /// The same, written on a thread for long work, when the read is no longer in its lane.
    case written(type: String, @Sendable () throws -> [UInt8])
    /// A permanent redirect.
    case moved(String)

    /// Whether it was read with one statement, so that it belongs to one publication. For an empty page others may have
    /// followed, which looked for its parent.
    var isSnapshot: Bool {
        switch self {
        case .document, .following, .bytes, .written: true
        case .page(let page), .pageWith(let page, _): page.count > 0
        case .moved: false
        }
    }

    /// A set of entries by their ids, and the ids without an entry (any more).
    package static func set(_ page: DocumentPage, missing: [ID<Entry>]) -> ReadResponse {
        .pageWith(page, ",\"gone\":[\(missing.map { "\"\($0)\"" }.joined(separator: ","))]")
    }

    /// The result for an id or slug without a live entry: moved, gone, or never public.
    /// `path` is the collection's path, with a trailing slash.
    package static func elsewhere(
        _ kind: String, _ idOrSlug: IDOrSlug, in reads: ReadStores, path: String, suffix: String = ""
    ) async throws -> ReadResponse {
        guard let finding = try await reads.slugs.find(kind, idOrSlug), finding.kind == kind else {
            throw Failure.missing(kind)
        }
        switch finding.state {
        case .live: throw Failure.missing(kind)
        case .moved: return .moved(path + PathText.segment(finding.slug ?? "") + suffix)
        case .gone: throw Problem.gone(finding)
        }
    }

    /// A page of members. If it is empty, the parent may not exist: then the result of
    /// `elsewhere`.
    package static func members(
        _ page: DocumentPage, of kind: String, _ idOrSlug: IDOrSlug, in reads: ReadStores, path: String,
        suffix: String
    ) async throws -> ReadResponse {
        guard page.count == 0 else { return .page(page) }
        let finding = try await reads.slugs.find(kind, idOrSlug)
        if let finding, finding.kind == kind, finding.state == .live { return .page(page) }
        return try await elsewhere(kind, idOrSlug, in: reads, path: path, suffix: suffix)
    }
}
