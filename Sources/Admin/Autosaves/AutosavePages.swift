// Saves what somebody types into a form, and lists the forms with text that is not saved.
import Domain
import FoundationEssentials
import HTTP
import Localization
import Markup
import Operations
import Platform
import Store

enum AutosavePages {
    /// A form with text that is not saved.
    struct Line: Encodable, Sendable {
        /// What identifies the row, and the URL that opens the form.
        let form: String
        let title: String
        /// The first words of the text; nil if there are none.
        let excerpt: String?
        let saved: Instant

        init(_ row: AutosaveLine) {
            form = row.form
            title = row.title.isEmpty ? row.form : row.title
            excerpt = AutosavePages.excerpt(row)
            saved = Instant(row.savedAt)
        }
    }

    private struct List: Encodable, Sendable {
        let lines: [Line]
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let rows = try await request.database.autosaves.list(of: try request.ownSession().account)
        return try request.page(
            "admin/autosaves/list", List(lines: rows.map(Line.init)), title: tr("Unfinished", context: "section"))
    }

    /// The title that was typed, or else the first longer text.
    private static func excerpt(_ row: AutosaveLine) -> String? {
        let start = row.start ?? ""
        let plain = start.hasPrefix("<") ? (try? HTMLSanitizer.plainText(start)) ?? start : start
        let line = PlainText.singleLine(String(plain.prefix(200)))
        return line.isEmpty || line == row.title ? nil : line
    }

    /// A request of the page's script, or the form that a page offers after its session had ended.
    static func save(_ request: AdminRequest) async throws -> Response {
        let account = try request.ownSession().account
        if let text = request.form.first(UnsavedForm.field), let unsaved = UnsavedForm(text: text) {
            do {
                try await unsaved.keep(for: account, request.services)
            } catch let failure as Failure {
                return unsaved.page(for: failure, request)
            }
            return request.redirect(to: unsaved.form)
        }
        let form = request.form
        let fields = try JSONValue(parsing: Array((form.first("fields") ?? "").utf8))
        guard fields.arrayValue != nil, let sequence = form.first("sequence").flatMap(Int64.init), sequence >= 0 else {
            throw Failure.invalid(
                FieldErrors("/fields", "format", tr("Send the fields as a list of names and values.")))
        }
        let draft = AutosaveDraft(
            form: form.first("form") ?? "", title: PlainText.singleLine(form.first("title") ?? ""),
            tab: form.first("tab") ?? "", from: form.first("from") ?? "", sequence: sequence, fields: fields)
        switch try await request.services.saveAutosave(draft, of: account) {
        case .saved(let date):
            return json(["saved_at": .string(InstantText.text(date, milliseconds: false))])
        case .elsewhere(let row):
            return json(
                [
                    "saved_at": .string(InstantText.text(row.savedAt, milliseconds: false)), "tab": .string(row.tab),
                ], status: 409)
        case .full:
            return json(["code": "too_many_texts"], status: 409)
        }
    }

    static func discard(_ request: AdminRequest) async throws -> Response {
        let form = request.form.first("form") ?? ""
        try await request.database.autosaves.discard(
            [form], tab: request.autosaveTab, sequence: request.autosaveSequence, of: try request.ownSession().account)
        let isOpen = request.form.first("open") != nil && Response.isLocal(form)
        return request.redirect(
            to: isOpen ? form : AdminURL.autosaves(), Flash(tr("Unsaved text discarded.")))
    }

    private static func json(_ members: [String: JSONValue], status: Int = 200) -> Response {
        .json(Array(JSONValue.object(members).canonicalText.utf8), status: status)
    }
}
