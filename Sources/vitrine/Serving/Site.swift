// Dispatches each request to the API, the admin pages, media files or the operational endpoints.
import API
import Admin
import Domain
import HTTP

struct Site: Sendable {
    /// Nil in a delivery process.
    let admin: AdminSite?
    let api: APISite
    let media: MediaResponses
    let health: Health
    /// Nil in a delivery process.
    let wellKnown: WellKnown?

    func respond(_ request: Request) async -> Response {
        health.count(request)
        let response: Response
        if let file = MediaResponses.path(request.path) {
            response = await media.respond(request, file)
        } else if let found = wellKnown?.respond(request) {
            response = found
        } else {
            switch request.path {
            case "/healthz", "/readyz", "/metrics": response = await health.respond(request)
            case let path where APISite.isAPI(path): response = await api.respond(request)
            default: response = await admin?.respond(request) ?? api.missing(request)
            }
        }
        health.count(response)
        return response
    }

    /// A response that needs no database, for `ServerConfiguration`.
    func fastPath(_ request: Request) -> Response? {
        guard let response = api.fastPath(request) else { return nil }
        health.count(request)
        health.count(response)
        return response
    }

    /// The limit of a body: at most `maxBytes`, or `maxImageBytes` plus the limit of forms for uploads of images. What is
    /// typed into a form has a limit of its own, so that it is saved even if the form itself is too large. Of forms for
    /// strangers only those for content may be large.
    func bodyLimit(_ method: String, _ path: String, maxBytes: Int, maxImageBytes: Int) -> Int {
        let hasImage = APISite.takesImage(method, path) || (admin?.takesImage(method, path) ?? false)
        if hasImage { return maxImageBytes + AdminSite.bodyLimit }
        if admin?.takesDraft(method, path) ?? false { return AdminSite.draftLimit }
        if admin?.takesLittle(method, path) ?? false { return min(maxBytes, AdminSite.admittedLength) }
        return min(maxBytes, APISite.isAPI(path) ? APISite.bodyLimit(method, path) : AdminSite.bodyLimit)
    }

    /// The limit of what is typed into a form, with or without images.
    func formLimit(_ method: String, _ path: String) -> Int {
        admin?.takesDraft(method, path) ?? false ? AdminSite.draftLimit : AdminSite.bodyLimit
    }

    /// Whether a body is read only if its sender may send a large one.
    static func admitsFirst(_ method: String, _ path: String, _ length: Int) -> Bool {
        length > (APISite.isAPI(path) ? APISite.admittedLength : AdminSite.admittedLength)
    }

    /// Whether the body may be read.
    func admission(_ head: Request) async -> Admission {
        APISite.isAPI(head.path) ? await api.admission(head) : await admin?.admission(head) ?? .unknown
    }

    /// The error response for a request that HTTP itself refuses, as the API or the admin pages format it.
    func refusal(_ status: Int, _ code: String, _ message: String, _ request: Request?) -> Response {
        if let request, let admin, !APISite.isAPI(request.path) { return admin.refusal(status, message, request) }
        return api.refusal(status, code, message, request)
    }
}
