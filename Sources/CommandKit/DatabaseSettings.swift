// The roles and connections to the database that the configuration describes.
import Platform
import Postgres
import Store

extension Settings {
    /// The configuration rejects prefixes that are invalid in role names.
    package var roles: Roles { Roles(prefix: database.rolePrefix) ?? Roles.standard }

    /// The roles that the login of `database.url` needs: without the roles with a login of their own.
    package var rolesOfLogin: [String] {
        let others = [database.signInURL.map { _ in roles.signIn }, database.scheduleURL.map { _ in roles.schedule }]
        return roles.ofDaemon.filter { !others.contains($0) }
    }

    /// Connects as the configuration says.
    package func postgres(
        url: String, role: String?, pipeline: Int, pool: Int, deadline: Duration? = nil
    ) -> PostgresConfiguration {
        var configuration = PostgresConfiguration(
            url: url, pipelineConnections: pipeline, poolSize: pool, poolWait: database.poolWait,
            deadline: deadline ?? database.deadline,
            longDeadline: max(deadline ?? .zero, database.publicationDeadline),
            lockTimeout: database.lockTimeout,
            idleTransactionTimeout: database.idleTransactionTimeout,
            prepare: database.prepare, applicationName: "vitrine", role: role)
        configuration.idleTimeout = database.idleTimeout
        return configuration
    }
}

extension PostgresConfiguration {
    /// Connections of PostgreSQL that daemons and delivery processes never take: as many as a command has at once.
    package static let reservedForCommands = 3
}
