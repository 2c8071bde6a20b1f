// Shows one entry, and finds it for its other pages.
import Domain
import HTTP
import Store

package enum EntryPages {
    package static func shown(_ title: String) -> String {
        EntryTitles.shown(title)
    }

    /// `errors` are those of an action on this page.
    static func show(_ request: AdminRequest, errors: FieldErrors = FieldErrors()) async throws -> Response {
        let (entry, newest) = try await find(request)
        var request = try await NotePanel.saving(request, .entry(entry.id), title: Self.shown(entry.title))
        let notes = try await NotePanel.load(&request, .entry(entry.id), errors: errors)
        let stream = try await StreamPanel.load(newest.content, entry, &request)
        let model = try await EntryPage.load(entry, newest, notes, stream, request, errors)
        return try request.page(
            "admin/entries/show", model, title: model.title, status: errors.status, type: entry.type)
    }

    /// The entry with the id in the path, and its newest revision.
    static func find(_ request: AdminRequest) async throws -> (EntryRow, RevisionRow) {
        let id: ID<Entry> = try request.id()
        guard let entry = try await request.database.entries.find(id),
            let newest = try await request.database.revisions.newest(of: id)
        else { throw Failure.missing("entry") }
        return (entry, newest)
    }
}
