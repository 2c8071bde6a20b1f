// Routes, their badges, and observations of air and obstructions.
import API
import Admin
import CommandKit
import Domain
import Localization
import Store

extension Pack {
    package static let routes: Pack = {
        var pack = Pack("routes")
        pack.kinds = [.route, .badge]
        pack.needs = [
            .route: [.title, .slug, KindField("path", .path), KindField("city", .text, isRequired: false)],
            .badge: [
                .title, .slug, KindField("position", .integer, isRequired: false, range: KindField.integers),
            ],
        ]
        pack.resolved = [ResolvedKind(.route, path: "/v1/routes/")]
        pack.migrations = [
            Script("routes/routes", PackageResources.routes_sql),
            Script("routes/observation_access", PackageResources.observation_access_sql),
            Script("routes/observation_pieces", PackageResources.observation_pieces_sql),
            Script("routes/derived_paths", PackageResources.derived_paths_sql),
        ]
        pack.functions = [PackageResources.observations_sql]
        pack.projections = [
            Projection("route", tables: ["route", "route_path"], PackageResources.route_sql),
            Projection("badge", PackageResources.badge_sql),
            Projection(
                "route_badge", key: ["route_id", "badge", "valid_from"], PackageResources.route_badge_sql),
        ]
        pack.dependencies = PackageResources.routes_dependencies_sql
        pack.insertions = [
            "search_kinds": ", 'route'",
            "pending": "+ (select count(*) from curation.observation_change where publication = p_publication)",
            "settled": "where not curation.is_observation_pending(d.read_table, d.key)",
            "causes": """
            union all
            select 'observation' where exists (
                select from curation.observation_change where publication = p_publication)
            """,
        ]
        pack.readTables = [
            ReadTable("badge"), ReadTable("route"),
            ReadTable("route_badge", key: [("route_id", "uuid"), ("badge", "text"), ("valid_from", "timestamptz")]),
            ReadTable("route_path"),
        ]
        pack.defaults = PackageResources.routes_defaults_json
        pack.bundle.carried = [
            BundleTable("curation.route_path", by: "revision_id"),
            BundleTable("curation.validity_period", by: "id"),
            BundleTable(
                "curation.observation", by: #"period_id, site collate "C", measure collate "C", source collate "C""#),
            BundleTable("curation.observation_history", by: "id"),
            BundleTable("curation.postcode", by: #"code collate "C""#),
            BundleTable("curation.observation_pending", by: #"kind collate "C", key collate "C""#),
            BundleTable("curation.observation_change", by: #"publication, kind collate "C", key collate "C""#),
        ]
        pack.bundle.excluded = ["curation.simulated_setting": "always empty"]
        pack.bundle.numbered = [
            (table: "curation.validity_period", column: "id"), (table: "curation.observation_history", column: "id"),
        ]
        pack.tasks = [
            TaskKind(name: "prune_observations", everySeconds: 600) { transaction, _ in
                guard try await transaction.observations.hasOld() else { return }
                try await transaction.audit(AuditEvent("observation.prune", on: "observation"))
                try await transaction.observations.prune(limit: 500)
            },
            TaskKind(name: "publish_observations", everySeconds: 1, if: .pendingObservations) { transaction, _ in
                guard try await transaction.observations.isPending() else { return }
                try await transaction.audit(AuditEvent("observation.publish", on: "observation"))
                _ = try await transaction.observations.publish(
                    limit: 200, note: "Periods of observations", by: transaction.actor)
            },
        ]
        pack.moments = { try await RouteReads(connection: $0).boundaries() }
        pack.revisionAdded = { try await RouteStore(connection: $0).addPath(of: $1.content, in: $2, to: $3) }
        pack.parts = [
            PackEndpoints(apiEndpoints), PackPages(RoutesURL.self, pages, navigation),
            PackCommands(
                RouteImportCommand.entries + ObservationImportCommand.entries + ObservationCommand.entries
                    + BadgeCommand.entries, loadDemo: ObservationDemo.load),
            PackPlanLabels(
                subjects: { ["route_badge": tr("Badge of a route")] }, technical: ["city_key", "ends", "route_id"],
                owners: ["route_id"], details: ["badge"], endings: ["_path"]),
        ]
        return pack
    }()
}
