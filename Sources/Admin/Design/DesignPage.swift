// The parts of which pages consist, for those who write templates. Only in development.
import Domain
import HTTP
import Platform

enum DesignPage {
    private struct Model: Encodable, Sendable {
        let title = "Nine cafés"
        let url = "example.org"
        let errors = ["Enter a full URL, including https://."]
        let none: [String] = []
        let options = Option.list([("curator", "Curator"), ("editor", "Editor")], chosen: "editor")
    }

    static func show(_ request: AdminRequest) async throws -> Response {
        guard request.context.environment == Settings.Environment.development.rawValue else {
            throw Failure.missing("page")
        }
        return try request.page("admin/design/show", Model(), title: "Parts of pages")
    }
}
