// Settings shared by all connections of one client.

struct ConnectionSettings: Sendable {
    let configuration: PostgresConfiguration
    let address: DatabaseURL
    /// Shared by all connections of the client.
    let pooler = PoolerFinding()
    /// How long a connection attempt may take, from the lookup of the name to the last setting.
    let connectLimit: Duration = .seconds(3)
    /// Whether generic plans are used: for connections that repeat one statement.
    var keepsPlans = false

    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        address = DatabaseURL(configuration: configuration)
    }

    /// PostgreSQL cancels a statement shortly before our own deadline: its response keeps the connection usable, and
    /// an abandoned caller leaves nothing running on the server.
    func statementTimeout(_ deadline: Duration) -> String {
        String(max(1, deadline.wholeMilliseconds * 7 / 8))
    }

    /// The first question on every connection: the server process, and how many connections PostgreSQL has left for
    /// logins without privileges, if that matters.
    var firstQuestion: SQL { "select pg_backend_pid()\(raw: configuration.reserve > 0 ? Self.left : "")" }

    /// PostgreSQL shows the type of another role's session only to roles with `pg_read_all_stats`. Everybody sees its
    /// database and user, one of which PostgreSQL's own processes lack; parallel workers of other roles count, too.
    private static let left = """
        , current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true)::int, 0)
            - (select count(*) from pg_stat_activity where datid is not null and usesysid is not null
                and coalesce(backend_type, 'client backend') = 'client backend')::int
        """

    /// Takes the role for one transaction, and asks for the server process.
    var localRole: SQL? {
        configuration.role.map { "select set_config('role', \($0), true), pg_backend_pid()" }
    }

    /// The statements that set up a new session. `dateStyle` is what the server reported. Behind a pooler the role is not
    /// part of the session, which a pooler may give to another client one day.
    func sessionStart(dateStyle: String, isPooled: Bool) -> [SQL] {
        var statements: [SQL] = [
            "set statement_timeout to \(raw: statementTimeout(configuration.deadline))",
            "set lock_timeout to \(raw: String(configuration.lockTimeout.wholeMilliseconds))",
            """
            set idle_in_transaction_session_timeout to \
            \(raw: String(configuration.idleTransactionTimeout.wholeMilliseconds))
            """,
            // A killed daemon must not leave statements running that block others.
            "set client_connection_check_interval to '500ms'",
            // Compiling would take longer than running these statements.
            "set jit to off",
        ]
        // By default PostgreSQL replans a statement with arrays each time, which takes longer than running it.
        if keepsPlans { statements.append("set plan_cache_mode to 'force_generic_plan'") }
        // Dates are decoded in ISO style, whatever the role or the database sets.
        if !dateStyle.hasPrefix("ISO") { statements.append("set datestyle to 'ISO'") }
        if !isPooled, let role = configuration.role { statements.append("set role \(raw: SQLName.quoted(role))") }
        return statements
    }
}
