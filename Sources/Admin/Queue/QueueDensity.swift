// How many rows fit on a screen, as a choice of the browser.
import Domain
import HTTP

enum QueueDensity {
    private static let cookie = "__Host-vitrine_density"

    static func isCompact(_ request: AdminRequest) -> Bool { request.request.cookies[cookie] == "compact" }

    /// The form that changes it returns to this list.
    static func url(isCompact: Bool, _ query: QueueQuery) -> String {
        var fields = (try? FormFields(urlEncoded: query.queryString().utf8)) ?? FormFields()
        fields.append("density", isCompact ? "compact" : "comfortable")
        return "\(AdminURL.queueDensity())?\(fields.urlEncoded)"
    }

    static func choose(_ request: AdminRequest) async throws -> Response {
        let isCompact = request.query.first("density") == "compact"
        var response = request.redirect(to: QueueQuery(request.query).url(AdminURL.queue()))
        let value = isCompact ? "compact" : "comfortable"
        if let cookie = Cookie(name: cookie, value: value, maxAge: 31_536_000) { response.setCookie(cookie) }
        return response
    }
}
