// Renders what takes long in a page away from the event loop.
import Domain
import HTTP
import Markup

extension AdminRequest {
    /// Runs work that grows with the texts of these contents, such as sanitizing and comparing them: among workers, in turns with
    /// other callers, if they are long. Throws `Failure.unavailable` if too much of it waits.
    func rendering<Result: Sendable>(
        _ contents: [Content], typed: [FormFields] = [], _ work: @escaping @Sendable () -> Result
    ) async throws -> Result {
        // All that was typed counts, also what is not sent.
        let texts = typed.flatMap(\.fields).map { JSONValue.string($0.value) }
        return try await context.rules.rendering(contents + [Content(fields: ["typed": .array(texts)])], work)
    }
}

extension AdminContext {
    /// A page with less text is written in less time than the way to another thread and back takes, in bytes.
    private static let quickPage = 64 << 10

    /// The page of a template. Its model is read at once, in the language and by the clock of this task. A long page, such as that
    /// of a rejected form, is written by `AdminSite`.
    func page(_ template: String, _ model: some Encodable, status: Int) throws -> Response {
        let (templates, value) = (languages.templates, try TemplateValue(encoding: model))
        guard value.textBytes >= Self.quickPage else {
            return .html(try templates.render(template, value), status: status)
        }
        var response = Response.html("", status: status)
        response.body = .unwritten { try templates.render(template, value) }
        return response
    }
}
