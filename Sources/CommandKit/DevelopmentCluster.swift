// Runs the private PostgreSQL of `vitrine dev` in its data folder.
import Domain
import EventLoop
import Platform
import Postgres

package struct DevelopmentCluster: Sendable {
    package static let databaseName = "vitrine"
    package let cluster: PrivateCluster

    package init(_ settings: Settings) {
        cluster = PrivateCluster(dataDirectory: settings.directories.data + "/postgres")
    }

    /// The URL of the database if the server is running. Never starts it.
    package func runningURL() async -> String? {
        await cluster.runningURL(database: Self.databaseName)
    }

    /// Starts the server, creates the database if it is missing, and returns its URL.
    package func start(
        on loop: EventLoop, isCanceled: @Sendable () -> Bool, progress: @Sendable (String) -> Void
    ) async throws -> String {
        let administration = try await cluster.start(isCanceled: isCanceled, progress: progress)
        let client = PostgresClient(
            configuration: PostgresConfiguration(
                url: administration, deadline: .seconds(60), applicationName: "vitrine dev"), loops: [loop])
        client.start()
        let exists =
            try await client.query(
                "select 1 from pg_database where datname = \(Self.databaseName)"
            ).isEmpty == false
        if !exists {
            _ = try await client.run("create database \(raw: Self.databaseName)")
        }
        await client.close()
        guard let url = cluster.url(database: Self.databaseName) else {
            throw Failure.unavailable("The private database server stopped. See the log in the data folder.")
        }
        return url
    }
}
