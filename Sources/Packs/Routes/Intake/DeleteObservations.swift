// Deletes observations that were recorded by mistake and publishes the badges that change; or shows what would change.
import Domain
import Localization
import Operations
import Store

package struct DeleteObservations: Sendable {
    let database: Database
    let publish: PublishObservations

    /// Deletes the observations of a kind and city that match the filter, in the part of their time between `from` and
    /// `until`. They stay in the history (C20). Throws `Failure.invalid` if the filter has no other condition than kind
    /// and city.
    package func callAsFunction(
        _ kind: ObservationKind, city: String, _ filter: ObservationFilter, by actor: Actor
    ) async throws -> (count: Int, publication: Int64?) {
        try check(filter, actor)
        var detail: [String: JSONValue] = ["city": .string(city)]
        detail["source"] = filter.source.map(JSONValue.string)
        detail["site"] = filter.site.map(JSONValue.string)
        detail["from"] = (filter.from?.text).map(JSONValue.string)
        detail["until"] = (filter.until?.text).map(JSONValue.string)
        let event = AuditEvent("observation.delete", on: kind.rawValue, detail: detail)
        let count = try await database.transaction(by: actor, event) { transaction in
            try await transaction.observations.delete(kind, city: city, filter)
        }
        guard count > 0 else { return (0, nil) }
        return (count, try await publish(note: "Deleted \(count) observations", by: actor))
    }

    /// How many observations that would be, and the row changes that readers would see. Changes nothing.
    package func plan(
        _ kind: ObservationKind, city: String, _ filter: ObservationFilter, limit: Int?, by actor: Actor
    ) async throws -> (count: Int, plan: PublicationPlan) {
        try check(filter, actor)
        return try await database.observations.planDeletion(kind, city: city, filter, limit: limit)
    }

    private func check(_ filter: ObservationFilter, _ actor: Actor) throws {
        try actor.require(.publish, tr("delete observations"))
        guard filter.source != nil || filter.site != nil || filter.from != nil || filter.until != nil else {
            throw Failure.invalid(
                FieldErrors("/source", "required", tr("Set a source, a site, or a time from or until which to delete."))
            )
        }
        if let from = filter.from, let until = filter.until, !until.isAfter(from) {
            throw Failure.invalid(FieldErrors("/until", "range", tr("The end must be after the start.")))
        }
    }
}
