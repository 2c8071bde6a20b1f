// The error page: what went wrong, the unsaved input, and what to do next.
import Domain
import HTTP
import Localization
import Platform

struct FailurePage: Encodable, Sendable {
    /// A BCP 47 tag.
    let language = PageLanguages.current
    let heading: String
    let messages: [String]
    let requestID: String
    let inputs: [RejectedInput]
    /// Whether the form had more inputs, or longer ones.
    let isCut: Bool
    /// The submitted form, if it can be shown again.
    let unsaved: String?
    /// A page of contributors, who know nothing of the queue.
    let isForStaff: Bool

    /// Shows a `Failure` with its own message. Any other error is a bug: logged in full with the request's id, shown
    /// without detail. With `admitted`, a signed-in request, the page has the navigation and the start of what was
    /// typed. Nobody else is shown what they sent, unless `typed` says so.
    static func response(
        for error: any Error, status: Int? = nil, _ request: Request, _ context: AdminContext,
        _ admitted: AdminRequest? = nil, parameters: PathParameters = .none, typed: RejectedInputs? = nil,
        unsaved: UnsavedForm? = nil
    ) -> Response {
        let path = parameters.hidingToken(in: request.path)
        // The response to a client that has left goes nowhere.
        if error is WorkersBusy || error is CancellationError {
            let busy = Failure.unavailable(tr("Vitrine is busy right now. Try again in a moment."))
            return response(busy, status: 503, request, context, admitted, typed: typed, unsaved: unsaved)
        }
        if let failure = error as? Failure {
            if let cause = failure.cause {
                context.log.with(requestID: request.id).error(
                    tr("request could not be served"), ["path": .text(path), "error": .text(cause)])
            }
            return response(
                failure, status: status ?? Self.status(of: failure), request, context, admitted, typed: typed,
                unsaved: unsaved)
        }
        context.log.with(requestID: request.id).error(
            tr("request failed"), ["path": .text(path), "error": .text(String(describing: error))])
        return render(
            tr("Something went wrong on our side"),
            [
                tr(
                    "Nothing was changed, and the error was logged. Try again. If it happens again, send your administrator this ID."
                )
            ],
            500, request, context, admitted, typed, unsaved)
    }

    static func response(
        _ failure: Failure, status: Int, _ request: Request, _ context: AdminContext, _ admitted: AdminRequest? = nil,
        typed: RejectedInputs? = nil, unsaved: UnsavedForm? = nil
    ) -> Response {
        func render(_ heading: String, _ messages: [String]) -> Response {
            Self.render(heading, messages, status, request, context, admitted, typed, unsaved)
        }
        switch failure {
        case .invalid(let errors):
            return render(tr("There is a problem"), errors.items.map(\.message))
        case .missing(let what):
            return render(tr("Not found"), [tr("This \(what) doesn't exist or was deleted.")])
        case .conflict, .stale:
            return render(tr("Changed in the meantime"), [failure.sentence, tr("Nothing was changed.")])
        case .forbidden(let message):
            return render(tr("Not allowed"), [message])
        case .refused(_, let message):
            return render(tr("This can't be done"), [message, tr("Nothing was changed.")])
        case .unavailable(let message, _):
            return render(tr("Temporarily unavailable"), [message]).with("Retry-After", "1")
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

    private static func isForContributors(_ path: String) -> Bool {
        [AdminURL.status, .submit].contains { path.hasPrefix($0.rawValue.prefix { $0 != "{" }) }
    }

    private static func render(
        _ heading: String, _ messages: [String], _ status: Int, _ request: Request, _ context: AdminContext,
        _ admitted: AdminRequest?, _ typed: RejectedInputs?, _ unsaved: UnsavedForm?
    ) -> Response {
        let typed = typed ?? (admitted?.session == nil ? RejectedInputs.empty : RejectedInputs(startOf: request))
        let page = FailurePage(
            heading: heading, messages: messages, requestID: request.id, inputs: typed.list, isCut: typed.isCut,
            unsaved: unsaved?.text, isForStaff: !isForContributors(request.path))
        if let admitted, let response = try? admitted.rendered("admin/refusal", page, title: heading, status: status) {
            return response.secured()
        }
        let response = try? context.page("admin/failure", page, status: status)
        return (response ?? .html(heading, status: status)).secured()
    }
}

extension PathParameters {
    /// The path for the log: the token of a link signs in, resets a password or opens a submission, so it is left out.
    func hidingToken(in path: String) -> String {
        self["token"].map { path.replacing($0, with: "{token}") } ?? path
    }
}

extension AdminRequest {
    /// The response in the language of a contributor; the page of an error, too.
    func response(
        in locale: String?, _ body: @Sendable () async throws -> Response
    ) async -> Response {
        await MessageCatalog.$current.withValue(context.languages.messages(for: locale)) {
            do {
                return try await body()
            } catch {
                return FailurePage.response(
                    for: error, request, context, parameters: parameters, typed: RejectedInputs(startOf: request))
            }
        }
    }
}
