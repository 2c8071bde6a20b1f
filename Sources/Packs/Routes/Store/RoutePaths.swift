// Stores the measured path of a route.
import Domain
import Postgres
import Store

extension RouteStore {
    /// Computes the measured path of a route's revision; its content never changes, and neither does the path.
    func addPath(of content: Content, in type: ContentType, to revision: ID<Revision>) async throws {
        guard let field = type.fields.first(where: { $0.type == .path }), let value = content.fields[field.name],
            let path = try? RoutePath(reading: value)
        else { return }
        try await connection.run(
            """
            insert into curation.route_path
                (revision_id, city, length_m, net_elevation_m, distances, latitudes, longitudes)
            values (\(revision), \(CityKey.sql(content.fields["city"]?.stringValue ?? "")),
                \(path.length), \(path.netElevation), \(path.distances), \(path.points.map(\.latitude)),
                \(path.points.map(\.longitude)))
            """)
    }
}
