// The page that says what went wrong, what was kept and what to do.
import Domain
import HTTP
import Platform

struct FailurePage: Encodable, Sendable {
    let heading: String
    let sentences: [String]
    let requestID: String
    let typed: [RejectedInput]

    /// A failure in its own words; anything else is a fault: logged whole with the request's id, told without detail.
    /// `admitted` is the request of somebody who is signed in, whose page has the navigation.
    static func response(
        for error: any Error, status: Int? = nil, _ request: Request, _ context: AdminContext,
        _ admitted: AdminRequest? = nil
    ) -> Response {
        if let failure = error as? Failure {
            return response(failure, status: status ?? Self.status(of: failure), request, context, admitted)
        }
        context.log.with(requestID: request.id).error(
            "a page failed", ["path": .text(request.path), "error": .text(String(describing: error))])
        return render(
            "Something went wrong on our side",
            ["It was noted and nothing was changed. Try again; if it happens again, tell the operator this number."],
            500, request, context, admitted)
    }

    static func response(
        _ failure: Failure, status: Int, _ request: Request, _ context: AdminContext, _ admitted: AdminRequest? = nil
    ) -> Response {
        func render(_ heading: String, _ sentences: [String]) -> Response {
            Self.render(heading, sentences, status, request, context, admitted)
        }
        switch failure {
        case .invalid(let errors):
            return render("There is a problem", errors.items.map(\.message))
        case .missing(let what):
            return render("Not found", ["There is no such \(what), or it is gone."])
        case .conflict, .stale:
            return render("Someone was faster", [failure.sentence, "Nothing was changed."])
        case .forbidden(let message):
            return render("Not allowed", [message])
        case .refused(_, let message):
            return render("This cannot be done", [message, "Nothing was changed."])
        case .unavailable(let message):
            return render("Not available now", [message]).with("Retry-After", "1")
        }
    }

    static func status(of failure: Failure) -> Int {
        switch failure {
        case .invalid, .refused: 422
        case .missing: 404
        case .conflict, .stale: 409
        case .forbidden: 403
        case .unavailable: 503
        }
    }

    private static func render(
        _ heading: String, _ sentences: [String], _ status: Int, _ request: Request, _ context: AdminContext,
        _ admitted: AdminRequest?
    ) -> Response {
        let page = FailurePage(
            heading: heading, sentences: sentences, requestID: request.id, typed: RejectedInput.all(in: request))
        if let admitted, let response = try? admitted.page("admin/refusal", page, title: heading, status: status) {
            return AdminGate.secured(response)
        }
        let bytes = (try? context.templates.render("admin/failure", page)) ?? Array(heading.utf8)
        return AdminGate.secured(.html(bytes, status: status))
    }
}
