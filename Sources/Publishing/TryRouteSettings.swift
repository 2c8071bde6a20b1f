// Works out which rows of the read tables other settings of routes would change, without changing any (C19).
import Domain
import Store

package struct TryRouteSettings: Sendable {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// `changes` are written as people write them: key and number. Every message at once, for those that make no sense.
    package func callAsFunction(_ changes: [(key: String, value: String)], limit: Int?, by actor: Actor) async throws
        -> PublicationPlan
    {
        try actor.require(.makeRelease, "try settings out")
        var settings = try await database.routes.settings()
        var errors = FieldErrors()
        for (key, text) in changes {
            guard settings[key] != nil else {
                errors.add(
                    "/" + key, "unknown_field",
                    Suggestion.sentence("There is no such setting.", for: key, among: RouteSettings.keys))
                continue
            }
            guard let value = RouteSettings.value(PlainText.singleLine(text), of: key) else {
                errors.add(
                    "/" + key, "type", "\(key): write \(key.hasSuffix("_comparator") ? "< or <=" : "a number").")
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
