// How a client connects to PostgreSQL, and its limits.

package struct PostgresConfiguration: Sendable {
    /// A libpq URI or `key=value` string; several hosts are tried in turn.
    package var url: String
    /// Connections on which single statements are multiplexed, in all: divided among the event loops (at least one
    /// each).
    package var pipelineConnections: Int
    /// Connections for transactions in all, divided among the event loops (at least one each).
    package var poolSize: Int
    /// How many of these the client takes itself, in all; the rest is for clients that act in other roles
    /// (`PostgresClient.acting`). Nil for all of them.
    package var ownPoolSize: Int?
    /// How long a statement or transaction waits for a connection before it fails as unavailable.
    package var poolWait: Duration
    /// How long one statement may take before its caller gets an error and its connection is replaced.
    package var deadline: Duration
    /// The same for statements run with `runLong`.
    package var longDeadline: Duration
    /// How long PostgreSQL lets a statement wait for a lock.
    package var lockTimeout: Duration
    /// After this time PostgreSQL ends a session whose transaction is idle.
    package var idleTransactionTimeout: Duration
    /// Whether statements are prepared once per connection; off behind pgbouncer in transaction mode.
    package var prepare: Bool
    package var applicationName: String
    /// Set by SET ROLE on every new connection; behind a pooler, in every transaction.
    package var role: String?
    /// Connections that are kept open for single statements, on the first event loop. All others open when they are needed.
    package var keptConnections = 1
    /// Idle time after which other connections close.
    package var idleTimeout = Duration.seconds(60)
    /// Number of server connections that this client never takes: a connection that would be one of them closes again.
    package var reserve = 0
    /// How often a pooler is examined that was found to keep sessions apart.
    package var poolerInterval = Duration.seconds(60)
    /// Called for every lost or failed connection and every statement that PostgreSQL can't run now, with
    /// the reason, which callers don't get. Called on an event loop's thread, often.
    package var onTrouble: @Sendable (PostgresError) -> Void = { _ in }

    package init(
        url: String, pipelineConnections: Int = 4, poolSize: Int = 16, poolWait: Duration = .milliseconds(1500),
        deadline: Duration = .seconds(4), longDeadline: Duration = .seconds(30), lockTimeout: Duration = .seconds(2),
        idleTransactionTimeout: Duration = .seconds(5), prepare: Bool = true, applicationName: String = "vitrine",
        role: String? = nil
    ) {
        self.url = url
        self.pipelineConnections = pipelineConnections
        self.poolSize = poolSize
        self.poolWait = poolWait
        self.deadline = deadline
        self.longDeadline = longDeadline
        self.lockTimeout = lockTimeout
        self.idleTransactionTimeout = idleTransactionTimeout
        self.prepare = prepare
        self.applicationName = applicationName
        self.role = role
    }
}
