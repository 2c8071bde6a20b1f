// Sends each request to the face it is meant for: the API, the admin, or the machine-room addresses.
import API
import Admin
import Domain
import HTTP

struct Site: Sendable {
    let admin: AdminSite
    let api: APISite
    let media: MediaAnswers
    let health: Health

    func respond(_ request: Request) async -> Response {
        health.count(request)
        let response: Response
        if let file = MediaAnswers.path(request.path) {
            response = await media.respond(request, file)
        } else {
            switch request.path {
            case "/healthz", "/readyz", "/metrics": response = await health.answer(request)
            case let path where APISite.isAPI(path): response = await api.respond(request)
            default: response = await admin.respond(request)
            }
        }
        health.count(response)
        return response
    }

    /// Forms may be as large as `most` says, apart from those that bring a picture of at most `picture` bytes.
    static func bodyLimit(_ method: String, _ path: String, most: Int, picture: Int) -> Int {
        let bringsPicture = APISite.takesPicture(method, path) || AdminSite.takesPicture(method, path)
        if bringsPicture { return picture + AdminSite.bodyLimit }
        return min(most, APISite.isAPI(path) ? APISite.bodyLimit(method, path) : AdminSite.bodyLimit)
    }

    /// What HTTP itself refuses, in the words of the face that was asked.
    func refusal(_ status: Int, _ code: String, _ message: String, _ request: Request?) -> Response {
        if let request, !APISite.isAPI(request.path) { return admin.refusal(status, message, request) }
        return api.refusal(status, code, message, request)
    }
}
