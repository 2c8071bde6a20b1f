// One row of the endpoint table: method, path, access and handler.
import Domain
import HTTP
import Store

/// Scopes as a bit set, because every request checks them.
package struct ScopeSet: OptionSet, Sendable {
    package let rawValue: UInt8

    package static let submit = ScopeSet(rawValue: 1)
    package static let review = ScopeSet(rawValue: 2)
    package static let readGuest = ScopeSet(rawValue: 4)
    package static let readFull = ScopeSet(rawValue: 8)
    package static let report = ScopeSet(rawValue: 16)

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(_ scopes: [Scope]) {
        self = scopes.reduce(into: []) { set, scope in
            switch scope {
            case .submit: set.insert(.submit)
            case .review: set.insert(.review)
            case .report: set.insert(.report)
            case .readGuest: set.insert(.readGuest)
            case .readFull: set.insert(.readFull)
            }
        }
    }

    /// The display names.
    package var names: [String] {
        Scope.allCases.filter { !isDisjoint(with: ScopeSet([$0])) }.map(\.rawValue)
    }
}

/// Who may use an endpoint.
package enum APIAccess: Sendable {
    /// Anyone, without credentials.
    case open
    /// A client with at least one of these scopes.
    case client(ScopeSet)

    package static let submit = APIAccess.client(.submit)
    package static let review = APIAccess.client(.review)
    package static let report = APIAccess.client(.report)
    package static let read = APIAccess.client([.readGuest, .readFull])
    package static let readFull = APIAccess.client(.readFull)
}

/// The representation that a reading endpoint returns.
package enum ReadForm: Sendable {
    /// Previews, for every caller.
    case preview
    /// Full content for a client with full access, unless it requests the preview; the preview for others.
    case either
    /// Content that guests never get.
    case full
    /// Full content with a signed URL, the preview without; no credentials.
    case signed
}

package typealias ActionHandler = @Sendable (APICall) async throws -> Response
package typealias ReadHandler = @Sendable (ReadCall) async throws -> ReadResponse

package final class APIEndpoint: Sendable {
    package static let json = "application/json"
    package static let plainText = "text/plain; charset=utf-8"

    enum Work: Sendable {
        case action(ActionHandler)
        case read(ReadForm, ReadHandler)
    }

    let method: String
    let pattern: String
    let access: APIAccess
    let summary: String
    let query: [QueryParameter]
    let work: Work
    let moments: Moments
    /// Whether a response has many whole documents: such reads take turns.
    let isLarge: Bool
    let keeping: Keeping
    /// The media type of its responses.
    let type: String

    /// Events that change the response by time alone.
    package enum Moments: Sendable {
        case none
        /// Those of the pack with this name: a promotion starts or ends.
        case of(String)
        /// Those of all packs.
        case ofPacks
        /// An event is recorded, up to five seconds after its cause.
        case events
    }

    /// Until when its responses may be kept in memory (`ResponseCache`). They must depend only on the URL, the access
    /// scope and rows of the read tables that one statement reads.
    package enum Keeping: Sendable {
        /// Not at all.
        case never
        /// Until a publication changes a row of these read tables.
        case untilChange([String])
        /// Until a publication changes the row of these read tables whose id is in the path; with a slug, any of their
        /// rows.
        case untilChangeOfRow([String])
    }

    /// Whether its responses are kept. Responses of open endpoints are not, because their handlers count requests, and
    /// neither are responses that time changes.
    var isKept: Bool {
        guard case .client = access, case .none = moments else { return false }
        if case .never = keeping { return false }
        return true
    }

    /// Whether it uses the read tables only.
    var isDelivery: Bool {
        if case .read = work { return true }
        if case .open = access { return true }
        return false
    }

    private init(
        _ method: String, _ pattern: String, _ access: APIAccess, _ summary: String, _ query: [QueryParameter],
        _ work: Work, moments: Moments = .none, keeping: Keeping = .never, type: String = APIEndpoint.json,
        isLarge: Bool = false
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.summary = summary
        self.query = query
        self.work = work
        self.moments = moments
        self.keeping = keeping
        self.type = type
        self.isLarge = isLarge
    }

    package static func get(
        _ pattern: String, _ access: APIAccess, _ summary: String, query: [QueryParameter] = [], type: String = json,
        _ handler: @escaping ActionHandler
    ) -> APIEndpoint {
        APIEndpoint("GET", pattern, access, summary, query, .action(handler), type: type)
    }

    package static func post(
        _ pattern: String, _ access: APIAccess, _ summary: String, _ handler: @escaping ActionHandler
    ) -> APIEndpoint {
        APIEndpoint("POST", pattern, access, summary, [], .action(handler))
    }

    /// A GET of the read tables: with entity tag, 304 and caching. `keeping` is about the memory of the daemon.
    package static func read(
        _ pattern: String, _ access: APIAccess, _ form: ReadForm, _ summary: String, query: [QueryParameter] = [],
        moments: Moments = .none, keeping: Keeping = .never, type: String = json, isLarge: Bool = false,
        _ handler: @escaping ReadHandler
    ) -> APIEndpoint {
        let query = form == .either ? query + [.view] : query
        return APIEndpoint(
            "GET", pattern, access, summary, query, .read(form, handler), moments: moments, keeping: keeping,
            type: type,
            isLarge: isLarge)
    }
}
