// Edits a value in place in a list: reads the form, saves the value, shows errors.
import Domain
import Editorial
import HTTP
import Localization
import Store

/// The fields of these forms: `was` (the value when the page was rendered), `value`, and the button `action` (now or
/// draft).
enum ValueForm {
    /// A rejected value, which the list shows again with its errors.
    struct Refused: Sendable {
        let entry: ID<Entry>
        let typed: String
        let messages: [String]
    }

    /// What the form of a value shows: the value, or what was typed over it.
    struct Shown: Sendable {
        /// The value that was there when somebody began to type.
        let was: String
        let text: String
        let messages: [String]
        let isRestored: Bool
        let autosave: Autosaved?
    }

    /// The forms of a list that are saved while somebody types.
    struct Autosaves: Sendable {
        private var forms: [String: Autosaved] = [:]
        private var restored: [String: FormFields] = [:]

        /// Says in `request` what the page restores.
        static func load(
            _ request: inout AdminRequest, _ forms: [(form: String, title: String)]
        ) async throws -> Autosaves {
            request = try await request.autosaving(forms)
            var found = Autosaves()
            for (form, _) in forms { found.restored[form] = request.restore(form) }
            for autosave in request.autosaves { found.forms[autosave.form] = autosave }
            return found
        }

        func shown(_ form: String, _ value: String, refused: Refused?) -> Shown {
            let typed = restored[form]
            return Shown(
                was: typed?.first("was") ?? value, text: refused?.typed ?? typed?.first("value") ?? value,
                messages: refused?.messages ?? [], isRestored: typed != nil, autosave: forms[form])
        }
    }

    /// Saves the value; `list` shows a rejected one.
    static func save(
        _ request: AdminRequest, locale: LanguageTag? = nil, back: String, heading: String,
        list: (Refused) async throws -> Response
    ) async throws -> Response {
        let id: ID<Entry> = try request.id()
        func lines(_ name: String) -> String { (request.form.first(name) ?? "").replacing("\r\n", with: "\n") }
        let new = lines("value")
        let publishTiming: PublishTiming = request.form.first("action") == "draft" ? .draft : .now
        return try await request.submit(
            orShow: { try await list(Refused(entry: id, typed: new, messages: $1.items.map(\.message))) },
            stale: { try StalePage.response($0, request, heading: heading, back: back) }
        ) {
            let outcome = try await request.services.updateValue(
                id, locale: locale, from: lines("was"), to: new,
                publishTiming: publishTiming.orDraft(for: request.actor), by: request.actor)
            return request.redirect(to: back + "#value-\(id)", Flash(outcome, publishTiming))
        }
    }

    /// The status of an entry as a tag.
    struct Status: Encodable, Sendable {
        let label: String
        let tone: String

        init(_ entry: EntryChoice) {
            switch (entry.isLive, entry.isCurrent) {
            case (true, true): (label, tone) = (tr("Published", context: "status"), "ok")
            case (true, false): (label, tone) = (tr("Unpublished changes"), "wait")
            default: (label, tone) = (tr("Not published"), "wait")
            }
        }
    }
}
