// Sends each request to the face it is meant for: the API, the admin, or the machine-room addresses.
import API
import Admin
import Domain
import HTTP

struct Site: Sendable {
    let admin: AdminSite
    let api: APISite
    let health: Health

    func respond(_ request: Request) async -> Response {
        health.count(request)
        let response: Response
        switch request.path {
        case "/healthz", "/readyz", "/metrics": response = await health.answer(request)
        case let path where APISite.isAPI(path): response = await api.respond(request)
        default: response = await admin.respond(request)
        }
        health.count(response)
        return response
    }

    static func bodyLimit(_ method: String, _ path: String) -> Int {
        APISite.isAPI(path) ? APISite.bodyLimit(method, path) : AdminSite.bodyLimit
    }

    /// What HTTP itself refuses, in the words of the face that was asked.
    func refusal(_ status: Int, _ code: String, _ message: String, _ request: Request?) -> Response {
        if let request, !APISite.isAPI(request.path) { return admin.refusal(status, message, request) }
        return api.refusal(status, code, message, request)
    }
}
