// Sends each request to the face it is meant for: the API, the admin, or the machine-room addresses.
import API
import Admin
import Domain
import HTTP

struct Site: Sendable {
    /// Nil in a process that only delivers.
    let admin: AdminSite?
    let api: APISite
    let media: MediaResponses
    let health: Health

    func respond(_ request: Request) async -> Response {
        health.count(request)
        let response: Response
        if let file = MediaResponses.path(request.path) {
            response = await media.respond(request, file)
        } else {
            switch request.path {
            case "/healthz", "/readyz", "/metrics": response = await health.answer(request)
            case let path where APISite.isAPI(path): response = await api.respond(request)
            default: response = await admin?.respond(request) ?? api.missing(request)
            }
        }
        health.count(response)
        return response
    }

    /// An answer that needs no waiting, for `ServerConfiguration`.
    func notModifiedFastPath(_ request: Request) -> Response? {
        guard let response = api.notModifiedFastPath(request) else { return nil }
        health.count(request)
        health.count(response)
        return response
    }

    /// Forms may be as large as `most` says, apart from those that bring an image of at most `image` bytes.
    static func bodyLimit(_ method: String, _ path: String, most: Int, image: Int) -> Int {
        let bringsImage = APISite.takesImage(method, path) || AdminSite.takesImage(method, path)
        if bringsImage { return image + AdminSite.bodyLimit }
        return min(most, APISite.isAPI(path) ? APISite.bodyLimit(method, path) : AdminSite.bodyLimit)
    }

    /// Whether a body is so large that its sender must be known before it is read. Text that somebody typed into a form is
    /// read in any case, so that it can be given back when they were signed out meanwhile.
    static func admitsFirst(_ method: String, _ path: String, _ length: Int) -> Bool {
        length > (APISite.isAPI(path) ? APISite.admittedLength : AdminSite.bodyLimit)
    }

    /// Nil where the sender may send the body; else what to answer instead of reading it.
    func admission(_ head: Request) async -> Response? {
        APISite.isAPI(head.path) ? await api.admission(head) : await admin?.admission(head)
    }

    /// What HTTP itself refuses, in the words of the face that was asked.
    func refusal(_ status: Int, _ code: String, _ message: String, _ request: Request?) -> Response {
        if let request, let admin, !APISite.isAPI(request.path) { return admin.refusal(status, message, request) }
        return api.refusal(status, code, message, request)
    }
}
