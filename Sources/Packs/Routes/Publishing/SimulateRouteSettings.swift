// Plans which rows of the read tables other route settings would change, without writing any (C19).
import Domain
import Localization
import Operations
import Store

package struct SimulateRouteSettings: Sendable {
    let database: Database

    /// `changes` are keys with values as typed. Reports all invalid ones at once.
    package func callAsFunction(_ changes: [(key: String, value: String)], limit: Int?, by actor: Actor) async throws
        -> PublicationPlan
    {
        try actor.require(.createRelease, tr("simulate route settings"))
        var settings = try await database.routes.settings()
        var errors = FieldErrors()
        for (key, text) in changes {
            guard settings[key] != nil else {
                errors.add(
                    "/" + key, "unknown_field",
                    Suggestion.sentence(tr("Unknown setting."), for: key, among: RouteSettings.keys))
                continue
            }
            guard let value = RouteSettings.value(PlainText.singleLine(text), of: key) else {
                errors.add(
                    "/" + key, "type",
                    tr(
                        "\(key): Enter \(key.hasSuffix("_comparator") ? "< or <=" : "a number").",
                        context: "simulate route settings"))
                continue
            }
            settings[key] = value
        }
        try errors.throwIfAny()
        try settings.problems.throwIfAny()
        let wanted = settings
        return try await database.routes.plan(wanted, limit: limit)
    }
}
