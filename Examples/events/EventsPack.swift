// Events with a venue and a date.
import API
import Domain
import Store

extension Pack {
    package static let events: Pack = {
        var pack = Pack("events")
        pack.kinds = [.venue, .event]
        pack.needs = [
            .venue: [.title],
            .event: [
                .title, .slug, KindField("venue", .reference, targets: [.venue]), KindField("starts_at", .datetime),
            ],
        ]
        pack.resolved = [ResolvedKind(.event, path: "/v1/calendar/", table: "calendar_event")]
        pack.migrations = [Script("events/events", PackageResources.events_sql)]
        pack.projections = [Projection("calendar_event", PackageResources.calendar_event_sql)]
        pack.dependencies = PackageResources.events_dependencies_sql
        pack.readTables = [ReadTable("calendar_event")]
        pack.moments = { try await CalendarReads(connection: $0).boundaries() }
        pack.parts = [PackEndpoints(CalendarEndpoints.all)]
        return pack
    }()
}
