// External images: what was fetched into the media library, what failed and why.
import Domain
import HTTP
import Localization
import Operations
import Store

enum ExternalImagePages {
    private static let perPage = 100

    private struct Line: Encodable, Sendable {
        let id: ID<ExternalImage>
        let url: String
        let title: String
        let entry: ID<Entry>?
        let status: String
        let tone: String
        let media: ID<Media>?
        let reason: String?
        let mayRetry: Bool
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
        let states: [Option]
        let isFiltered: Bool
        let isFirst: Bool
        let isFull: Bool
        let next: String?
    }

    private static var states: [(value: String, label: String)] {
        [
            ("", tr("All", context: "list")), ("failed", tr("Failed", context: "list")),
            ("waiting", tr("Waiting", context: "list")), ("stored", tr("Stored", context: "list")),
            ("external", tr("Excluded", context: "list")),
        ]
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let chosen = request.text("state")
        guard states.contains(where: { $0.0 == chosen ?? "" }) else {
            throw Failure.invalid(FieldErrors("/state", "choice", tr("Choose a state of the list.")))
        }
        let images = request.database.externalImages
        let cursor = request.cursor
        let page = try await images.page(state: chosen, cursor: cursor, limit: perPage)
        let mayRetry = request.actor.may(.edit)
        let model = List(
            lines: page.items.map { line($0, mayRetry: mayRetry) },
            states: Option.list(states, chosen: chosen),
            isFiltered: chosen != nil, isFirst: cursor == nil,
            isFull: try await images.usedBytes() >= request.context.library.fetchBudgetBytes,
            next: page.next.map { AdminURL.externalImages(query: ["state": chosen, "cursor": $0]) })
        return try request.page("admin/media/external", model, title: tr("External images"))
    }

    private static func line(_ image: ExternalImageRow, mayRetry: Bool) -> Line {
        let (status, tone) =
            switch image.state {
            case "stored": (tr("Stored", context: "list"), image.lastError == nil ? "ok" : "bad")
            case "failed": (tr("Failed", context: "list"), "bad")
            case "external": (tr("Excluded", context: "list"), "")
            default: (tr("Waiting", context: "list"), "wait")
            }
        return Line(
            id: image.id, url: image.url, title: EntryPages.shown(image.title),
            entry: image.entry, status: status, tone: tone,
            media: image.media, reason: image.lastError,
            mayRetry: mayRetry && image.lastError != nil && image.state != "waiting")
    }

    static func retry(_ request: AdminRequest) async throws -> Response {
        try await request.services.retryExternalImage(try request.id(), by: request.actor)
        return request.redirect(to: AdminURL.externalImages(), Flash(tr("The image will be fetched again.")))
    }
}
