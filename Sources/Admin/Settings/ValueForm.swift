// Edits values in place in a list: reads the form of a text, saves it, shows errors; what was typed into forms and not saved.
import Domain
import HTTP
import Localization
import Operations
import Store

/// The fields of the form of a text: `was` (the value when the page was rendered), `value`, and the button `action` (now
/// or draft). The form of a group of settings has one of both for each setting.
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

        /// What was typed into the form and not saved; nil if there is nothing.
        func typed(_ form: String) -> FormFields? { restored[form] }

        func autosave(_ form: String) -> Autosaved? { forms[form] }

        func shown(_ form: String, _ value: String, refused: Refused?) -> Shown {
            let typed = restored[form]
            return Shown(
                was: typed?.first("was") ?? value, text: refused?.typed ?? typed?.first("value") ?? value,
                messages: refused?.messages ?? [], isRestored: typed != nil, autosave: forms[form])
        }
    }

    /// A value as it is stored, whatever line endings the browser sent.
    static func lines(_ name: String, in form: FormFields) -> String? {
        form.first(name).map(PlainText.withLineFeeds)
    }

    /// The timing of the pressed button, as far as the actor may choose it.
    static func timing(_ request: AdminRequest) -> PublishTiming {
        let timing: PublishTiming = request.form.first("action") == "draft" ? .draft : .now
        return timing.orDraft(for: request.actor)
    }

    /// Saves a text; `list` shows a rejected one.
    static func save(
        _ request: AdminRequest, locale: LanguageTag, back: String, heading: String,
        list: (Refused) async throws -> Response
    ) async throws -> Response {
        let id: ID<Entry> = try request.id()
        let new = lines("value", in: request.form) ?? ""
        let publishTiming = timing(request)
        return try await request.submit(
            orShow: { try await list(Refused(entry: id, typed: new, messages: $1.items.map(\.message))) },
            stale: { try StalePage.response($0, request, heading: heading, back: back) }
        ) {
            let outcome = try await request.services.updateText(
                id, in: locale, from: lines("was", in: request.form) ?? "", to: new, publishTiming: publishTiming,
                by: request.actor)
            return request.redirect(to: back + "#value-\(id)", Flash(outcome, publishTiming))
        }
    }

    /// What readers don't have yet of an entry, as a tag.
    struct Status: Encodable, Sendable {
        let label: String

        /// Nil if it is published as it is, as nearly all are.
        init?(_ entry: EntryChoice) {
            if entry.isLive && entry.isCurrent { return nil }
            label = entry.isLive ? tr("Unpublished changes") : tr("Not published")
        }
    }
}
