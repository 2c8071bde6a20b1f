// Explains problem codes at their URLs.
import Domain
import HTTP

enum ProblemEndpoints {
    /// `GET /problems/{code}`
    static func find(_ call: APICall) async throws -> Response {
        let code = call.path("code")
        guard let entry = ProblemCodes.all[code] else { throw Problem.notFound }
        let document: [String: JSONValue] = [
            "code": .string(code), "status": .int(Int64(entry.status)), "title": .string(entry.title),
            "advice": .string(entry.advice),
        ]
        let body = JSONValue.object(document).canonicalText
        return Response(call.request, call.site.headers.preview, body: Array(body.utf8))
    }
}
