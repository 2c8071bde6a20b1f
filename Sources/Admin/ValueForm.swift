// A value that is edited where it stands in a list: what is typed, what is wrong with it, and saving it.
import Domain
import Editorial
import HTTP
import Store

/// Fields of these forms: `was` (what the form was made with), `value`, and the button `action` (now or draft).
enum ValueForm {
    /// What was refused, so that the list can show it again where it was typed.
    struct Refused: Sendable {
        let entry: ID<Entry>
        let typed: String
        let messages: [String]
    }

    /// Saves the value; a refusal is shown by `list`, in its place.
    static func save(
        _ request: AdminRequest, locale: LanguageTag? = nil, back: String, heading: String,
        list: (Refused) async throws -> Response
    ) async throws -> Response {
        let id: ID<Entry> = try request.id()
        func lines(_ name: String) -> String { (request.form.first(name) ?? "").replacing("\r\n", with: "\n") }
        let new = lines("value")
        let publishTiming: PublishTiming? = request.form.first("action") == "draft" || !request.actor.may(.publish) ? nil : .now
        do {
            let outcome = try await UpdateValue(database: request.database, rules: request.context.rules)(
                id, locale: locale, from: lines("was"), to: new, publishTiming: publishTiming, by: request.actor)
            return request.redirect(to: back + "#value-\(id)", Flash(outcome, wanted: publishTiming, time: ""))
        } catch Failure.stale(let values) {
            return try StalePage.response(values, request, heading: heading, back: back) { _ in
                StalePage.Controls(value: nil, was: "was")
            }
        } catch Failure.invalid(let errors) {
            return try await list(Refused(entry: id, typed: new, messages: errors.items.map(\.message)))
        } catch Failure.refused(_, let message) {
            return try await list(Refused(entry: id, typed: new, messages: [message]))
        }
    }

    /// A word about what readers see of an entry.
    struct Status: Encodable, Sendable {
        let words: String
        let tone: String

        init(_ entry: EntryChoice) {
            switch (entry.isLive, entry.isCurrent) {
            case (true, true): (words, tone) = ("live", "ok")
            case (true, false): (words, tone) = ("changed, not live yet", "wait")
            default: (words, tone) = ("not live", "wait")
            }
        }
    }
}
