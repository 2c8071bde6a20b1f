// Adds internal notes to an entry; errors are shown on its page, with the text.
import Domain
import HTTP
import Operations
import Store

enum EntryNotePages {
    static func create(_ request: AdminRequest) async throws -> Response {
        let id: ID<Entry> = try request.id()
        return try await request.submit(
            orShow: { request, errors in try await EntryPages.show(request, errors: errors) },
            {
                let outcome = try await request.services.addNote(
                    request.form.first("text") ?? "", on: .entry(id), by: request.actor)
                return request.redirect(to: AdminURL.entry(id) + "#notes", Flash(outcome))
            })
    }
}
