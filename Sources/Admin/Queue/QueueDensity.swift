// How many rows fit on a screen, as a choice of the browser.
import Domain
import HTTP

enum QueueDensity {
    private static let cookie = "__Host-vitrine_density"

    static func isCompact(_ request: AdminRequest) -> Bool { request.request.cookie(cookie) == "compact" }

    /// The link that changes it returns to this list.
    static func url(isCompact: Bool, _ query: QueueQuery) -> String {
        url(isCompact, (try? FormFields(urlEncoded: query.queryString().utf8)) ?? FormFields())
    }

    static func url(isCompact: Bool, _ query: DecidedQuery) -> String {
        var fields = query.fields(cursor: query.cursor)
        fields.append("list", "decided")
        return url(isCompact, fields)
    }

    private static func url(_ isCompact: Bool, _ list: FormFields) -> String {
        var fields = list
        fields.append("density", isCompact ? "compact" : "comfortable")
        return "\(AdminURL.queueDensity())?\(fields.urlEncoded)"
    }

    static func choose(_ request: AdminRequest) async throws -> Response {
        let isCompact = request.query.first("density") == "compact"
        let isDecided = request.query.first("list") == "decided"
        var response = request.redirect(
            to: isDecided ? DecidedQuery(request.query).url() : QueueQuery(request.query).url(AdminURL.queue()))
        let value = isCompact ? "compact" : "comfortable"
        if let cookie = Cookie(name: cookie, value: value, maxAge: 31_536_000) { response.setCookie(cookie) }
        return response
    }
}
